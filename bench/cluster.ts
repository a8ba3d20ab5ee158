// Growing by adding processes: 1, 2 and 4 of them behind HAProxy on one machine. How many requests they answer together, how
// long a publication takes until each of them answers it, their memory, their connections, and what more processes do not
// change: how many publications one workspace takes.
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { openApplication, openOwner, publicScope, type Sql } from '../src/storage/postgres/database.ts'
import { followSeries } from '../src/storage/series/follows.ts'
import { type FolderGround, openFolderGround } from '../test/faults/grounds.ts'
import { type ServedProcess, serveFolder } from '../test/faults/served-process.ts'
import { makeSeries, makeWorkspace, publishRows } from '../test/support/houses/workspace.ts'
import { startHaproxy } from './cluster/haproxy.ts'
import { median } from './growth/answers.ts'
import { type FilledWorkspace, fillPublic, fillSeries } from './growth/fill.ts'
import { printTable } from './table.ts'

const counts = [1, 2, 4] as const
const most = 4
const loadSeconds = 2
const rounds = 3
const publications = 20
const writers = 8
const writeSeconds = 3

interface Measured {
  readonly rates: ReadonlyMap<string, readonly number[]>
  readonly cpuMicros: ReadonlyMap<string, readonly number[]>
}

export async function benchCluster(): Promise<void> {
  const ground = await openFolderGround()
  const sql = openApplication(ground.target, { connections: writers + 1 })
  const servers: ServedProcess[] = []
  try {
    const shared = await fillPublic(ground, sql, 1_000)
    await publishRows(sql, publicScope, shared, [{ period: 1, value: '1.5' }])
    const filled = await fillSeries(ground, sql, 1_000, shared)
    const connections = await startAll(ground, servers)
    const proxy = await startHaproxy(
      servers.map(({ client }) => client.port),
      counts,
    )
    try {
      reportReads(await measureReads(ground, servers, filled, count => proxy.portOf(count)))
    } finally {
      await proxy.stop()
    }
    await reportPublications(sql, servers, filled)
    reportResources(servers, connections)
    await reportWrites(ground, sql, filled.workspace.id)
  } finally {
    for (const server of servers) await server.stop()
    await sql.end({ timeout: 5 })
    await ground.close()
  }
}

/** How many connections the first processes have together, after each start. */
async function startAll(ground: FolderGround, servers: ServedProcess[]): Promise<readonly number[]> {
  const watch = openOwner(ground.target, { connections: 1, name: 'bench' })
  const count = async () => (await watch`select 1 from pg_stat_activity where backend_type = 'client backend'`).length
  const before = await count()
  const after: number[] = []
  for (let i = 0; i < most; i++) {
    servers.push(await serveFolder(ground.folder, { env: { LOG_LEVEL: 'warn' } }))
    // The timetable opens its own after the start.
    await sleep(4_000)
    after.push((await count()) - before)
  }
  await watch.end()
  return after
}

interface Route {
  readonly name: string
  readonly paths: readonly string[]
}

async function routesOf(owner: Sql, { workspace }: FilledWorkspace): Promise<readonly Route[]> {
  const rows = await owner<{ id: string }[]>`
    select id from series where owner = ${workspace.id} and code like 'index-%' and length(code) = 9 limit 100`
  return [
    { name: 'list of 50 series', paths: ['/v1/series'] },
    { name: 'values of a series', paths: rows.map(({ id }) => `/v1/series/${id}/values?last=12`) },
  ]
}

/** All numbers of processes in each round, so that what else the machine does is the same for all of them. */
async function measureReads(
  ground: FolderGround,
  servers: readonly ServedProcess[],
  filled: FilledWorkspace,
  portOf: (count: number) => number,
): Promise<Measured> {
  const rates = new Map<string, number[]>()
  const cpuMicros = new Map<string, number[]>()
  const pids = servers.map(({ pid }) => pid)
  for (const { name, paths } of await routesOf(ground.owner, filled)) {
    const headers = { authorization: `Bearer ${filled.keys[0]}` }
    for (const { client } of servers) for (const path of paths) await client.ask(path, { headers })
    for (let round = 0; round < rounds; round++)
      for (const count of counts) {
        const before = cpuSeconds(pids)
        const answered = await load(portOf(count), filled.keys, paths)
        add(rates, `${name} ${count}`, answered / loadSeconds)
        add(cpuMicros, `${name} ${count}`, ((cpuSeconds(pids) - before) / answered) * 1e6)
      }
  }
  return { rates, cpuMicros }
}

function add(all: Map<string, number[]>, key: string, value: number): void {
  all.set(key, [...(all.get(key) ?? []), value])
}

/** Requests that were answered with 200; any other answer is a fault of the bench. */
async function load(port: number, keys: readonly string[], paths: readonly string[]): Promise<number> {
  const requests = Array.from({ length: Math.max(paths.length, keys.length) }, (_, i) => ({
    method: 'GET' as const,
    path: paths[i % paths.length]!,
    headers: { authorization: `Bearer ${keys[i % keys.length]}` },
  }))
  const url = `http://127.0.0.1:${port}`
  const result = await autocannon({ url, connections: 32, requests, duration: loadSeconds })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refused, ${result.errors} failed`)
  return result['2xx']
}

/** Of processes, all threads. */
function cpuSeconds(pids: readonly number[]): number {
  const ticks = pids.map(pid => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ')
    return Number.parseInt(fields[11]!, 10) + Number.parseInt(fields[12]!, 10)
  })
  return ticks.reduce((sum, each) => sum + each, 0) / 100
}

function reportReads({ rates, cpuMicros }: Measured): void {
  const rows = [...rates].map(([key, each]) => {
    const count = key.slice(key.lastIndexOf(' ') + 1)
    const name = key.slice(0, key.lastIndexOf(' '))
    const ratio = median(each.map((rate, round) => rate / rates.get(`${name} 1`)![round]!))
    return [name, count, whole(median(each)), ratio.toFixed(2), whole(median(cpuMicros.get(key)!))]
  })
  printTable(['requests a second', 'processes', 'all together', 'of one process', 'µs of processor for one'], rows)
  process.stdout.write(`(${availableParallelism()} processors for the servers, HAProxy, PostgreSQL and the bench)\n`)
}

/** From the commit until each of the first processes answers with the new value. */
async function reportPublications(sql: Sql, servers: readonly ServedProcess[], filled: FilledWorkspace): Promise<void> {
  const { id } = filled.workspace
  const shared = await makeSeries(sql, publicScope, 'seen')
  await followSeries(sql, id, { id: shared, provider: 'CUSTOM', code: 'seen' })
  const own = await makeSeries(sql, id, 'own-seen')
  const rows: string[][] = []
  for (const [what, scope, series] of [
    ['in a workspace', id, own],
    ['of a public series', publicScope, shared],
  ] as const) {
    const each = await measureSeen(sql, servers, { scope, series, key: filled.keys[0]! })
    for (const count of counts) {
      const last = each.map(times => Math.max(...times.slice(0, count)))
      rows.push([what, String(count), median(last).toFixed(1), Math.max(...last).toFixed(1)])
    }
  }
  printTable(['publication, until every process answers it', 'processes', 'ms', 'slowest ms'], rows)
}

async function measureSeen(
  sql: Sql,
  servers: readonly ServedProcess[],
  { scope, series, key }: { readonly scope: string; readonly series: string; readonly key: string },
): Promise<readonly (readonly number[])[]> {
  const all: number[][] = []
  for (let i = 1; i <= publications; i++) {
    const value = `${i}.25`
    const headers = { authorization: `Bearer ${key}` }
    const path = `/v1/series/${series}/values?last=1`
    for (const { client } of servers) await client.ask(path, { headers })
    await publishRows(sql, scope, series, [{ period: i, value }])
    const fromMs = performance.now()
    const seen = async ({ client }: ServedProcess) => {
      while (!(await client.ask(path, { headers })).text.includes(`"${value}"`)) {
        if (performance.now() - fromMs > 30_000) throw new Error('a process does not answer what was published')
      }
      return performance.now() - fromMs
    }
    all.push(await Promise.all(servers.map(seen)))
  }
  return all
}

function reportResources(servers: readonly ServedProcess[], connections: readonly number[]): void {
  const memory = servers.map(({ pid }) => {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1')
    return Number.parseInt(/^Pss: +(\d+)/m.exec(text)![1]!, 10) / 1024
  })
  const rows = counts.map(count => {
    const each = memory.slice(0, count).reduce((sum, mb) => sum + mb, 0) / count
    return [String(count), whole(each), String(connections[count - 1]!)]
  })
  printTable(['processes', 'MB each', 'connections of all'], rows)
}

/** Publications wait for the lock of their scope, whichever process makes them. */
async function reportWrites(ground: FolderGround, sql: Sql, workspace: string): Promise<void> {
  const rows: string[][] = []
  const many: string[] = []
  for (let i = 0; i < writers; i++) many.push((await makeWorkspace(ground)).id)
  for (const [what, scopes] of [
    ['one workspace', Array<string>(writers).fill(workspace)],
    ['the public series', Array<string>(writers).fill(publicScope)],
    ['eight workspaces', many],
  ] as const) {
    const series = await Promise.all(scopes.map((scope, i) => makeSeries(sql, scope, `written-${what}-${i}`)))
    const fromMs = performance.now()
    let written = 0
    await Promise.all(
      scopes.map(async (scope, i) => {
        for (let period = 1; performance.now() - fromMs < writeSeconds * 1000; period++, written++)
          await publishRows(sql, scope, series[i]!, [{ period, value: '1' }])
      }),
    )
    rows.push([what, String(writers), whole((written / (performance.now() - fromMs)) * 1000)])
  }
  printTable(['publications a second, into', 'writers at once', 'all together'], rows)
}

const whole = (value: number) => Math.round(value).toLocaleString('en')
