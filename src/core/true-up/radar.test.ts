import { describe, expect, test } from 'vitest'
import { listVersion } from '../../../test/support/agreements/priced-agreement.ts'
import { type Figures, figuresOf, type SignedPath, signAlong } from '../../../test/support/agreements/signed-path.ts'
import {
  agree,
  assessOn,
  billedLine,
  groundOn,
  type Settled,
  type TrueUp,
} from '../../../test/support/agreements/true-up.ts'
import { stateAfter } from '../calculation/adjustment.ts'
import { evaluate } from '../calculation/evaluate.ts'
import { otherGap } from '../calculation/gap.ts'
import { formatMinorUnits } from '../numbers/money.ts'
import { formatShort, ratio } from '../numbers/ratio.ts'
import { parseDay } from '../time/day.ts'
import { endOfDay } from '../time/instant.ts'
import { findMoves, type RadarMove } from './radar.ts'
import { restateSince } from './restate.ts'
import type { SettledCorrection } from './settled-correction.ts'

const figures: Figures = {
  '2024-03': ['2024-04-10 P 106.0', '2024-08-13 F 103.5'],
  '2024-06': ['2024-07-10 F 105.0'],
  '2024-09': ['2024-10-10 F 107.0'],
}

function document(corrections: string, clause = '{}', round = '{ dp: 2 }'): string {
  return `slug: brackets
contract: { start: 2024-01-01, frequency: QUARTERLY, price: { amount: 100, currency: EUR, unit: piece, round: ${round} } }
inputs: { index: { series: CUSTOM/index, weight: 1, base: { value: 100 }, lag: 1 month } }
clause: ${clause}
${corrections === '' ? '' : `corrections: ${corrections}\n`}`
}

function sign(text: string, changed: Figures = {}, until = '2024-07-01'): SignedPath {
  const series = [figuresOf('CUSTOM/index', { ...figures, ...changed })]
  return signAlong({ documents: [text], series, afterDays: 14, until })
}

/** The moves by publications after the end of one day and by the end of another. */
function movesBetween(
  trueUp: TrueUp,
  from: string,
  to: string,
  settled: Settled = new Map(),
  agreed: readonly SettledCorrection[] = [],
): readonly RadarMove[] {
  const { path } = trueUp
  const { agreement, covered, lines, quantities, today } = groundOn(trueUp, to, settled)
  const [since, until] = [endOfDay(parseDay(from)!), endOfDay(today)]
  const signed = path.signed.filter(({ agreedAt }) => agreedAt <= until)
  const open = (knownAt: string) =>
    evaluate({
      versions: path.versions,
      cuts: { asOf: null, knownAt },
      tag: null,
      until: today,
      today,
      after: stateAfter(signed),
    })
  const [before, after] = [open(since), open(until)]
  const known = new Set(agreement.periods.map(({ date }) => date))
  const proposed = [...before.adjustments, ...after.adjustments]
    .filter(({ date }, i, all) => !known.has(date) && all.findIndex(each => each.date === date) === i)
    .map(({ period, date }) => ({
      period,
      date,
      formulaVersion: 1,
      terms: agreement.periods[0]!.terms,
      number: { gap: otherGap('date', 'it is filled in') },
    }))
  return findMoves({
    agreement: { ...agreement, periods: [...agreement.periods, ...proposed] },
    covered,
    lines,
    quantities,
    today,
    agreed,
    versions: path.versions,
    since,
    until,
    signed: restateSince({ versions: path.versions, signed: path.signed, knownAt: until, today }, since),
    open: { before, after },
  })
}

const tell = ({ kind, period, points, priceBefore, priceAfter, amount, policy }: RadarMove) =>
  [
    kind,
    period,
    points === null ? '-' : formatShort(points, 4),
    `${priceBefore} → ${priceAfter}`,
    amount === null ? '-' : formatMinorUnits(amount, 'EUR'),
    policy,
  ].join(' ')
const tellCause = ({ series, before, after }: RadarMove['causes'][number]) =>
  `${series} ${before?.value ?? '-'} → ${after.value ?? '-'} ${after.tag}`

const lines = [billedLine('brackets', { quantity: '100', day: '2024-05-10', price: '106' })]

describe('what publications did to an agreement', () => {
  test('is the signed period that moved, with its figure, points, price and amount', () => {
    const moves = movesBetween({ path: sign(document('{ when: FINAL }')), lines }, '2024-08-12', '2024-08-20')
    expect(moves.map(tell)).toEqual(['SIGNED_MOVED 2024-Q2 -2.5 106.00 → 103.50 -250.00 DUE'])
    expect(moves[0]!.causes.map(tellCause)).toEqual(['CUSTOM/index 106.0 → 103.5 FINAL'])
  })

  test('is nothing where nothing was published', () => {
    const path = sign(document('{ when: FINAL }'))
    expect(movesBetween({ path, lines }, '2024-08-13', '2024-09-30')).toEqual([])
  })

  test('is measured from the restated number just before, not from the signed one', () => {
    const path = sign(document('{ when: EACH }'), {
      '2024-03': ['2024-04-10 P 106.0', '2024-08-13 P 103.5', '2024-08-20 F 104.0'],
    })
    expect(movesBetween({ path, lines }, '2024-08-15', '2024-08-21').map(tell)).toEqual([
      'SIGNED_MOVED 2024-Q2 0.5 103.50 → 104.00 50.00 DUE',
    ])
  })

  test('reaches periods whose own figures were not published, with the figure that moved them', () => {
    const path = sign(document('{ when: EACH }', '{ threshold: { pct: 3, test: EXCEEDS, pays: ALL } }'))
    const moves = movesBetween({ path }, '2024-08-12', '2024-08-20')
    expect(moves.map(tell)).toEqual([
      'SIGNED_MOVED 2024-Q2 -2.5 106.00 → 103.50 - DUE',
      'SIGNED_MOVED 2024-Q3 -2.5 106.00 → 103.50 - DUE',
    ])
    expect(moves[1]!.causes.map(tellCause)).toEqual(['CUSTOM/index 106.0 → 103.5 FINAL'])
  })

  test('is a period that can be computed now, one that cannot any more, and a proposal that moved', () => {
    const path = sign(document('{ when: EACH }'), { '2024-09': ['2024-10-10 P 107.0', '2024-10-20 P 108.0'] })
    const between = (from: string, to: string) => movesBetween({ path }, from, to)
    expect(between('2024-10-09', '2024-10-11').map(tell)).toEqual(['NOW_COMPUTABLE 2024-Q4 - null → 107.00 - NONE'])
    expect(between('2024-10-15', '2024-10-21').map(tell)).toEqual(['OPEN_MOVED 2024-Q4 1 107.00 → 108.00 - NONE'])
    const withdrawn = sign(document(''), {
      '2024-03': ['2024-04-10 P 106.0', '2024-08-13 F -'],
      '2024-09': ['2024-10-10 P 107.0', '2024-10-20 P -'],
    })
    const gone = movesBetween({ path: withdrawn }, '2024-08-12', '2024-08-20')
    expect(gone.map(tell)).toEqual(['NOW_BLOCKED 2024-Q2 - 106.00 → null - NO_POLICY'])
    expect(gone[0]!.causes.map(tellCause)).toEqual(['CUSTOM/index 106.0 → - null'])
    expect(movesBetween({ path: withdrawn }, '2024-10-15', '2024-10-21').map(tell)).toEqual([
      'NOW_BLOCKED 2024-Q4 - 107.00 → null - NO_POLICY',
    ])
  })

  test('is a period that is final now where the final figure is the preliminary one', () => {
    const path = sign(document('{ when: FINAL }'), { '2024-03': ['2024-04-10 P 106.0', '2024-08-13 F 106.0'] })
    const moves = movesBetween({ path, lines }, '2024-08-12', '2024-08-20')
    expect(moves.map(tell)).toEqual(['NOW_FINAL 2024-Q2 0 106.00 → 106.00 - NONE'])
    expect(moves[0]!.causes.map(tellCause)).toEqual(['CUSTOM/index 106.0 → 106.0 FINAL'])
  })

  test('is without effect if a limit or the rounding of the price leaves everything as it is', () => {
    const capped = sign(document('{ when: EACH }', '{ cap: { periodPct: 3 } }'))
    expect(movesBetween({ path: capped, lines }, '2024-08-12', '2024-08-20')[0]).toMatchObject({
      kind: 'NOW_FINAL',
      period: '2024-Q2',
    })
    const revised = { '2024-03': ['2024-04-10 F 106.0', '2024-08-13 R 103.5'] }
    const still = sign(document('{ when: EACH }', '{ cap: { periodPct: 3 } }'), revised)
    expect(movesBetween({ path: still, lines }, '2024-08-12', '2024-08-20').map(tell)).toEqual([
      'NO_EFFECT 2024-Q2 0 103.00 → 103.00 - NONE',
    ])
    const rounded = sign(document('{ when: EACH }', '{}', '{ multiple: 5 }'), revised)
    expect(movesBetween({ path: rounded, lines }, '2024-08-12', '2024-08-20').map(tell)).toEqual([
      'NO_EFFECT 2024-Q2 -2.5 105 → 105 - DUE',
    ])
  })

  test('names for each period the figures that moved it, not those of the periods before', () => {
    const both = {
      '2024-03': ['2024-04-10 P 106.0', '2024-08-13 F 103.5'],
      '2024-06': ['2024-07-10 F 105.0', '2024-08-14 R 104.0'],
    }
    for (const clause of ['{}', '{ basis: CHAINED }']) {
      const moves = movesBetween(
        { path: sign(document('{ when: EACH }', clause), both), lines },
        '2024-08-12',
        '2024-08-20',
      )
      expect(moves.map(({ period, causes }) => `${period} ${causes.map(tellCause).join()}`)).toEqual([
        '2024-Q2 CUSTOM/index 106.0 → 103.5 FINAL',
        '2024-Q3 CUSTOM/index 105.0 → 104.0 REVISED',
      ])
      const unsigned = sign(document('{ when: EACH }', clause), both, '2024-03-01')
      const open = movesBetween({ path: unsigned }, '2024-08-12', '2024-08-20')
      expect(open.map(({ kind, period, causes }) => `${kind} ${period} ${causes.map(tellCause).join()}`)).toEqual([
        'OPEN_MOVED 2024-Q2 CUSTOM/index 106.0 → 103.5 FINAL',
        'OPEN_MOVED 2024-Q3 CUSTOM/index 105.0 → 104.0 REVISED',
      ])
    }
  })

  test('says what the contract does about it', () => {
    const policyOf = (corrections: string, to = '2024-08-20', settled?: Settled) =>
      movesBetween({ path: sign(document(corrections)), lines }, '2024-08-12', to, settled).map(each => each.policy)
    expect(policyOf('')).toEqual(['NO_POLICY'])
    expect(policyOf('{ when: NONE }')).toEqual(['NONE'])
    expect(policyOf('{ when: EACH, min: { amount: 300, below: KEEP } }')).toEqual(['UNDER_MINIMUM'])
    expect(policyOf('{ when: EACH, within: { months: 1, of: PERIOD } }')).toEqual(['LAPSED'])
    // Settled already.
    const path = sign(document('{ when: EACH }'))
    const { draft } = assessOn({ path, lines }, '2024-08-20')
    expect(policyOf('{ when: EACH }', '2024-08-20', agree(draft!))).toEqual(['NONE'])
  })

  test('counts periods in which only the base of a price moved, and declared quantities', () => {
    const lists = [listVersion('item,price,currency,base,round\nA,100,EUR,2024-Q2,2\n', 1, '2024-Q2', '2024-04-01')]
    const quantities = [{ item: 'A', period: '2024-Q3', quantity: ratio('10') }]
    const path = sign(document('{ when: EACH }'))
    const moves = movesBetween({ path, lists, quantities }, '2024-08-12', '2024-08-20')
    expect(moves.map(tell)).toEqual([
      'SIGNED_MOVED 2024-Q2 -2.5 100.00 → 100.00 - DUE',
      'SIGNED_MOVED 2024-Q3 0 99.06 → 101.45 23.90 DUE',
    ])
  })
})
