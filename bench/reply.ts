// The cost of sending a ready answer: as v1 does it, with node's `writeHead`, from a framework route without its reply, and
// with its reply. In processor time of one core, because that is the difference; the machine may be busy with other work.
import { loadFully } from './api/load.ts'
import { type RunningProcess, startProcess } from './api/process.ts'
import { printTable } from './table.ts'

const ways = {
  lines: 'v1: ready lines',
  writeHead: 'node’s writeHead',
  route: 'Fastify’s route, our send',
  reply: 'Fastify’s reply',
} as const
type Way = keyof typeof ways

const turns = 7
const seconds = 2
const sizes = [468, 5_020] as const
const paths = Array.from({ length: 200 }, (_, i) => `/v1/series/ser_${i}/values?limit=60`)
const route = { name: 'values', paths, byHand: paths, keys: ['key'] }

export async function benchReply(): Promise<void> {
  const rows: string[][] = []
  for (const bytes of sizes) {
    const servers = new Map<Way, RunningProcess>()
    for (const way of Object.keys(ways) as Way[])
      servers.set(way, await startProcess(way, ['bench/api/reply-server.ts', way, `${bytes}`], {}))
    const costs = await measure(servers)
    for (const server of servers.values()) await server.stop()
    const own = median(costs.get('lines')!)
    for (const [way, each] of costs)
      rows.push([ways[way], `${bytes}`, median(each).toFixed(1), (median(each) / own).toFixed(2)])
  }
  printTable(['sent by', 'bytes', 'µs of a core', 'times v1'], rows)
}

/** In turn, so that all of them run under the same load. */
async function measure(servers: ReadonlyMap<Way, RunningProcess>): Promise<ReadonlyMap<Way, number[]>> {
  const costs = new Map([...servers.keys()].map(way => [way, [] as number[]]))
  for (let turn = 0; turn <= turns; turn++)
    for (const [way, { url }] of servers) {
      const before = await usedMicros(url)
      const requests = (await loadFully(url, route, seconds)) * seconds
      // The first round warms up the compiler.
      if (turn > 0) costs.get(way)!.push(((await usedMicros(url)) - before) / requests)
    }
  return costs
}

async function usedMicros(url: string): Promise<number> {
  return Number.parseInt(await (await fetch(`${url}/cpu`)).text(), 10)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
