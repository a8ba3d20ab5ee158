// The second verifier against the first, long form: thousands of damaged receipts, corrections, changes of terms and packages.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { damagedSamples } from '../support/files/damaged-samples.ts'
import { comparable, hasPython, secondVerdicts, sharedVerdict } from '../support/files/second-verifier.ts'
import { type VerifiedLines, verifiedLines } from '../support/files/verified-lines.ts'
import type { Fault, FaultOutcome, FaultRun } from './fault.ts'

export const verifiersFault: Fault = {
  id: 'F30',
  words: 'damaged receipts, corrections, changes of terms and packages: both verifiers say the same',
  rounds: 2000,
  run,
}

async function run({ rounds, say }: FaultRun): Promise<FaultOutcome> {
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
    const shared = sharedVerdict(first[at]!)
    if (shared !== null && !isDeepStrictEqual(shared, comparable(second[at]!))) failures.push(`${name}: ${damage}`)
  }
  rmSync(folder, { recursive: true, force: true })
  const held = first.filter(({ status }) => status === 0).length
  return { summary: `${rounds} damaged files, ${held} still valid, ${failures.length} judged differently`, failures }
}
