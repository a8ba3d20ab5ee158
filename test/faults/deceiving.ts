// Files made to deceive a verifier, each judged in one line or more, without a trace, in at most 10 seconds.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type DeceivingFile, deceivingFiles, largeTexts, wrongVerdict } from '../support/files/deceiving-files.ts'
import { slipKey } from '../support/files/foreign-fields.ts'
import { type AskedFile, disagreement, hasPython, timedVerdicts } from '../support/files/second-verifier.ts'
import { verifiedLines } from '../support/files/verified-lines.ts'
import type { LongRun } from '../support/run/long-form.ts'
import type { Outcome } from '../support/run/long-test.ts'

const [mostMs, mostBytes, together] = [10_000, 500_000_000, 500]

export async function judgeDeceiving({ rounds, seed, say, isTimed }: LongRun): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'assize-deceiving-'))
  const path = join(folder, 'file')
  const failures: string[] = []
  let held = 0
  if (isTimed)
    for (const { name, text } of largeTexts()) {
      writeFileSync(path, text)
      for (const { status, seconds, megabytes } of [
        await judgeApart(path),
        ...(hasPython ? timedVerdicts([{ path }]) : []),
      ]) {
        say(`${name}: ${seconds.toFixed(1)} s, ${megabytes} MB`)
        if (status !== 1) failures.push(`${name}: exit ${status}`)
        if (seconds * 1000 > mostMs || megabytes * 1e6 > mostBytes)
          failures.push(`${name}: ${seconds} s, ${megabytes} MB`)
      }
    }
  for (let first = 0; first < rounds; first += together) {
    const files = deceivingFiles(Math.min(together, rounds - first), seed + first)
    const second = hasPython ? timedVerdicts(files.map((file, at) => askedFile(folder, file, at))) : []
    for (const [at, file] of files.entries()) {
      writeFileSync(path, file.bytes)
      const startedAt = performance.now()
      const verdict = await verifiedLines(
        path,
        ...(file.name.endsWith('slip.txt') ? ['--log-key', slipKey] : []),
      ).catch((error: Error) => `${error.stack}`)
      const wrong = typeof verdict === 'string' ? `it ends with a trace: ${verdict}` : wrongVerdict(file, verdict)
      if (wrong !== null) failures.push(`${file.name}: ${file.damage}: ${wrong}`)
      if (isTimed && performance.now() - startedAt > mostMs) failures.push(`${file.name}: ${file.damage}: it is slow`)
      if (typeof verdict !== 'string' && verdict.status === 0) held++
      const other = second[at]
      if (typeof verdict === 'string' || other === undefined) continue
      const why = disagreement(verdict, other, isSealedAgain(file)) ?? wrongVerdict(file, other)
      if (why !== null) failures.push(`${file.name}: ${file.damage}: ${why}`)
      if (isTimed && other.seconds * 1000 > mostMs) failures.push(`${file.name}: ${file.damage}: the second is slow`)
    }
    say(`${Math.min(first + together, rounds)} judged`)
  }
  if (isTimed && process.memoryUsage().rss > 2 * mostBytes) failures.push('the memory of the process has grown')
  rmSync(folder, { recursive: true, force: true })
  return { summary: `${rounds} files, ${held} hold, ${failures.length} judged wrongly`, failures }
}

function askedFile(folder: string, { name, bytes }: DeceivingFile, at: number): AskedFile {
  const path = join(folder, `second-${at}`)
  writeFileSync(path, bytes)
  return { path, words: name.endsWith('slip.txt') ? ['--log-key', slipKey] : [] }
}

/** Of what its maker sealed again, the second verifier leaves some things to the first. */
function isSealedAgain({ name, from }: DeceivingFile): boolean {
  return from === null && !name.endsWith('slip.txt')
}

/** By a process of its own, in time that the processor worked for it. */
async function judgeApart(path: string) {
  const program = fileURLToPath(new URL('../../src/cli/assize.ts', import.meta.url))
  const child = fork(program, ['verify', path], { stdio: 'ignore', execArgv: ['--import', usageReport] })
  const [used, [status]] = await Promise.all([once(child, 'message'), once(child, 'exit')])
  const { seconds, megabytes } = used[0] as { seconds: number; megabytes: number }
  return { status: status as number, seconds, megabytes }
}

/** What a process used, said when it ends. */
const usageReport = `data:text/javascript,${encodeURIComponent(`process.once('beforeExit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  process.send({ seconds: (userCPUTime + systemCPUTime) / 1e6, megabytes: Math.round(maxRSS / 1000) })
  process.disconnect()
})`)}`
