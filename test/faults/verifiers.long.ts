// The second verifier against the first: thousands of damaged receipts, corrections, changes of terms and packages.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { damagedSamples } from '../support/files/damaged-samples.ts'
import { disagreement, hasPython, secondVerdicts } from '../support/files/second-verifier.ts'
import { type VerifiedLines, verifiedLines } from '../support/files/verified-lines.ts'
import type { LongRun } from '../support/run/long-form.ts'
import { type Outcome, scenario } from '../support/run/long-test.ts'

async function judge({ rounds, say }: LongRun): Promise<Outcome> {
  if (!hasPython) return { summary: 'there is no python3 here', failures: ['nothing was compared'] }
  const folder = mkdtempSync(join(tmpdir(), 'assize-verifiers-'))
  const failures: string[] = []
  const samples = [...damagedSamples(rounds)]
  const first: VerifiedLines[] = []
  for (const [at, { name, bytes }] of samples.entries()) {
    const path = join(folder, name)
    writeFileSync(path, bytes)
    first.push(await verifiedLines(path))
    if (at % 500 === 499) say(`${at + 1} judged by the first`)
  }
  const second = secondVerdicts(samples.map(({ name }) => ({ path: join(folder, name) })))
  for (const [at, { name, damage }] of samples.entries()) {
    const why = disagreement(first[at]!, second[at]!, damage.endsWith('sealed again'))
    if (why !== null) failures.push(`${name}: ${damage}: ${why}`)
  }
  rmSync(folder, { recursive: true, force: true })
  const held = first.filter(({ status }) => status === 0).length
  return { summary: `${rounds} damaged files, ${held} still valid, ${failures.length} judged differently`, failures }
}

scenario(
  'verifiers',
  'F30: damaged receipts, corrections, changes of terms and packages: the same status and first reason in both verifiers',
  { long: 2_000 },
  judge,
)
