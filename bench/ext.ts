// `/ext/v1` for a large workspace: a walk of 10,000 agreements in 50 requests, cold and from memory, against a bare
// node:http server that sends the same bytes; and how long after a publication a long poll answers.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parsePeriod } from '../src/core/time/period.ts'
import { KeyedDigests } from '../src/storage/keys/key-ring.ts'
import { appending } from '../src/storage/log/append.ts'
import { makeIdentifier } from '../src/storage/postgres/identifier.ts'
import { createSeries } from '../src/storage/series/own-series.ts'
import { withStaging } from '../src/storage/series/staging.ts'
import { Installation } from '../src/storage/upkeep/installation.ts'
import { createApiKey } from '../src/storage/workspaces/api-keys.ts'
import { createWorkspace } from '../src/storage/workspaces/workspaces.ts'
import { loadFully } from './api/load.ts'
import { type RunningProcess, startProcess } from './api/process.ts'
import { whenQuiet } from './api/quiet.ts'
import { insertAgreements } from './insert-agreements.ts'
import { printTable } from './table.ts'

const agreements = 10_000
const together = 500
const seriesCount = 20
const turns = 5
const seconds = 2
const polls = 20
const pricePages = 5
const targets = { requests: 50, ofBare: 0.6, pollMs: 200 }

interface Filled {
  readonly workspaceId: string
  readonly key: string
  readonly seriesIds: readonly string[]
}

export async function benchExt(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'assize-bench-'))
  const data = join(folder, 'data')
  const started: RunningProcess[] = []
  try {
    const filled = await fill(data)
    const ours = await startProcess('assize', ['src/cli/assize.ts', 'serve', '--json'], {
      ASSIZE_DATA: data,
      PORT: '0',
      LOG_LEVEL: 'warn',
    })
    started.push(ours)
    const cold = await walk(ours.url, filled.key)
    const held = await walk(ours.url, filled.key)
    await writeFile(join(folder, 'bodies.json'), JSON.stringify([held.bodies]))
    const bare = await startProcess('bare', ['bench/api/bare-server.ts', join(folder, 'bodies.json')], {})
    started.push(bare)
    const turnsTaken = await compare(ours, bare, filled.key, held.paths)
    const priceList = '/ext/v1/prices?date=2024-05-17'
    const prices = await walk(ours.url, filled.key, priceList, pricePages)
    const pricesAgain = await walk(ours.url, filled.key, `${priceList}&knownAt=${new Date().toISOString()}`, pricePages)
    const latencies = await pollLatencies(ours.url, data, filled)
    report({ cold, held, prices, pricesAgain, turns: turnsTaken, latencies, residentMb: ours.residentMb() })
  } finally {
    for (const process of started) await process.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function fill(dataFolder: string): Promise<Filled> {
  const installation = await Installation.open({ dataFolder, databaseUrl: null, secrets: null })
  try {
    const { sql, owner, ring } = installation
    const workspace = await createWorkspace(owner, { slug: 'bench', name: 'Bench', rateLimit: 1_000_000 })
    const { key } = await createApiKey(sql, new KeyedDigests(ring, 'api-key digests'), {
      workspaceId: workspace.id,
      name: 'bench',
      expiresAt: null,
    })
    const seriesIds = await fillSeries(installation, workspace.id)
    for (let from = 0; from < agreements; from += together) {
      const documents = Array.from({ length: together }, (_, i) => documentOf(from + i))
      await appending(sql, workspace.id, (tx, log) => insertAgreements(tx, log, documents))
      process.stdout.write(`\rfilling: ${from + together} of ${agreements} agreements`)
    }
    process.stdout.write('\n')
    // As the database does by itself, a little later.
    await owner`analyze`
    return { workspaceId: workspace.id, key, seriesIds }
  } finally {
    await installation.close()
  }
}

function documentOf(i: number): string {
  return `
slug: agreement-${i.toString().padStart(5, '0')}
name: Agreement ${i}
status: ACTIVE
contract: { start: 2023-01-01, end: 2024-12-31, frequency: QUARTERLY, price: { amount: 12.40, currency: EUR, round: { dp: 2 } } }
inputs:
  one: { series: CUSTOM/bench-${i % seriesCount}, weight: 0.5, base: 2022-12, lag: 2 months }
  two: { series: CUSTOM/bench-${(i + 1) % seriesCount}, weight: 0.35, base: 2022-12, lag: 2 months }
clause: { fixed: 0.15, rounding: { percent: { dp: 2 } } }
`
}

const firstMonth = parsePeriod('2020-01')!.ordinal
const months = 60

async function fillSeries({ sql }: Installation, workspaceId: string): Promise<string[]> {
  const series = Array.from({ length: seriesCount }, (_, i) => ({
    id: makeIdentifier('ser'),
    provider: 'CUSTOM' as const,
    code: `bench-${i}`,
    name: `Bench series ${i}`,
    unit: '2015 = 100',
    dataType: 'INDEX' as const,
    frequency: 'MONTHLY' as const,
    description: '',
  }))
  const ids = series.map(({ id }) => id)
  const rows = series.flatMap((_, place) =>
    Array.from({ length: months }, (_month, month) => row(place, firstMonth + month, `${100 + place}.${month + 1}`)),
  )
  await withStaging(sql, workspaceId, async staging => {
    await staging.add(rows)
    const comparison = await staging.compare(ids)
    return comparison.appendOne(log => createSeries(staging.tx, log, series))
  })
  return ids
}

function row(series: number, period: number, value: string) {
  return { series, period, value, tag: null, flag: null, publishedAt: '2021-01-01T00:00:00.000000Z', line: 2 }
}

interface Walk {
  readonly paths: readonly string[]
  readonly bodies: readonly string[]
  readonly ms: number
  readonly slowestMs: number
}

async function walk(
  url: string,
  key: string,
  list = '/ext/v1/adjustments',
  mostPages: number = Number.POSITIVE_INFINITY,
): Promise<Walk> {
  const paths: string[] = []
  const bodies: string[] = []
  const from = performance.now()
  let slowestMs = 0
  for (let path: string | null = list; path !== null && paths.length < mostPages; ) {
    const askedMs = performance.now()
    const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } })
    const body = await answer.text()
    if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}: ${body}`)
    slowestMs = Math.max(slowestMs, performance.now() - askedMs)
    paths.push(path)
    bodies.push(body)
    const { nextCursor } = (JSON.parse(body) as { pagination: { nextCursor: string | null } }).pagination
    path = nextCursor === null ? null : `${list}${list.includes('?') ? '&' : '?'}cursor=${nextCursor}`
  }
  return { paths, bodies, ms: performance.now() - from, slowestMs }
}

/** Requests a second, and microseconds of a processor for each: on a shared machine only the second is the server's own. */
interface Rate {
  readonly perSecond: number
  readonly micros: number
}

interface Turn {
  readonly ours: Rate
  readonly bare: Rate
}

async function compare(
  ours: RunningProcess,
  bare: RunningProcess,
  key: string,
  paths: readonly string[],
): Promise<readonly Turn[]> {
  const route = { name: 'adjustments', paths, byHand: [], keys: [key] }
  const rateOf = async (server: RunningProcess, prefix: string): Promise<Rate> => {
    const before = server.processorSeconds()
    const perSecond = await loadFully(server.url, { ...route, prefix }, seconds)
    return { perSecond, micros: ((server.processorSeconds() - before) * 1_000_000) / (perSecond * seconds) }
  }
  const turn = async (): Promise<Turn> => ({ ours: await rateOf(ours, ''), bare: await rateOf(bare, '/0') })
  // Until the code of both is compiled.
  await turn()
  const measured: Turn[] = []
  for (let i = 0; i < turns; i++) measured.push(await whenQuiet(turn))
  return measured
}

/** From the moment a publication is committed by another process to the answer. */
async function pollLatencies(
  url: string,
  dataFolder: string,
  { workspaceId, key, seriesIds }: Filled,
): Promise<number[]> {
  const headers = { authorization: `Bearer ${key}` }
  const installation = await Installation.open({ dataFolder, databaseUrl: null, secrets: null })
  const ask = async (path: string) => {
    const answer = await fetch(`${url}/ext/v1${path}`, { headers })
    return (await answer.json()) as { data: unknown[]; pagination: { nextCursor: string } }
  }
  const latencies: number[] = []
  try {
    let cursor = (await ask('/changes')).pagination.nextCursor
    for (let i = 0; i < polls; i++) {
      const held = ask(`/changes?wait=20&cursor=${cursor}`).then(page => ({ page, atMs: performance.now() }))
      await new Promise(resolve => setTimeout(resolve, 150))
      await withStaging(installation.sql, workspaceId, async staging => {
        await staging.add([row(0, firstMonth + months + i, `${i + 1}`)])
        return (await staging.compare([seriesIds[0]!])).appendOne()
      })
      const publishedMs = performance.now()
      const { page, atMs } = await held
      if (page.data.length === 0) throw new Error('a long poll ended without the publication')
      latencies.push(Math.max(0, atMs - publishedMs))
      cursor = page.pagination.nextCursor
    }
    return latencies
  } finally {
    await installation.close()
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

interface Measured {
  readonly cold: Walk
  readonly held: Walk
  readonly prices: Walk
  readonly pricesAgain: Walk
  readonly turns: readonly Turn[]
  readonly latencies: readonly number[]
  readonly residentMb: number
}

function report({ cold, held, prices, pricesAgain, turns: taken, latencies, residentMb }: Measured): void {
  const whole = (value: number) => Math.floor(value).toLocaleString('en-US')
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  const bytesOf = ({ bodies }: Walk) => whole(bodies.reduce((sum, body) => sum + Buffer.byteLength(body), 0))
  printTable(
    [`walk of ${whole(agreements)} agreements`, 'requests', 'bytes', 'whole', 'slowest request'],
    [
      ['/adjustments, computed', cold],
      ['/adjustments, again', held],
      [`/prices of a day, computed, ${pricePages} pages`, prices],
      [`/prices of a day, again, other pages, ${pricePages} pages`, pricesAgain],
    ].map(([name, each]) => {
      const { paths, ms, slowestMs } = each as Walk
      return [name as string, whole(paths.length), bytesOf(each as Walk), seconds(ms), `${whole(slowestMs)} ms`]
    }),
  )
  const rate = (of: (turn: Turn) => number) => median(taken.map(of))
  const ofBare = rate(({ ours, bare }) => ours.perSecond / bare.perSecond)
  const ofProcessor = rate(({ ours, bare }) => bare.micros / ours.micros)
  printTable(
    ['', 'measured', 'target'],
    [
      ['requests of a walk of /adjustments', whole(held.paths.length), `${targets.requests}`],
      ['requests a second', whole(rate(({ ours }) => ours.perSecond)), ''],
      ['the same bytes from bare node:http', whole(rate(({ bare }) => bare.perSecond)), ''],
      ['of bare, by the clock', ofBare.toFixed(2), `>= ${targets.ofBare}`],
      ['of bare, by the time of a processor for a request', ofProcessor.toFixed(2), `>= ${targets.ofBare}`],
      ['long poll after a publication, median', `${median(latencies).toFixed(0)} ms`, ''],
      ['long poll after a publication, slowest', `${Math.max(...latencies).toFixed(0)} ms`, `<= ${targets.pollMs} ms`],
      ['resident', `${residentMb} MB`, ''],
    ],
  )
}
