// What ingest costs: parsing answers of each form in MB and rows a second on one core, with the memory it takes however
// many are parsed; the tables of SDMX in pieces, with the memory it takes however long they are; and following 500 series
// from the stand-in, with the peak memory of the ingesting process.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { bodiesOf, type Form, forms } from './ingest/bodies.ts'
import { followings, measureFollowing } from './ingest/following.ts'
import type { PiecesMeasure } from './ingest/pieces.ts'
import type { ReadingMeasure } from './ingest/reading.ts'
import { printTable } from './table.ts'

const reader = fileURLToPath(new URL('./ingest/reading.ts', import.meta.url))

async function measureReading(form: Form, folder: string): Promise<ReadingMeasure> {
  await mkdir(folder)
  const bodies = bodiesOf(form)
  for (const [at, { body }] of bodies.entries()) await writeFile(join(folder, `${at}.body`), body)
  const answers = bodies.map(({ body: _, ...answer }) => answer)
  await writeFile(join(folder, 'task.json'), JSON.stringify({ provider: form.provider, answers }))
  const { stdout } = await promisify(execFile)(process.execPath, [reader, folder])
  await rm(folder, { recursive: true })
  return JSON.parse(stdout)
}

const pieceReader = fileURLToPath(new URL('./ingest/pieces.ts', import.meta.url))
/** One answer, and one ten times as long. */
const lengths = [1, 10] as const

async function measurePieces(form: Form, folder: string): Promise<readonly PiecesMeasure[]> {
  const file = join(folder, 'table.csv')
  const [{ body } = { body: '' }] = bodiesOf(form)
  await writeFile(file, body)
  const measures: PiecesMeasure[] = []
  for (const times of lengths) {
    const { stdout } = await promisify(execFile)(process.execPath, [pieceReader, file, times.toString()])
    measures.push(JSON.parse(stdout))
  }
  return measures
}

export async function benchIngest(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'assize-bench-'))
  try {
    await benchReading(folder)
    await benchPieces(folder)
    await benchFollowing(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function benchReading(folder: string): Promise<void> {
  const rows: string[][] = []
  for (const [at, form] of forms.entries()) {
    const measure = await measureReading(form, join(folder, `${at}`))
    const { bytes, mbPerSecond, rowsPerSecond, peakMb, problems } = measure
    warn(form, problems)
    const peaks = Object.values(peakMb).map(peak => peak.toFixed(0))
    rows.push([`${form.name}, ${form.provider}`, ...speedCells(bytes, mbPerSecond, rowsPerSecond), ...peaks])
  }
  printTable(['reading', 'MB', 'MB/s', 'rows/s', 'peak MB, 3 times', 'peak MB, 15 times'], rows)
}

async function benchPieces(folder: string): Promise<void> {
  const rows: string[][] = []
  for (const form of forms.filter(({ name }) => name === 'SDMX-CSV'))
    for (const { bytes, mbPerSecond, rowsPerSecond, peakMb, problems } of await measurePieces(form, folder)) {
      warn(form, problems)
      rows.push([form.provider, ...speedCells(bytes, mbPerSecond, rowsPerSecond), peakMb.toFixed(0)])
    }
  printTable(['SDMX-CSV in pieces', 'MB', 'MB/s', 'rows/s', 'peak MB'], rows)
}

async function benchFollowing(folder: string): Promise<void> {
  const rows: string[][] = []
  for (const following of followings) {
    const { seconds, vintages, peakMb } = await measureFollowing(following, join(folder, 'follow'))
    rows.push([
      following.name,
      seconds.toFixed(1),
      vintages.toLocaleString('en-US'),
      Math.round(vintages / seconds).toLocaleString('en-US'),
      peakMb.toFixed(0),
    ])
  }
  printTable(['series follow', 'seconds', 'vintages', 'vintages/s', 'peak MB'], rows)
}

function speedCells(bytes: number, mbPerSecond: number, rowsPerSecond: number): string[] {
  return [(bytes / 1e6).toFixed(1), mbPerSecond.toFixed(0), Math.round(rowsPerSecond).toLocaleString('en-US')]
}

function warn({ name, provider }: Form, problems: readonly string[]): void {
  for (const problem of problems) process.stderr.write(`${name} ${provider}: ${problem}\n`)
}
