// F21: archives and XML made to exhaust memory, sent as files of observations: each is refused with a sentence, and the
// server needs little more memory for them than for others.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { UploadLine } from '../../src/views/shapes/series.ts'
import { type BurstingArchive, burstingArchives } from '../support/files/bursting-archives.ts'
import { type Browser, linesOf } from '../support/houses/console.ts'
import type { LongRun } from '../support/run/long-form.ts'
import { startFile } from '../support/run/start-files.ts'

export const mostGrowthMb = 300

export interface BurstingOutcome {
  readonly failures: readonly string[]
  readonly growthMb: number
}

const path = '/series/upload?file=prices.xlsx&mode=preview'

/** `browser` uses a server in this process. */
export async function burstArchives(
  browser: Browser,
  { rounds, seed, say }: LongRun,
  kinds: readonly BurstingArchive[] = burstingArchives,
): Promise<BurstingOutcome> {
  const folder = await mkdtemp(join(tmpdir(), 'assize-archives-'))
  try {
    await promisify(execFile)(process.execPath, [
      startFile('archives'),
      folder,
      `${seed}`,
      `${rounds}`,
      ...kinds.map(({ name }) => name),
    ])
    // The first file starts a worker, whose memory does not count.
    await browser.upload('/series/upload?file=prices.csv&mode=preview', 'series,period,value\n')
    return await sendAll(browser, { folder, rounds, kinds, say })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Sending extends Pick<LongRun, 'rounds' | 'say'> {
  readonly folder: string
  readonly kinds: readonly BurstingArchive[]
}

async function sendAll(browser: Browser, { folder, rounds, kinds, say }: Sending): Promise<BurstingOutcome> {
  const failures: string[] = []
  const before = process.memoryUsage().rss
  let highest = before
  const grownMb = () => Math.round((highest - before) / 1024 / 1024)
  for (let i = 0; i < rounds; i++) {
    const watch = setInterval(() => {
      highest = Math.max(highest, process.memoryUsage().rss)
    }, 20)
    const reply = await browser
      .upload(path, await readFile(join(folder, `${i % (3 * kinds.length)}.xlsx`)))
      .catch(error => error)
    clearInterval(watch)
    const why = reply instanceof Error ? reply.message : whyNotRefused(reply.status, linesOf<UploadLine>(reply).at(-1))
    if (why !== null) failures.push(`${kinds[i % kinds.length]!.name}: ${why}`)
    if (i % 50 === 49) say(`${i + 1} archives, ${grownMb()} MB more than before`)
  }
  if (grownMb() > mostGrowthMb) failures.push(`the server grew by ${grownMb()} MB`)
  return { failures, growthMb: grownMb() }
}

/** Refused as a whole with a sentence, or with a list of problems like any other file. */
function whyNotRefused(status: number, last: UploadLine | { readonly error: string } | undefined): string | null {
  const isTold = last !== undefined && ('error' in last || (last.stage === 'done' && last.problemCount > 0))
  if (isTold && status < 500) return null
  return `${status} ${JSON.stringify(last)}`
}
