// Several servers on one PostgreSQL and one Redis: how many requests they answer together, and how much processor time
// of the servers and of Redis one request takes.
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import type { FolderGround } from '../../test/faults/grounds.ts'
import { type ServedProcess, serveFolder } from '../../test/faults/served-process.ts'
import { freePort, startRedis } from '../../test/support/run/redis.ts'
import { whenQuiet } from '../api/quiet.ts'
import { median } from './answers.ts'
import type { FilledWorkspace } from './fill.ts'
import type { ProcessesRow } from './rule.ts'

const connections = 32
const seconds = 3
const rounds = 3

export interface RouteRates {
  readonly name: string
  readonly rows: readonly ProcessesRow[]
}

export async function measureProcesses(
  ground: FolderGround,
  filled: FilledWorkspace,
  counts: readonly number[],
): Promise<readonly RouteRates[]> {
  const folder = await mkdtemp(join(tmpdir(), 'assize-redis-'))
  const port = await freePort()
  const redis = await startRedis(port, folder)
  const routes = await routesOf(ground, filled)
  const rates = routes.map(({ name }) => ({ name, rows: [] as ProcessesRow[] }))
  try {
    for (const count of counts) {
      const servers: ServedProcess[] = []
      try {
        for (let i = 0; i < count; i++) {
          const env = { LOG_LEVEL: 'warn', REDIS_URL: `redis://127.0.0.1:${port}` }
          servers.push(await serveFolder(ground.folder, { env }))
        }
        for (const [i, { paths }] of routes.entries()) {
          const measured = await measure(servers, redis.pid!, filled, paths)
          rates[i]!.rows.push({ processes: count, ...measured })
          process.stdout.write('.')
        }
      } finally {
        await Promise.all(servers.map(server => server.stop()))
      }
    }
    return rates
  } finally {
    redis.kill('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  }
}

async function routesOf({ owner }: FolderGround, { workspace }: FilledWorkspace) {
  const rows = await owner<{ id: string }[]>`
    select id from series where owner = ${workspace.id} and code like 'index-%' and length(code) = 9 limit 100`
  return [
    { name: 'series, 50', paths: ['/v1/series'] },
    { name: 'values, 12', paths: rows.map(({ id }) => `/v1/series/${id}/values?last=12`) },
  ]
}

/** Everything is requested once before; then the median of the rounds counts. */
async function measure(
  servers: readonly ServedProcess[],
  redisPid: number,
  { keys }: FilledWorkspace,
  paths: readonly string[],
): Promise<Omit<ProcessesRow, 'processes'>> {
  for (const { client } of servers)
    for (const path of paths) await client.ask(path, { headers: { authorization: `Bearer ${keys[0]}` } })
  const pids = [redisPid, ...servers.map(({ pid }) => pid)]
  const results: Omit<ProcessesRow, 'processes'>[] = []
  for (let round = 0; round < rounds; round++)
    results.push(
      await whenQuiet(async () => {
        const before = cpuSeconds(pids)
        const answered = await Promise.all(servers.map(server => load(server, servers.length, keys, paths)))
        const all = answered.reduce((sum, each) => sum + each, 0)
        return { rate: all / seconds, cpuMicros: ((cpuSeconds(pids) - before) / all) * 1e6 }
      }),
    )
  return { rate: median(results.map(({ rate }) => rate)), cpuMicros: median(results.map(({ cpuMicros }) => cpuMicros)) }
}

/** Requests that were answered with 200. Any other answer is a bug of the bench. */
async function load(
  { client }: ServedProcess,
  servers: number,
  keys: readonly string[],
  paths: readonly string[],
): Promise<number> {
  const requests = Array.from({ length: Math.max(paths.length, keys.length) }, (_, i) => ({
    method: 'GET' as const,
    path: paths[i % paths.length]!,
    headers: { authorization: `Bearer ${keys[i % keys.length]}` },
  }))
  const result = await autocannon({
    url: `http://127.0.0.1:${client.port}`,
    connections: Math.ceil(connections / servers),
    requests,
    duration: seconds,
  })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refusals and ${result.errors} errors`)
  return result['2xx']
}

const ticksPerSecond = 100

/** Of these processes since they began, in the kernel and outside of it. */
function cpuSeconds(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name is in parentheses and may contain anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return sum + (Number.parseInt(fields[11]!, 10) + Number.parseInt(fields[12]!, 10)) / ticksPerSecond
  }, 0)
}
