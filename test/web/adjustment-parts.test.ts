import { describe, expect, test } from 'vitest'
import type { ComponentView } from '../../src/views/shapes/agreements.ts'
import { formatRounding } from '../../web/components/calculation/rounding-words.ts'
import { hasBoth, partsSince, waterfallOf } from '../../web/components/calculation/waterfall.ts'
import {
  formatInstantsIn,
  type Proposal,
  type SeenObservation,
  whatMoved,
} from '../../web/pages/agreements/adjustment/changed-proposal.ts'

const component = (name: string, contribution: string): ComponentView => ({
  input: name,
  reference: `BLS/${name}`,
  seriesId: null,
  name,
  weight: '0.35',
  changePct: '6.7',
  contribution,
  since: null,
})

describe('the waterfall', () => {
  const parts = {
    components: [component('steel', '3.0195'), component('labour', '-0.2901')],
    controls: [{ control: 'periodCap', words: 'the period cap', points: '-0.2294' }],
    adjustmentPct: '2.5',
  }

  test('goes from nothing to the adjustment, each part from where the one before ended', () => {
    const { bars, total, zero } = waterfallOf(parts)!
    expect(bars.map(({ label }) => label)).toEqual(['steel', 'labour', 'the period cap'])
    expect(bars[0]!.from).toBe(zero)
    expect(bars[1]!.from).toBe(bars[0]!.to)
    expect(bars[2]!.from).toBe(bars[1]!.to)
    expect([total.from, total.to]).toEqual([zero, bars[2]!.to])
    for (const { from, to } of bars) for (const place of [from, to]) expect(place >= 0 && place <= 1).toBe(true)
  })

  test('keeps the zero inside where the price falls', () => {
    const { zero, total } = waterfallOf({
      ...parts,
      components: [component('steel', '-3')],
      controls: [],
      adjustmentPct: '-3',
    })!
    expect(zero).toBeGreaterThan(total.to)
    expect(zero).toBeLessThan(1)
  })

  test('is not drawn where the parts do not add up, or there are none', () => {
    expect(waterfallOf({ ...parts, adjustmentPct: '2.51' })).toBeNull()
    expect(waterfallOf({ components: [], controls: [], adjustmentPct: '1.2' })).toBeNull()
  })

  test('is drawn where nothing moved at all', () => {
    expect(
      waterfallOf({ ...parts, components: [component('steel', '0')], controls: [], adjustmentPct: '0' }),
    ).not.toBeNull()
  })
})

describe('parts measured from one reading', () => {
  const parts = {
    components: [
      {
        ...component('steel', '2.34'),
        weight: '0.45',
        changePct: '19.87',
        since: { lastPct: '4.8', basePoints: '8.9415' },
      },
      {
        ...component('labour', '0.22'),
        weight: '0.25',
        changePct: '4.97',
        since: { lastPct: '0.9', basePoints: '1.2425' },
      },
    ],
    controls: [{ control: 'rounding', words: 'rounding', points: '-0.06' }],
    adjustmentPct: '2.5',
  }

  test('have the change since the last adjustment next to its points', () => {
    const { components, controls, adjustmentPct } = partsSince('last', parts, '10.1')
    expect(components.map(({ changePct, contribution }) => [changePct, contribution])).toEqual([
      ['4.8', '2.34'],
      ['0.9', '0.22'],
    ])
    expect([controls, adjustmentPct]).toEqual([parts.controls, '2.5'])
  })

  test('have weight × change since the base, and one part for what is left of the sum since the start', () => {
    const since = partsSince('base', parts, '10.1')
    expect(since.components.map(({ changePct, contribution }) => [changePct, contribution])).toEqual([
      ['19.87', '8.9415'],
      ['4.97', '1.2425'],
    ])
    expect(since.controls.map(({ points }) => points)).toEqual(['-0.0840'])
    expect(waterfallOf(since, 'Since the start')!.total).toMatchObject({ label: 'Since the start', points: '10.1' })
  })

  test('are left as they are where there is only one reading to measure from', () => {
    const first = { ...parts, components: [component('steel', '2.5')] }
    expect(hasBoth(first.components)).toBe(false)
    expect(partsSince('base', first, '2.5')).toBe(first)
  })
})

describe('what moved', () => {
  const steel: SeenObservation = {
    input: 'steel',
    reference: 'BLS/WPU101',
    name: 'Steel',
    period: '2026-02',
    value: '311.2',
    tag: 'PRELIMINARY',
  }
  const seen: Proposal = {
    hash: 'a',
    adjustmentPct: '1.8',
    price: '13.01',
    formulaVersion: 1,
    observations: [steel],
  }

  test('is nothing under the same hash', () => {
    expect(whatMoved(seen, { ...seen, adjustmentPct: '9' }, 'EUR')).toEqual([])
  })

  test('names number, price, version and every figure, before and after', () => {
    const now: Proposal = {
      hash: 'b',
      adjustmentPct: '-1.83',
      price: '13.02',
      formulaVersion: 2,
      observations: [
        { ...steel, value: '312.0', tag: 'FINAL' },
        { ...steel, period: '2026-03' },
      ],
    }
    expect(whatMoved(seen, now, 'EUR')).toEqual([
      'The adjustment: +1.8\u202f% → −1.83\u202f%',
      'The price: 13.01\u00a0EUR → 13.02\u00a0EUR',
      'The formula’s version: 1 → 2',
      'Steel, 2026-02: 311.2 → 312.0 (final)',
      'Steel, 2026-03, is now read: 311.2 (preliminary)',
    ])
    expect(whatMoved(now, seen, 'EUR')).toContain('Steel, 2026-03, is no longer read')
  })

  test('reports a changed tag, and always says something where the hash differs', () => {
    const final = { ...seen, hash: 'b', observations: [{ ...steel, tag: 'FINAL' }] }
    expect(whatMoved(seen, final, null)).toEqual(['Steel, 2026-02: 311.2 was preliminary, is final'])
    expect(whatMoved(seen, { ...seen, hash: 'b' }, null)).toHaveLength(1)
  })
})

describe('a sentence about what moved', () => {
  test('has its instants as people write them', () => {
    const sentence = 'Steel is now 2, published 2026-11-15T06:55:42.520981Z; it was 1.'
    expect(formatInstantsIn(sentence)).toBe('Steel is now 2, published 15 Nov 2026, 06:55\u00a0UTC; it was 1.')
  })
})

describe('the rounding of a line', () => {
  test('is described in words', () => {
    const told = [
      ['rounded 2 dp', 'rounded to 2 decimals'],
      ['rounded 1 dp FLOOR', 'rounded to 1 decimal, down'],
      ['rounded 4 dp DOWN, shown 0 dp', 'rounded to 4 decimals, the rest cut off; shown to a whole number'],
      ['rounded to 0.05 UP', 'rounded to 0.05, away from zero'],
      ['rounded -2 dp CEILING', 'rounded to 2 places before the point, up'],
      ['something else', 'something else'],
    ] as const
    expect(told.map(([text]) => formatRounding(text))).toEqual(told.map(([, words]) => words))
  })
})
