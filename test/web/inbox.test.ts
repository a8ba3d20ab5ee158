// Selecting in the inbox, what is signed together, and signing it piece by piece.
import { describe, expect, test } from 'vitest'
import type { AgreementToSign, ChangeRow, CorrectionRow, InboxRow, PeriodsRow } from '../../src/views/shapes/inbox.ts'
import { effectTotals, figuresOf, totalsOf } from '../../web/pages/agreements/sign-offs/row-figures.ts'
import { sortRows } from '../../web/pages/agreements/sign-offs/row-order.ts'
import {
  nothingSelected,
  refreshed,
  selectAll,
  sizeOf,
  stateOfAll,
  togglePeriod,
  toggleRow,
  unselectAll,
} from '../../web/pages/agreements/sign-offs/selection.ts'
import { begunRun, goOn, type Piece, piecesOf } from '../../web/pages/agreements/sign-offs/signing-run.ts'
import { formatTally, stateOfPeriods } from '../../web/pages/agreements/sign-offs/state-words.ts'

type Sketch = readonly [period: string, pct: string | null, price: string | null, effect?: string]

interface More extends Partial<PeriodsRow> {
  /** The settled price. */
  readonly settled?: string | null
}

function row(slug: string, sketches: readonly Sketch[], { settled = '10.00', ...more }: More = {}): PeriodsRow {
  return {
    kind: 'periods',
    slug,
    name: slug,
    supplier: null,
    as: 'buyer',
    currency: 'EUR',
    unit: 't',
    ground: null,
    isByCalendar: false,
    hindrance: null,
    periods: sketches.map(([period, adjustmentPct, price, effect = null], i) => ({
      period,
      date: `${period.slice(0, 4)}-01-01`,
      adjustmentPct,
      price,
      effect,
      paidEffect: effect,
      settled,
      priceBefore: i === 0 ? settled : sketches[i - 1]![2],
      changePct: adjustmentPct,
      paidPct: null,
      waitsFor: ['buyer', 'supplier'],
      isDisputed: false,
      hasMoved: false,
    })),
    ...more,
  }
}

const correction = { kind: 'correction', id: 'cor_1', slug: 'a', name: 'a', periods: 2, as: 'buyer' } as CorrectionRow

const change = { kind: 'change', id: 'spl_1', slug: 'a', name: 'a', as: 'buyer' } as ChangeRow

const three: readonly Sketch[] = [
  ['2024-Q1', '2.00', '10.20'],
  ['2024-Q2', '-5.00', '9.69', '-3.10'],
  ['2024-Q3', '0', '9.69', '-6.20'],
]
const a = row('a', three)
const b = row('b', [['2024-Q1', '2.5', '20.50', '10.00']], { settled: '20.00', unit: 'piece' })

describe('a selection', () => {
  test('is a number of the oldest periods: what is selected is signed with what comes before it', () => {
    const through = togglePeriod(nothingSelected, a, a.periods[1]!)
    expect(sizeOf(through)).toEqual({ agreements: 1, periods: 2, corrections: 0, changes: 0 })
    expect(sizeOf(togglePeriod(through, a, a.periods[0]!)).periods).toBe(0)
    expect(sizeOf(toggleRow(through, a)).periods).toBe(3)
    expect(toggleRow(toggleRow(through, a), a).size).toBe(0)
  })

  test('of all is all that the filter shows, and stays when the filter shows something else', () => {
    const all = selectAll(nothingSelected, [a, b, correction, change])
    expect(sizeOf(all)).toEqual({ agreements: 2, periods: 4, corrections: 1, changes: 1 })
    const narrowed: readonly InboxRow[] = [b]
    expect(stateOfAll(all, narrowed)).toBe('all')
    expect(sizeOf(refreshed(all, narrowed, false))).toEqual(sizeOf(all))
    expect([...unselectAll(all, new Set(['periods b'])).keys()]).toEqual([
      'periods a',
      'correction cor_1',
      'change spl_1',
    ])
    expect(stateOfAll(unselectAll(all, new Set(['periods b'])), [a, b])).toBe('some')
  })

  test('loses what was signed meanwhile, once everything is shown', () => {
    const all = selectAll(nothingSelected, [a, b])
    const rest = { ...a, periods: a.periods.slice(1) }
    expect(sizeOf(refreshed(all, [rest], true))).toEqual({ agreements: 1, periods: 2, corrections: 0, changes: 0 })
  })
})

describe('the order', () => {
  const c = row('c', [['2024-Q1', '-7.00', '9.30']], { name: 'Copper 10', currency: null })
  const named = (rows: readonly InboxRow[]) =>
    rows.map(({ slug, kind }) => (kind === 'correction' ? kind : slug)).join()
  const all = [a, b, c, { ...correction, net: '-1.00', currency: 'EUR' } as CorrectionRow]
  const by = (order?: string) => named(sortRows(all, order))

  test('is as they came, or by a column up and down; what has none of it comes last', () => {
    expect([by(), by('nothing')]).toEqual(['a,b,c,correction', 'a,b,c,correction'])
    expect([by('name'), by('-name')]).toEqual(['a,correction,b,c', 'c,b,a,correction'])
    expect([by('change'), by('-change')]).toEqual(['c,a,b,correction', 'b,a,c,correction'])
    expect([by('periods'), by('-periods')]).toEqual(['b,c,correction,a', 'a,correction,b,c'])
  })

  test('by money is exact, and within a currency and a unit only', () => {
    expect(by('-effect')).toBe('b,correction,a,c')
    const dollars = row('dollars', [['2024-Q1', '1', '99999.00', '99999.00']], { currency: 'USD' })
    expect(named(sortRows([dollars, ...all], '-effect'))).toBe('b,correction,a,dollars,c')
    expect(named(sortRows([dollars, a, b], '-price'))).toBe('b,a,dollars')
  })
})

describe('the figures', () => {
  test('of a row are those of its newest step; its money on what is paid is that of all its periods', () => {
    expect(figuresOf(a)).toEqual({
      priceBefore: '9.69',
      price: '9.69',
      changePct: '0',
      difference: '0.00',
      effect: '-6.20',
      paidEffect: '-9.30',
    })
    expect(figuresOf(row('c', [['2024-Q1', '1.5', null]], { settled: null }))).toMatchObject({
      changePct: '1.5',
      difference: null,
      effect: null,
    })
  })

  test('are added per currency and unit, never across units; money per currency', () => {
    const dollars = row('d', [['2024-Q1', '1', '10.10']], { currency: 'USD' })
    const tonnes = row('e', [['2024-Q1', '1', '10.100']])
    expect(totalsOf([a, b, dollars, tonnes])).toEqual([
      { currency: 'EUR', unit: 't', agreements: 2, difference: '0.100' },
      { currency: 'EUR', unit: 'piece', agreements: 1, difference: '0.50' },
      { currency: 'USD', unit: 't', agreements: 1, difference: '0.10' },
    ])
    expect(effectTotals([a, b, dollars])).toEqual([{ currency: 'EUR', amount: '3.80', paid: '0.70', agreements: 2 }])
  })
})

test('a row says what matters most of its periods', () => {
  const [first, ...rest] = a.periods
  const told = (change: object) => stateOfPeriods([{ ...first!, ...change }, ...rest]).words
  expect([told({}), told({ waitsFor: ['buyer'] })]).toEqual(['nobody signed', 'supplier signed 1 of 3'])
  expect([told({ hasMoved: true }), told({ isDisputed: true, hasMoved: true })]).toEqual([
    'moved since signed',
    '1 period disputed',
  ])
  expect(formatTally({ agreements: 2, periods: 1, corrections: 1, changes: 0 })).toBe(
    '1 period and 1 correction of 2 agreements wait for your signature',
  )
  expect(formatTally({ agreements: 1, periods: 0, corrections: 0, changes: 1 }, 'for others')).toBe(
    '1 change of terms of 1 agreement waits for others',
  )
  expect(formatTally({ agreements: 0, periods: 0, corrections: 0, changes: 0 })).toBeNull()
})

describe('signing many', () => {
  const toSign = (count: number, periods = 6) =>
    Array.from(
      { length: count },
      (_, n) =>
        row(
          `own-${n}`,
          Array.from({ length: periods }, (_each, i): Sketch => [`2024-${i}`, '1', '10']),
        ) as unknown as AgreementToSign,
    )
  const signAll = async (piece: Piece) => {
    const signed =
      piece.kind === 'periods'
        ? piece.agreements.map(({ slug, periods }) => ({ slug, periods: periods.length }))
        : [{ slug: 'a', periods: 1 }]
    return { signed, refused: [] }
  }

  test('goes piece by piece, every agreement once and whole, and says how far it is', async () => {
    const pieces = piecesOf([...toSign(125), ...toSign(1, 400)], [correction], [change])
    expect(pieces.every(piece => piece.kind !== 'periods' || piece.agreements.length <= 20)).toBe(true)
    const seen: number[] = []
    const run = await goOn(begunRun(pieces), {
      send: signAll,
      report: ({ done }) => seen.push(done),
      isCancelled: () => false,
    })
    expect(run).toMatchObject({ total: 1152, done: 1152, signed: 1152, signedAgreements: 126 })
    expect([run.signedCorrections, run.signedChanges]).toEqual([1, 1])
    expect([run.left, run.stopped, run.refused]).toEqual([[], null, []])
    expect(seen.length).toBeGreaterThan(10)
    expect(seen).toEqual(seen.toSorted((x, y) => x - y))
  })

  test('collects what is refused, stops where the server cannot be reached, and goes on from there', async () => {
    let sent = 0
    const failing = async (piece: Piece) => {
      sent++
      if (sent === 3) throw new Error('no connection')
      const { signed } = await signAll(piece)
      const [first, ...others] = signed
      return sent === 2
        ? { signed: others, refused: [{ slug: first!.slug, name: 'One', why: 'it has moved' }] }
        : { signed, refused: [] }
    }
    const running = { send: failing, report: () => undefined, isCancelled: () => false }
    const stopped = await goOn(begunRun(piecesOf(toSign(40), [], [])), running)
    expect([stopped.done, stopped.signed, stopped.refused.map(({ name }) => name), stopped.left.length]).toEqual([
      120,
      114,
      ['One'],
      2,
    ])
    const after = await goOn(stopped, running)
    expect([after.done, after.signed, after.left, after.stopped]).toEqual([240, 234, [], null])
  })

  test('stops after the piece that is under way if that is wanted', async () => {
    let pieces = 0
    const run = await goOn(begunRun(piecesOf(toSign(40), [], [])), {
      send: signAll,
      report: () => pieces++,
      isCancelled: () => pieces >= 1,
    })
    expect([run.done, run.left.length, String(run.stopped)]).toEqual([60, 3, 'Error: You stopped it.'])
  })
})
