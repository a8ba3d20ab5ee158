// docs/SECURITY.md says for every threat and every fault which tests show it, and names the tests of attacks that once worked:
// they exist, under these names.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { longPlaces } from './support/run/long-places.ts'

const root = join(import.meta.dirname, '..')
const text = readFileSync(join(root, 'docs/SECURITY.md'), 'utf8')
const shown = text.slice(text.indexOf('\n## Shown by\n'), text.indexOf('\n## What it does not protect against\n'))

/** The cells of the rows of the tables of a text. */
const rowsOf = (part: string) =>
  part.split('\n').flatMap(line => (/^\| (?!# |Attack )/.test(line) ? [cellsOf(line)] : []))
const cellsOf = (line: string) =>
  line
    .slice(1, -1)
    .split('|')
    .map(cell => cell.trim())

const filesIn = (cell: string) => [...cell.matchAll(/`((?:test|src)\/[^`]+\.test\.ts)`/g)].map(([, file]) => file!)
const numbered = (letter: string, most: number) => Array.from({ length: most }, (_, i) => `${letter}${i + 1}`)
const named = (letter: string, rows: readonly (readonly string[])[]) =>
  rows.flatMap(([first]) => (first!.startsWith(letter) ? first!.split(', ') : []))

const threats = numbered('T', 52)

describe('docs/SECURITY.md', () => {
  const rows = rowsOf(shown)

  test('says for each threat where it is countered and which tests show it, and for each fault how it is run', () => {
    const held = rowsOf(text.slice(0, text.indexOf('\n## Shown by\n')))
    expect(named('T', held)).toEqual(threats)
    expect(named('T', rows)).toEqual(threats)
    expect(named('F', rows)).toEqual(numbered('F', 37))
    for (const cells of rows) expect(filesIn(cells.at(-1)!).length, cells[0]).toBeGreaterThan(0)
  })

  test('names tests that exist', () => {
    const missing = rows.flatMap(cells => filesIn(cells.at(-1)!)).filter(file => !existsSync(join(root, file)))
    expect(missing).toEqual([])
  })

  test('names long forms that exist, and all of them', () => {
    const known = longPlaces().flatMap(({ form, what }) => (/^F\d/.test(what) ? [form] : []))
    const told = rows.flatMap(([first, , , last]) =>
      /^F\d/.test(first!) ? [...last!.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name!) : [],
    )
    expect(told.sort()).toEqual([...new Set(known)].sort())
  })

  test('names the test of every attack that once worked by its current name', () => {
    const attacks = rowsOf(shown.slice(shown.indexOf('\n| Attack |')))
    expect(attacks).toHaveLength(52)
    const wrong = attacks.flatMap(([, tests]) =>
      tests!.split('; ').filter(each => {
        const [, file, name] = /^`([^`]+)`: (.+)$/.exec(each) ?? []
        return file === undefined || !readFileSync(join(root, file), 'utf8').includes(name!)
      }),
    )
    expect(wrong).toEqual([])
  })
})
