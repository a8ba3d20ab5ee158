// Receipts with signatures and objections, corrections, changes of terms and packages that were made once: `verify` says about each of
// them forever what is written beside it, and so does every other verifier. And what it says about damaged ones.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { canonicalJson, type Json } from '../../src/core/text/canonical-json.ts'
import { damagedSamples, readSamples } from '../support/files/damaged-samples.ts'
import { verifiedLines, writeLines } from '../support/files/verified-lines.ts'

const folder = fileURLToPath(new URL('./samples/', import.meta.url))
const own = mkdtempSync(join(tmpdir(), 'assize-samples-'))
afterAll(() => rmSync(own, { recursive: true, force: true }))

const samples = new Map(readSamples().map(({ name, bytes }) => [name, bytes]))
const kept = [...samples.keys()].filter(name =>
  /^(?:signed|refused|different|other|objected|correction|splice|amendment|package)/.test(name),
)

describe('the samples', () => {
  test('are of every kind of file that verify reads', () => {
    for (const kind of ['signed-', 'objected', 'correction-', 'splice-', 'amendment-', 'package-'])
      expect(
        kept.some(name => name.startsWith(kind)),
        kind,
      ).toBe(true)
  })

  test.each(kept)('%s is told as it was', async name => {
    const lines = readFileSync(`${folder}${name.replace(/\.\w+$/, '.lines')}`, 'utf8')
    expect(writeLines(await verifiedLines(`${folder}${name}`))).toBe(lines)
  })
})

describe('a damaged sample', () => {
  test('is never told as the whole one: it is refused, or says what was changed', async () => {
    const told = new Map<string, string>()
    for (const { name, bytes, damage } of damagedSamples(120)) {
      const path = join(own, name)
      writeFileSync(path, bytes)
      const { status, lines } = await verifiedLines(path)
      expect(lines, `${name}: ${damage}`).not.toEqual([])
      told.set(name, damage)
      if (status !== 0) continue
      // Only what means the same, or what somebody with the key of the samples sealed again, is the same.
      const whole = samples.get(name.slice('00000-'.length))!
      const isSame = meaningOf(bytes) === meaningOf(whole)
      expect(isSame || damage.endsWith('sealed again') || isUnread(damage), `${name}: ${damage}`).toBe(true)
    }
    expect(told.size).toBe(120)
  })
})

/** An archive has bytes that say nothing. */
function isUnread(damage: string): boolean {
  return /^bit \d of byte \d+ flipped$/.test(damage)
}

function meaningOf(bytes: Buffer): string {
  try {
    return canonicalJson(JSON.parse(bytes.toString()) as Json)
  } catch {
    return bytes.toString('latin1')
  }
}
