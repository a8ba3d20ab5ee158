// The second verifier, written in Python from docs/RECEIPT.md alone, says what `verify` says: about every golden receipt and sample, and
// about damaged ones.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { damagedSamples, readSamples } from '../support/files/damaged-samples.ts'
import { comparable, hasPython, secondVerdicts, sharedVerdict } from '../support/files/second-verifier.ts'
import { verifiedLines } from '../support/files/verified-lines.ts'

const folder = mkdtempSync(join(tmpdir(), 'assize-verifiers-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.skipIf(!hasPython)('both say the same about every golden file, and about 40 damaged ones', async () => {
  const files = [...readSamples().map(sample => ({ ...sample, damage: 'as it is' })), ...damagedSamples(40)]
  const paths = files.map(({ name, bytes }) => {
    const path = join(folder, name)
    writeFileSync(path, bytes)
    return path
  })
  const second = secondVerdicts(paths.map(path => ({ path })))
  for (const [at, path] of paths.entries()) {
    const { name, damage } = files[at]!
    const shared = sharedVerdict(await verifiedLines(path))
    if (shared !== null) expect(comparable(second[at]!), `${name}: ${damage}`).toEqual(shared)
  }
  expect(second.filter(({ status }) => status === 0).length).toBeGreaterThan(60)
})

test.skipIf(!hasPython)('a figure that was changed is told by both in the same words', async () => {
  const [{ name, bytes }] = readSamples().filter(each => each.name === 'example.json') as [
    { name: string; bytes: Buffer },
  ]
  const path = join(folder, name)
  writeFileSync(path, bytes.toString().replace('"251.0"', '"252.0"'))
  const [verdict] = secondVerdicts([{ path }])
  expect(verdict!.status).toBe(1)
  expect(verdict!.lines).toEqual((await verifiedLines(path)).lines)
})
