// What ingest takes: reading answers of each form in MB and rows a second on one core, with the memory that takes however
// many are read; and following 500 series from the stand-in, with the peak memory of the ingesting process.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { bodiesOf, type Form, forms } from './ingest/bodies.ts'
import { followings, measureFollowing } from './ingest/following.ts'
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

export async function benchIngest(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'assize-bench-'))
  try {
    const rows: string[][] = []
    for (const [at, form] of forms.entries()) {
      const measure = await measureReading(form, join(folder, `${at}`))
      const { bytes, mbPerSecond, rowsPerSecond, peakMb, problems } = measure
      for (const problem of problems) process.stderr.write(`${form.name} ${form.provider}: ${problem}\n`)
      rows.push([
        `${form.name}, ${form.provider}`,
        (bytes / 1e6).toFixed(1),
        mbPerSecond.toFixed(0),
        Math.round(rowsPerSecond).toLocaleString('en-US'),
        ...Object.values(peakMb).map(peak => peak.toFixed(0)),
      ])
    }
    printTable(['reading', 'MB', 'MB/s', 'rows/s', 'peak MB, 3 times', 'peak MB, 15 times'], rows)
    const followed: string[][] = []
    for (const following of followings) {
      const { seconds, vintages, peakMb } = await measureFollowing(following, join(folder, 'follow'))
      followed.push([
        following.name,
        seconds.toFixed(1),
        vintages.toLocaleString('en-US'),
        Math.round(vintages / seconds).toLocaleString('en-US'),
        peakMb.toFixed(0),
      ])
    }
    printTable(['series follow', 'seconds', 'vintages', 'vintages/s', 'peak MB'], followed)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
