import { describe, expect, it } from 'vitest'
import type { ComponentView } from '../../src/http/console/wire/formulas.ts'
import { parseSeen } from '../../web/pages/adjustment/last-seen.ts'
import { type Proposal, type SeenObservation, whatMoved, writeInstantsIn } from '../../web/pages/adjustment/moved.ts'
import { writeRounding } from '../../web/pages/adjustment/rounding-words.ts'
import { isPointsOfTheirOwn, waterfallOf } from '../../web/pages/adjustment/waterfall.ts'

const component = (name: string, contribution: string): ComponentView => ({
  input: name,
  reference: `BLS/${name}`,
  seriesId: null,
  name,
  weight: '0.35',
  changePct: '6.7',
  contribution,
})

describe('the waterfall', () => {
  const parts = {
    components: [component('steel', '3.0195'), component('labour', '-0.2901')],
    controls: [{ control: 'periodCap', words: 'the period cap', points: '-0.2294' }],
    adjustmentPct: '2.5',
  }

  it('goes from nothing to the adjustment, each part from where the one before ended', () => {
    const { bars, total, zero } = waterfallOf(parts)!
    expect(bars.map(({ label }) => label)).toEqual(['steel', 'labour', 'the period cap'])
    expect(bars[0]!.from).toBe(zero)
    expect(bars[1]!.from).toBe(bars[0]!.to)
    expect(bars[2]!.from).toBe(bars[1]!.to)
    expect([total.from, total.to]).toEqual([zero, bars[2]!.to])
    for (const { from, to } of bars) for (const place of [from, to]) expect(place >= 0 && place <= 1).toBe(true)
  })

  it('keeps the zero inside where the price falls', () => {
    const { zero, total } = waterfallOf({
      ...parts,
      components: [component('steel', '-3')],
      controls: [],
      adjustmentPct: '-3',
    })!
    expect(zero).toBeGreaterThan(total.to)
    expect(zero).toBeLessThan(1)
  })

  it('is not drawn where the parts do not add up, or there are none', () => {
    expect(waterfallOf({ ...parts, adjustmentPct: '2.51' })).toBeNull()
    expect(waterfallOf({ components: [], controls: [], adjustmentPct: '1.2' })).toBeNull()
  })

  it('is drawn where nothing moved at all', () => {
    expect(
      waterfallOf({ ...parts, components: [component('steel', '0')], controls: [], adjustmentPct: '0' }),
    ).not.toBeNull()
  })
})

describe('points', () => {
  it('are weight × change except for rounding, or are said to be more than that', () => {
    const at = (contribution: string) => ({ ...component('steel', contribution), weight: '0.35', changePct: '6.7116' })
    expect(isPointsOfTheirOwn([at('2.3491')])).toBe(false)
    expect(isPointsOfTheirOwn([at('2.3491'), at('1.1')])).toBe(true)
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

  it('is nothing under the same hash', () => {
    expect(whatMoved(seen, { ...seen, adjustmentPct: '9' }, 'EUR')).toEqual([])
  })

  it('names number, price, version and every figure, before and after', () => {
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

  it('reports a changed tag, and always says something where the hash differs', () => {
    const final = { ...seen, hash: 'b', observations: [{ ...steel, tag: 'FINAL' }] }
    expect(whatMoved(seen, final, null)).toEqual(['Steel, 2026-02: 311.2 was preliminary, is final'])
    expect(whatMoved(seen, { ...seen, hash: 'b' }, null)).toHaveLength(1)
  })
})

describe('a sentence about what moved', () => {
  it('has its instants as people write them', () => {
    const sentence = 'Steel is now 2, published 2026-11-15T06:55:42.520981Z; it was 1.'
    expect(writeInstantsIn(sentence)).toBe('Steel is now 2, published 15 Nov 2026, 06:55 UTC; it was 1.')
  })
})

describe('what was kept of the last look', () => {
  const kept = {
    at: '2026-11-01T10:00:00.000Z',
    proposal: { hash: 'a', adjustmentPct: '1', price: null, formulaVersion: 1, observations: [] },
  }

  it('is read back', () => {
    expect(parseSeen(JSON.stringify(kept))).toEqual(kept)
  })

  it('is nothing where it is not what we kept', () => {
    const broken = [
      null,
      '',
      'null',
      '[]',
      '{"at":"x"}',
      JSON.stringify({ ...kept, at: 'soon' }),
      '{"at":"2026-11-01"}',
    ]
    expect(broken.map(parseSeen)).toEqual(broken.map(() => null))
  })
})

describe('the rounding of a line', () => {
  it('is described in words', () => {
    const told = [
      ['rounded 2 dp', 'rounded to 2 decimals'],
      ['rounded 1 dp FLOOR', 'rounded to 1 decimal, down'],
      ['rounded 4 dp DOWN, shown 0 dp', 'rounded to 4 decimals, the rest cut off; shown to a whole number'],
      ['rounded to 0.05 UP', 'rounded to 0.05, away from zero'],
      ['rounded -2 dp CEILING', 'rounded to 2 places before the point, up'],
      ['something else', 'something else'],
    ] as const
    expect(told.map(([text]) => writeRounding(text))).toEqual(told.map(([, words]) => words))
  })
})
