// The form calls the places of a document by its own labels, in the list of problems and in what is said about them.
import { describe, expect, test } from 'vitest'
import { checkDocument } from '../../src/core/formula/check/check.ts'
import { templates } from '../../src/core/formula/many/templates.ts'
import { allKeys } from '../../src/core/formula/schema.ts'
import { inWords, placeWords } from '../../web/pages/agreements/builder/document/place-words.ts'

describe('a place in the form', () => {
  test.each([
    ['inputs.steel.lag', 'steel: Lag'],
    ['clause.cap.yearPct', 'At most in a year'],
    ['contract.firstAdjustment', 'First adjustment'],
    ['inputs.steel.links[0].series', 'steel: Series'],
    ['contract.price.round.dp', 'Decimals'],
  ])('has words: %s', (path, words) => {
    expect(placeWords(path)).toBe(words)
  })

  test('is never a key of YAML, whichever key it is', () => {
    const paths = allKeys().map(({ path }) => path.replaceAll('*', 'steel'))
    expect(paths.filter(path => /[a-z][A-Z]|\./.test(placeWords(path).replace('steel: ', '')))).toEqual([])
  })
})

describe('what is said about it', () => {
  test('names fields by their labels and leaves out values that the form has words for', () => {
    const text = templates[0]!.write(2026).replace('cap: { periodPct: 5 }', 'cap: { yearPct: 5 }')
    const start = text.replace('frequency: ANNUAL', 'frequency: ANNUAL\n  firstAdjustment: 2020-01-01')
    const told = inWords(checkDocument(start).problems).map(({ message }) => message)
    expect(told.join('\n')).toContain('First adjustment 2020-01-01 lies before the start')
    expect(told.join('\n')).not.toMatch(/firstAdjustment|\([A-Z]{3,}\)/)
    const restart = 'write contract.restart: true if it counts from effectiveFrom'
    expect(inWords([{ path: 'contract.price.amount', message: restart }])[0]!.message).toBe(
      'write “The price was renegotiated” if it counts from “Governs from”',
    )
  })
})
