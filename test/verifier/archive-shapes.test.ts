// One grammar of archives: what every program unpacks alike is read, and nothing else, with one line that says why.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { deceivingArchives, plainArchives } from '../support/files/archive-shapes.ts'
import { disagreement, hasPython, secondVerdicts } from '../support/files/second-verifier.ts'
import { verifiedLines } from '../support/files/verified-lines.ts'

const folder = mkdtempSync(join(tmpdir(), 'assize-shapes-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let count = 0
const write = (bytes: Buffer) => {
  const path = join(folder, `package-${count++}.zip`)
  writeFileSync(path, bytes)
  return path
}
const judged = (bytes: Buffer) => verifiedLines(write(bytes))

test('an archive that says everything once holds, whoever packed it', async () => {
  const [first] = plainArchives
  const { lines: sealed } = await judged(first!.bytes)
  for (const { name, bytes } of plainArchives) {
    const { status, lines } = await judged(bytes)
    // Receipts are told in the order of the archive.
    expect([status, lines.toSorted()], name).toEqual([0, sealed.toSorted()])
  }
})

test('an archive of any other shape is refused in one line', async () => {
  expect(deceivingArchives.length + plainArchives.length).toBeGreaterThanOrEqual(60)
  for (const { name, bytes } of deceivingArchives)
    expect(await judged(bytes), name).toEqual({
      status: 1,
      lines: [expect.stringMatching(/^assize: (the archive cannot be relied on: |this is not a whole ZIP archive: )/)],
    })
})

test.skipIf(!hasPython)('both verifiers read the same archives', async () => {
  const shapes = [...plainArchives, ...deceivingArchives].map(({ name, bytes }) => ({ name, path: write(bytes) }))
  const second = secondVerdicts(shapes)
  for (const [at, { name, path }] of shapes.entries())
    expect(disagreement(await verifiedLines(path), second[at]!, false), name).toBe(null)
})
