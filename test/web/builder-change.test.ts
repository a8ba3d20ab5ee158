// What a change does: line by line to the text, to the periods, to the version; and a clause turned into its steps.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkDocument } from '../../src/core/formula/check/check.ts'
import { templates } from '../../src/core/formula/many/templates.ts'
import type { PreviewEntry } from '../../src/views/shapes/agreements.ts'
import { carryOver, diffLines, hunksOf } from '../../web/components/words/line-diff.ts'
import { openDocument, setAt, textAt } from '../../web/pages/agreements/builder/document/document.ts'
import {
  asksForYears,
  freeName,
  namesFor,
  placeOfProblem,
  renameInSteps,
  turnIntoSteps,
  whyNotSteps,
} from '../../web/pages/agreements/builder/document/steps.ts'
import { offerNames, offerYaml } from '../../web/pages/agreements/builder/editor/offers.ts'
import { pairEntries } from '../../web/pages/agreements/builder/result/entry-rows.ts'
import { outcomeOf } from '../../web/pages/agreements/builder/saving/outcome.ts'
import { entryOf, evaluateText, observations, percents } from '../support/agreements/evaluate-text.ts'

const written = (before: string, after: string) =>
  diffLines(before, after).map(({ kind, text }) => `${{ same: ' ', removed: '-', added: '+' }[kind]}${text}`)

describe('the difference of two texts', () => {
  test('names what was removed and added', () => {
    expect(written('a\nb\nc\n', 'a\nB\nc\nd\n')).toEqual([' a', '-b', '+B', ' c', '+d'])
    expect(written('', 'a\n')).toEqual(['+a'])
    expect(written('a\n', '')).toEqual(['-a'])
    expect(written('a\n', 'a\n')).toEqual([' a'])
  })

  test('counts the lines of both sides', () => {
    expect(diffLines('a\nb\n', 'x\na\n')).toEqual([
      { kind: 'added', text: 'x', before: null, after: 1 },
      { kind: 'same', text: 'a', before: 1, after: 2 },
      { kind: 'removed', text: 'b', before: 2, after: null },
    ])
  })

  test('shows places, not the whole text', () => {
    const before = Array.from({ length: 40 }, (_, i) => `line ${i}`)
    const after = before.with(3, 'three').with(30, 'thirty')
    const hunks = hunksOf(diffLines(before.join('\n'), after.join('\n')), 2)
    expect(hunks.map(hunk => hunk.length)).toEqual([6, 6])
    expect(hunksOf(diffLines('a\n', 'a\n'))).toEqual([])
  })

  const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 })

  test('restores both texts, whatever they are', () => {
    fc.assert(
      fc.property(lines, lines, (a, b) => {
        const diff = diffLines(a.join('\n'), b.join('\n'))
        const side = (left: 'removed' | 'added') =>
          diff.filter(({ kind }) => kind === 'same' || kind === left).map(({ text }) => text)
        expect(side('removed')).toEqual(a)
        expect(side('added')).toEqual(b)
      }),
    )
  })

  test('transfers a change to a text in another layout', () => {
    expect(carryOver('a\nb\nc\n', 'a   # x\nb\nc\n', 'a\nB\nc\n', true)).toBe('a   # x\nB\nc\n')
    expect(carryOver('a\nb\nc\n', 'a   # x\nb\nc\n', 'a\nB\nc\n', false)).toBe('a\nB\nc\n')
    expect(carryOver('a\nb\n', 'a  \nb\n', 'A\nb\n', true)).toBe('A\nb\n')
    fc.assert(
      fc.property(lines, lines, fc.boolean(), (base, theirs, finely) => {
        const text = (list: readonly string[]) => list.map(line => `${line}\n`).join('')
        expect(carryOver(text(base), text(base), text(theirs), finely)).toBe(text(theirs))
        expect(carryOver(text(base), text(theirs), text(base), finely)).toBe(text(theirs))
      }),
    )
  })
})

describe('periods before and after', () => {
  const entry = (period: string, pct: string, date = `${period}-01`): PreviewEntry => ({
    period,
    adjustmentDate: date,
    adjustmentPct: pct,
    cumulativePct: pct,
    factor: '1',
    price: null,
    dataVersion: 'FINAL',
    controls: [],
  })

  test('are side by side, the newest first, and say what changed', () => {
    const rows = pairEntries({
      entries: [entry('2024-02', '1'), entry('2024-03', '2'), entry('2024-04', '3')],
      before: [entry('2024-01', '9'), entry('2024-02', '1'), entry('2024-03', '2.5')],
      blocked: [{ period: '2024-05', reason: 'no value' }],
    })
    expect(rows.map(({ period, isChanged, blocked }) => [period, isChanged, blocked])).toEqual([
      ['2024-05', false, 'no value'],
      ['2024-04', true, null],
      ['2024-03', true, null],
      ['2024-02', false, null],
      ['2024-01', true, null],
    ])
  })

  test('have no change if there was nothing before', () => {
    const rows = pairEntries({ entries: [entry('2024-02', '1')], before: [], blocked: [] })
    expect(rows.map(({ isChanged }) => isChanged)).toEqual([false])
  })

  test('keep their order where the frequency changed', () => {
    const rows = pairEntries({
      entries: [entry('2024-Q2', '1', '2024-04-01'), entry('2024-Q3', '1', '2024-07-01')],
      before: [entry('2024-05', '1', '2024-05-01')],
      blocked: [{ period: '2024-Q4', reason: 'r' }],
    })
    expect(rows.map(({ period }) => period)).toEqual(['2024-Q4', '2024-Q3', '2024-05', '2024-Q2'])
  })
})

describe('what saving would do', () => {
  const text = templates[0]!.write(2026)
  const open = { isSigned: false, isReworded: false }
  const signed = { isSigned: true, isReworded: false }

  test('is recognised: a version, a description, a layout, nothing', () => {
    for (const ground of [open, signed]) {
      expect(outcomeOf(text, text, ground)).toBe('unchanged')
      expect(outcomeOf(text, setAt(text, ['clause', 'cap', 'periodPct'], '6'), ground)).toBe('new version')
      expect(outcomeOf(text, setAt(text, ['name'], 'Other'), ground)).toBe('changed')
      expect(outcomeOf(text, setAt(text, ['status'], 'ACTIVE'), ground)).toBe('changed')
      expect(outcomeOf(text, `# a comment\n${text}`, ground)).toBe('layout')
      expect(outcomeOf(text, 'slug: [', ground)).toBe('new version')
    }
  })

  test('is a proposal where the contract leaves its terms to both and both have signed a number', () => {
    const both = setAt(text, ['contract', 'change'], 'BOTH')
    const capped = setAt(both, ['clause', 'cap', 'periodPct'], '6')
    expect([outcomeOf(both, capped, open), outcomeOf(both, capped, signed)]).toEqual(['new version', 'proposed'])
    // What governs decides, not what it would become.
    expect([outcomeOf(text, both, signed), outcomeOf(both, text, signed)]).toEqual(['new version', 'proposed'])
    expect(outcomeOf(both, setAt(both, ['name'], 'Other'), signed)).toBe('changed')
  })

  test('is a version, or a proposal, where only the contract’s own words are others', () => {
    const both = setAt(text, ['contract', 'change'], 'BOTH')
    for (const saved of [text, both]) expect(outcomeOf(saved, saved, { ...open, isReworded: true })).toBe('new version')
    expect(outcomeOf(text, text, { ...signed, isReworded: true })).toBe('new version')
    expect(outcomeOf(both, both, { ...signed, isReworded: true })).toBe('proposed')
  })
})

describe('a clause turned into steps', () => {
  const clause = `
slug: brackets
contract: { start: 2023-12-01, end: 2024-12-31, frequency: QUARTERLY, price: { amount: 12.40, currency: EUR, round: { dp: 2 } } }
inputs:
  steel: { series: CUSTOM/steel, weight: 0.60, base: 2023-10, lag: 2 months }   # annex 2
  wages: { series: CUSTOM/wages, weight: 0.25, base: 2023-10, lag: 2 months }
params: { ceiling: 4 }
clause:
  fixed: 0.15
  threshold: { pct: 1.5, test: EXCEEDS, pays: ALL }
  passThrough: [{ upTo: 3, share: 1 }, { share: 0.5 }]
  cap: { periodPct: ceiling, cumulativePct: 15 }
  floor: { periodPct: -4 }
  rounding: { ratio: { dp: 6, mode: DOWN }, percent: { dp: 2 }, price: { multiple: 0.05, mode: CEILING } }
result: { show: { dp: 3 } }
`
  const values = observations({
    'CUSTOM/steel': { '2023-10': '101.3', '2024-01': '104.7', '2024-04': '118.2', '2024-07': '96.1', '2024-10': '97' },
    'CUSTOM/wages': { '2023-10': '88.8', '2024-01': '89.1', '2024-04': '90', '2024-07': '90.7', '2024-10': '91' },
  })

  test('gives the same numbers, keeps comments, and is in order', () => {
    const steps = turnIntoSteps(clause)!
    expect(checkDocument(steps).problems).toEqual([])
    expect(checkDocument(steps).formula!.clause).toBeNull()
    expect(steps).toContain('# annex 2')
    const [before, after] = [evaluateText(clause, values), evaluateText(steps, values)]
    expect(percents(before).length).toBeGreaterThan(3)
    expect(percents(after)).toEqual(percents(before))
    for (const { period } of before.adjustments)
      expect(entryOf(after, period).price).toBe(entryOf(before, period).price)
  })

  const withClause = templates.filter(({ write }) => write(2026).includes('\nclause:'))

  test.each(withClause.filter(({ write }) => whyNotSteps(write(2026)) === null))('works for $id', ({ write }) => {
    const steps = turnIntoSteps(write(2026))!
    expect(checkDocument(steps).problems).toEqual([])
    expect(turnIntoSteps(steps)).toBeNull()
  })

  test.each([
    ['carried forward', 'floor: { periodPct: -4 }', 'floor: { periodPct: -4, carryForward: true }\n  basis: CHAINED'],
    ['rounded since the base', 'percent: { dp: 2 },', 'total: { dp: 1 },'],
    ['not rounded in the price', 'price: { multiple: 0.05, mode: CEILING }', 'price: NONE'],
    ['with a threshold that returns', 'pays: ALL }', 'pays: ALL, since: BASE, inside: RETURN }'],
    ['with a limit of the contract’s year', 'floor: { periodPct: -4 }', 'floor: { yearPct: -3, year: CONTRACT }'],
    ['with a limit of the calendar’s year', 'floor: { periodPct: -4 }', 'floor: { yearPct: -3, year: CALENDAR }'],
    ['with dated weights', '0.60, base', 'w, base'],
  ])('gives the same numbers %s', (_, from, to) => {
    expect(clause).toContain(from)
    const text = clause
      .replace(from, to)
      .replace('params: { ceiling: 4 }', 'params: { ceiling: 4, w: [{ from: 2020-01-01, value: 0.60 }] }')
    const steps = turnIntoSteps(text)!
    expect(checkDocument(steps).problems).toEqual([])
    const [before, after] = [evaluateText(text, values), evaluateText(steps, values)]
    expect(percents(before).length).toBeGreaterThan(3)
    expect(percents(after)).toEqual(percents(before))
    for (const { period } of before.adjustments)
      expect(entryOf(after, period).price).toBe(entryOf(before, period).price)
  })

  test('is not done to a limit of the twelve months before, and says why', () => {
    const yearly = clause.replace('floor: { periodPct: -4 }', 'floor: { yearPct: -4, year: ROLLING }')
    expect(checkDocument(yearly).problems).toEqual([])
    expect(turnIntoSteps(yearly)).toBeNull()
    expect(whyNotSteps(yearly)).toContain('a step only knows the period before')
    expect(whyNotSteps(clause)).toBeNull()
    expect([asksForYears(yearly), asksForYears(clause)]).toEqual([true, false])
  })

  test('is not done to a document with problems', () => {
    expect(turnIntoSteps(clause.replace('0.60', '0.61'))).toBeNull()
  })
})

describe('names in expressions', () => {
  const text = templates.find(({ id }) => id === 'nec-x1')!.write(2026)
  const root = openDocument(text).root

  test('offers inputs with their parts, earlier steps, calls and known names', () => {
    const labels = namesFor(root, 2).map(({ label }) => label)
    for (const name of [
      'labour',
      'labour.base',
      'labour.prev',
      'labour.last',
      'steel_part',
      'price',
      'daysInYear',
      'min',
      'pow',
    ])
      expect(labels).toContain(name)
    expect(labels).not.toContain('paf')
    expect(labels).not.toContain('factor')
    expect(offerNames(namesFor(root, 0), '0.4 * lab', 9)).toMatchObject({ word: 'lab', from: 6 })
    expect(offerNames(namesFor(root, 0), '0.4', 3)).toBeNull()
  })

  test('offers keys, values, series and names in the document', () => {
    const document = openDocument(text)
    const offered = (place: string) => {
      const offer = offerYaml(document, [{ provider: 'BLS', code: 'X', name: 'N' } as never], place, place.length)
      return offer?.words.map(({ label }) => label) ?? []
    }
    expect(offered('contract:\n  fr')).toContain('frequency')
    expect(offered('contract:\n  frequency: ')).toContain('QUARTERLY')
    expect(offered('inputs:\n  a:\n    series: ')).toEqual(['BLS/X'])
    expect(offered('result:\n  step: ')).toEqual(['labour_part', 'steel_part', 'paf', 'factor'])
    expect(offered('steps:\n  - expr: la')).toContain('labour.base')
    expect(offered('# fr')).toEqual([])
  })

  test('renames only whole names', () => {
    const renamed = openDocument(renameInSteps(text, 'labour', 'wages')).root
    expect(textAt(renamed, ['steps', 0, 'expr'])).toBe('0.40 * (wages - wages.base) / wages.base')
    expect(textAt(renamed, ['steps', 2, 'expr'])).toBe('sum(labour_part, steel_part)')
    expect(renameInSteps(text, 'nobody', 'x')).toBe(text)
  })

  test('finds a name that is free and the character a problem names', () => {
    expect(freeName(['line', 'line_2'], 'line')).toBe('line_3')
    expect(freeName([], 'line')).toBe('line')
    const problem = (message: string) => ({ path: 'steps[0].expr', message, line: 3 })
    expect(placeOfProblem({ ...problem('unknown name "x", at character 7'), at: 7 })).toEqual({
      at: 6,
      words: 'unknown name "x"',
    })
    expect(placeOfProblem(problem('the expression is empty'))).toEqual({ at: null, words: 'the expression is empty' })
  })
})
