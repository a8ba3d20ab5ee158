// `/sdmx/v2` at the length of 100,000 observations: the same points as SDMX-CSV in one answer and as pages of `/v1` values, by
// the clock and by the time of a processor, and how much memory the answer takes while it is sent.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parsePeriod } from '../src/core/time/period.ts'
import { KeyedDigests } from '../src/storage/keys/key-ring.ts'
import { makeIdentifier } from '../src/storage/postgres/identifier.ts'
import { createSeries } from '../src/storage/series/own-series.ts'
import { withStaging } from '../src/storage/series/staging.ts'
import { Installation } from '../src/storage/upkeep/installation.ts'
import { createApiKey } from '../src/storage/workspaces/api-keys.ts'
import { createWorkspace } from '../src/storage/workspaces/workspaces.ts'
import { type RunningProcess, startProcess } from './api/process.ts'
import { whenQuiet } from './api/quiet.ts'
import { printTable } from './table.ts'

const seriesCount = 200
const months = 500
const turns = 7
const targets = { ofValues: 0.5 }

interface Filled {
  readonly key: string
  readonly seriesIds: readonly string[]
}

export async function benchSdmx(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'assize-bench-'))
  const data = join(folder, 'data')
  let server: RunningProcess | null = null
  try {
    const filled = await fill(data)
    server = await startProcess('assize', ['src/cli/assize.ts', 'serve', '--json'], {
      ASSIZE_DATA: data,
      PORT: '0',
      LOG_LEVEL: 'warn',
    })
    await measure(server, filled)
  } finally {
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function fill(dataFolder: string): Promise<Filled> {
  const installation = await Installation.open({ dataFolder, databaseUrl: null, secrets: null })
  try {
    const { sql, owner, ring } = installation
    const { id } = await createWorkspace(owner, { slug: 'bench', name: 'Bench', rateLimit: 1_000_000 })
    const asked = { workspaceId: id, name: 'bench', expiresAt: null }
    const { key } = await createApiKey(sql, new KeyedDigests(ring, 'api-key digests'), asked)
    return { key, seriesIds: await fillSeries(installation, id) }
  } finally {
    await installation.close()
  }
}

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
  const first = parsePeriod('1983-01')!.ordinal
  await withStaging(sql, workspaceId, async staging => {
    for (const [place] of series.entries())
      await staging.add(
        Array.from({ length: months }, (_, month) => ({
          series: place,
          period: first + month,
          value: `${100 + place}.${month + 100}`,
          tag: null,
          flag: null,
          publishedAt: `20${10 + (month % 15)}-0${1 + (month % 9)}-15T12:30:00.000000Z`,
          line: 2,
        })),
      )
    const comparison = await staging.compare(ids)
    return comparison.appendOne(log => createSeries(staging.tx, log, series))
  })
  return ids
}

/** Points a second, and microseconds of a processor of the server for each. */
interface Rate {
  readonly perSecond: number
  readonly micros: number
}

async function measure(server: RunningProcess, { key, seriesIds }: Filled): Promise<void> {
  const points = seriesCount * months
  const headers = { authorization: `Bearer ${key}` }
  const read = async (path: string, accept = 'application/json') => {
    const answer = await fetch(`${server.url}${path}`, {
      headers: { ...headers, accept, 'accept-encoding': 'identity' },
    })
    if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`)
    let bytes = 0
    let lines = 0
    for await (const piece of answer.body! as unknown as AsyncIterable<Uint8Array>) {
      bytes += piece.length
      for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines++
    }
    return { bytes, lines }
  }
  const rateOf = async (run: () => Promise<unknown>): Promise<Rate> => {
    const [fromMs, before] = [performance.now(), server.processorSeconds()]
    await run()
    const seconds = (performance.now() - fromMs) / 1000
    return { perSecond: points / seconds, micros: ((server.processorSeconds() - before) * 1e6) / points }
  }
  const values = async () => {
    for (const id of seriesIds) await read(`/v1/series/${id}/values?limit=2000`)
  }
  const flow = '/sdmx/v2/data/dataflow/ASSIZE/CUSTOM'
  const csv = () => read(flow, 'application/vnd.sdmx.data+csv')
  const { lines, bytes } = await csv()
  if (lines !== points + 1) throw new Error(`${lines} lines came, ${points + 1} were expected`)
  await values()
  const before = server.residentMb()
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, server.residentMb())
  }, 5)
  const measured: { values: Rate; csv: Rate }[] = []
  for (let i = 0; i < turns; i++)
    measured.push(await whenQuiet(async () => ({ values: await rateOf(values), csv: await rateOf(csv) })))
  const json = await rateOf(() => read(flow, 'application/vnd.sdmx.data+json'))
  const xml = await rateOf(() => read(flow, 'application/vnd.sdmx.data+xml'))
  clearInterval(watch)
  report(measured, { json, xml }, { before, peak, bytes })
}

function report(
  measured: readonly { readonly values: Rate; readonly csv: Rate }[],
  others: { readonly json: Rate; readonly xml: Rate },
  memory: { readonly before: number; readonly peak: number; readonly bytes: number },
): void {
  const median = (of: (turn: { values: Rate; csv: Rate }) => number) =>
    measured.map(of).toSorted((a, b) => a - b)[Math.floor(measured.length / 2)]!
  const row = (name: string, rate: Rate) => [name, whole(rate.perSecond), rate.micros.toFixed(2)]
  const [values, csv] = (['values', 'csv'] as const).map(each => ({
    perSecond: median(turn => turn[each].perSecond),
    micros: median(turn => turn[each].micros),
  })) as [Rate, Rate]
  printTable(
    [`${whole(seriesCount * months)} observations`, 'a second', 'µs of a processor for each'],
    [
      row('/v1 values, one series after the other', values),
      row('/sdmx/v2 CSV, one answer', csv),
      row('/sdmx/v2 JSON', others.json),
      row('/sdmx/v2 XML', others.xml),
    ],
  )
  printTable(
    ['', 'measured', 'target'],
    [
      [
        'CSV of /v1 values, by the clock',
        median(turn => turn.csv.perSecond / turn.values.perSecond).toFixed(2),
        `>= ${targets.ofValues}`,
      ],
      [
        'CSV of /v1 values, by the time of a processor',
        median(turn => turn.values.micros / turn.csv.micros).toFixed(2),
        `>= ${targets.ofValues}`,
      ],
      ['the CSV', `${(memory.bytes / 1e6).toFixed(1)} MB`, ''],
      ['resident before, and at most', `${memory.before} and ${memory.peak} MB`, ''],
    ],
  )
}

function whole(value: number): string {
  return Math.floor(value).toLocaleString('en-US')
}
