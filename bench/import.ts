// The import of a million observations against a bare COPY of the same rows into the same table, each into its own embedded
// database in a temporary folder: rows a second, and the peak memory of the importing process.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { formatPeriod, parsePeriod, shift } from '../src/core/time/period.ts'
import { appending } from '../src/storage/log/append.ts'
import { makeIdentifier } from '../src/storage/postgres/identifier.ts'
import { createSeries, type OwnSeries } from '../src/storage/series/own-series.ts'
import { Installation } from '../src/storage/upkeep/installation.ts'
import { createWorkspace } from '../src/storage/workspaces/workspaces.ts'
import { printTable } from './table.ts'

const rows = 1_000_000
const periodsPerSeries = 600
const firstPeriod = parsePeriod('1975-01')!

interface Row {
  readonly series: number
  readonly period: number
  readonly periodText: string
  readonly value: string
  readonly published: string
}

function* makeRows(): Generator<Row> {
  const periods = Array.from({ length: periodsPerSeries }, (_, i) => shift(firstPeriod, i))
  const texts = periods.map(formatPeriod)
  const days = periods.map(period => `${formatPeriod(shift(period, 1))}-14`)
  for (let i = 0; i < rows; i++) {
    const at = i % periodsPerSeries
    const thousandths = 100_000 + ((i * 7919) % 99_991)
    yield {
      series: Math.floor(i / periodsPerSeries),
      period: periods[at]!.ordinal,
      periodText: texts[at]!,
      value: `${Math.floor(thousandths / 1000)}.${String(thousandths % 1000).padStart(3, '0')}`,
      published: days[at]!,
    }
  }
}

async function writeFileOf(path: string, head: string, line: (row: Row) => string): Promise<void> {
  const file = createWriteStream(path)
  let text = head
  for (const row of makeRows()) {
    text += line(row)
    if (text.length < 1_000_000) continue
    if (!file.write(text)) await once(file, 'drain')
    text = ''
  }
  file.end(text)
  await once(file, 'finish')
}

async function withFreshInstallation<T>(folder: string, work: (installation: Installation) => Promise<T>): Promise<T> {
  const installation = await Installation.open({ dataFolder: folder, databaseUrl: null, secrets: null })
  try {
    return await work(installation)
  } finally {
    await installation.close()
  }
}

/** Series and publications exist before the clock starts: only the rows are measured. */
async function measureCopy(folder: string): Promise<number> {
  return withFreshInstallation(join(folder, 'copy'), async ({ owner }) => {
    const { id: workspace } = await createWorkspace(owner, { slug: 'bench' })
    const series: OwnSeries[] = Array.from({ length: Math.ceil(rows / periodsPerSeries) }, (_, i) => ({
      id: makeIdentifier('ser'),
      provider: 'CUSTOM',
      code: `series-${i}`,
      name: `Series number ${i}`,
      unit: '',
      dataType: 'INDEX',
      frequency: 'MONTHLY',
      description: '',
    }))
    const { seqs, recordedAt } = await appending(owner, workspace, async (tx, log) => {
      await createSeries(tx, log, series)
      const ids = series.map(({ id }) => id)
      const entries = ids.map(subject => ({ subject, facts: { hash: Buffer.alloc(32) } }))
      return { seqs: await log.appendMany('observations', entries), recordedAt: log.recordedAt }
    })
    const path = join(folder, 'rows.copy')
    await writeFileOf(path, '', row => {
      const place = `${workspace}\t${series[row.series]!.id}\t${row.period}\t${seqs[row.series]}`
      return `${place}\t${row.value}\tFINAL\t\\N\t${row.published} 00:00:00+00\t${recordedAt}\n`
    })
    const begun = performance.now()
    await owner.begin(async tx => {
      const target = await tx`
        copy vintage (owner, series_id, period, seq, value, tag, flag, published_at, recorded_at) from stdin`.copyIn()
      for await (const piece of createReadStream(path, { highWaterMark: 256 * 1024 })) await target.write(piece)
      await target.finish()
    })
    return performance.now() - begun
  })
}

interface ImportMeasure {
  readonly ms: number
  readonly peakMb: number
}

const peakHook = `data:text/javascript,${encodeURIComponent(
  'process.on("exit", () => process.stderr.write("peak " + process.resourceUsage().maxRSS))',
)}`

/** The real program in its own process, from start to end, on a running database. */
async function measureImport(folder: string): Promise<readonly ImportMeasure[]> {
  const path = join(folder, 'rows.csv')
  await writeFileOf(path, 'series,period,value,published,name\n', row => {
    const { series, periodText, value, published } = row
    return `CUSTOM/series-${series},${periodText},${value},${published},Series number ${series}\n`
  })
  return withFreshInstallation(join(folder, 'import'), async ({ owner }) => {
    await createWorkspace(owner, { slug: 'bench' })
    const run = async (): Promise<ImportMeasure> => {
      const begun = performance.now()
      const { stderr } = await promisify(execFile)(
        process.execPath,
        ['--import', peakHook, 'src/cli/assize.ts', 'import', path, '--workspace', 'bench'],
        { env: { ...process.env, ASSIZE_DATA: join(folder, 'import') } },
      )
      const peakKb = Number.parseInt(/peak (\d+)/.exec(stderr)![1]!, 10)
      return { ms: performance.now() - begun, peakMb: peakKb / 1024 }
    }
    return [await run(), await run()]
  })
}

export async function benchImport(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'assize-bench-'))
  try {
    const copyMs = await measureCopy(folder)
    const [first, again] = (await measureImport(folder)) as [ImportMeasure, ImportMeasure]
    const line = (name: string, ms: number, peak: string) => [
      name,
      (ms / 1000).toFixed(1),
      Math.floor((rows * 1000) / ms).toLocaleString('en-US'),
      (copyMs / ms).toFixed(2),
      peak,
    ]
    printTable(
      ['1,000,000 rows', 'seconds', 'rows/s', 'of COPY', 'peak MB'],
      [
        line('bare COPY into vintage', copyMs, ''),
        line('assize import file.csv', first.ms, first.peakMb.toFixed(0)),
        line('the same file again', again.ms, again.peakMb.toFixed(0)),
      ],
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
