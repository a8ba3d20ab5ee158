// Whoever makes a file writes names into it. None of them is a line of the verdict, hides one, or commands the terminal: in both
// verifiers, in what holds, in what is refused, and in what programs read.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { visibleText } from '../../src/core/text/foreign-text.ts'
import {
  type ForeignFile,
  foreignPackages,
  foreignReceipts,
  foreignSlips,
  foreignText,
  forgedLine,
  slipKey,
} from '../support/files/foreign-fields.ts'
import { hasPython, secondOutputs } from '../support/files/second-verifier.ts'
import { runCommand } from '../support/houses/command-house.ts'
import { someOf } from '../support/run/long-form.ts'

const folder = mkdtempSync(join(tmpdir(), 'assize-foreign-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** One in so many in the suite, from both ends of each file; an odd number, because every second file was sealed again. */
const all: readonly ForeignFile[] = [
  ...someOf('packages', 'fields with foreign signs, of receipts', [...foreignReceipts()], { oneIn: 13 }),
  ...someOf('packages', 'fields with foreign signs, of packages', [...foreignPackages()], { oneIn: 3 }),
  ...foreignSlips(),
]
const asked = all.map(({ name, bytes }, at) => {
  const path = join(folder, `${at}-${name}`)
  writeFileSync(path, bytes)
  return { path, words: name === 'slip.txt' ? ['--log-key', slipKey] : [] }
})

const lineOfTheirs = new RegExp(`^${forgedLine}`, 'm')

function expectVisible(output: string, what: string): void {
  const lines = output.split('\n')
  for (const line of lines) expect(line, what).toBe(visibleText(line))
  expect(output, what).not.toMatch(lineOfTheirs)
}

describe('a text of the maker of a file', () => {
  test('is one line of the verdict at most, and shows every sign, to people and in JSON', async () => {
    const escaped: string[] = []
    for (const [at, { path, words }] of asked.entries())
      for (const json of [[], ['--json']]) {
        const { status, out, err } = await runCommand(['verify', path, ...words, ...json], {})
        expect([0, 1], err).toContain(status)
        for (const output of [out, err]) expectVisible(output, all[at]!.what)
        if (err.includes(visibleText(foreignText).slice(0, 40)) || out.includes('\\u{202e}')) escaped.push(path)
      }
    // Many of them are told.
    expect(escaped.length).toBeGreaterThan(asked.length / 5)
  })

  test.skipIf(!hasPython)('is the same in the second verifier', () => {
    for (const [at, output] of secondOutputs(asked).entries()) expectVisible(output, all[at]!.what)
  })

  test('is not the name of the file either, nor an option', async () => {
    const path = join(folder, `a\n${forgedLine}\u001b[8m.json`)
    writeFileSync(path, '{}')
    for (const words of [
      [path],
      [`${path}.gone`],
      ['--trust', path, path],
      [`--${foreignText}`],
      [path, '--kept', path],
    ]) {
      const { status, out, err } = await runCommand(['verify', ...words], {})
      expect(status).toBeGreaterThan(0)
      for (const output of [out, err]) expectVisible(output, words.join(' '))
    }
    if (!hasPython) return
    for (const output of secondOutputs([{ path }, { path: `${path}.gone` }])) expectVisible(output, path)
  })
})
