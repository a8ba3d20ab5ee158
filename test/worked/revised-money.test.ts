// What revisions move, with money computed by hand: several figures at once, corrections agreed in between, a policy that
// changes, figures that are withdrawn. 100 EUR the piece, 100 pieces a quarter, so one point of the factor is 100.00.
import { describe, expect, test } from 'vitest'
import { formatMinorUnits } from '../../src/core/numbers/money.ts'
import { formatShort, type Ratio } from '../../src/core/numbers/ratio.ts'
import { draftByHand } from '../../src/core/true-up/correction.ts'
import { AgreementLife } from '../support/agreements/agreement-life.ts'
import { type Figures, figuresOf } from '../support/agreements/signed-path.ts'
import { billedLine } from '../support/agreements/true-up.ts'

const clean: Figures = {
  '2024-03': ['2024-04-10 P 106.0'],
  '2024-06': ['2024-07-10 F 105.0'],
  '2024-09': ['2024-10-10 F 107.0'],
  '2024-12': ['2025-01-10 F 108.0'],
}

function document(corrections: string, clause = '{}', more = ''): string {
  return `slug: brackets
contract: { start: 2024-01-01, frequency: QUARTERLY, price: { amount: 100, currency: EUR, unit: piece, round: { dp: 2 } } }
inputs: { index: { series: CUSTOM/index, weight: 1, base: { value: 100 }, lag: 1 month } }
clause: ${clause}
${corrections === '' ? '' : `corrections: ${corrections}\n`}${more}`
}

const lines = ['2024-05-10', '2024-08-10', '2024-11-10', '2025-02-10'].map((day, i) =>
  billedLine('brackets', { line: `${i}`, quantity: '100', day, price: '100' }),
)

function live(documents: string | readonly string[], changed: Figures, knownFrom: readonly (string | null)[] = []) {
  const series = [figuresOf('CUSTOM/index', { ...clean, ...changed })]
  return new AgreementLife({ documents: [documents].flat(), knownFrom, series, lines })
}

const money = (amount: Ratio | null | undefined) => (amount == null ? null : formatMinorUnits(amount, 'EUR'))

/** Each period that moved: its state and the figures behind it. */
function moved(life: AgreementLife, day: string): string[] {
  return life.assess(day).moved.map(({ restated: { signed, causes }, state }) => {
    const figures = causes.map(({ before, after }) => `${before?.value ?? 'none'} → ${after.value}`)
    return `${signed.period} ${state}: ${figures.join(', ')}`
  })
}

const factor = (each: { readonly factor: Ratio }) => formatShort(each.factor, 5)

describe('a figure that moved an earlier period alone', () => {
  const revised = {
    '2024-03': ['2024-04-10 P 106.0', '2026-10-01 R 103.5'],
    '2024-06': ['2024-07-10 F 105.0', '2026-03-01 R 104.0'],
  }

  test.each(['{}', '{ basis: CHAINED }'])('is no cause of the next, which lapses by its own figure: %s', clause => {
    const life = live(document('{ when: EACH, within: { months: 6, of: PUBLICATION } }', clause), revised)
    life.sign('2024-04-15')
    life.sign('2024-07-15')
    expect(moved(life, '2026-10-15')).toEqual(['2024-Q2 DUE: 106.0 → 103.5', '2024-Q3 LAPSED: 105.0 → 104.0'])
    const { draft, open } = life.assess('2026-10-15')
    // 100 × (103.50 − 106.00); 100 × (104.00 − 105.00)
    expect([money(draft!.net), money(open.due), money(open.lapsed)]).toEqual(['-250.00', '-250.00', '-100.00'])
  })

  test('is a cause where the state it changed makes another number of it', () => {
    const held = '{ threshold: { pct: 3, test: EXCEEDS, pays: ALL } }'
    const life = live(document('{ when: EACH, within: { months: 6, of: PUBLICATION } }', held), revised)
    // 106.0 is applied; 105.0 is within 3 % of it, so it stays. Then 103.5 is applied, and 104.0 is within 3 % of that.
    expect([life.sign('2024-04-15'), life.sign('2024-07-15')].map(factor)).toEqual(['1.06', '1.06'])
    expect(moved(life, '2026-10-15')).toEqual([
      '2024-Q2 DUE: 106.0 → 103.5',
      '2024-Q3 DUE: 106.0 → 103.5, 105.0 → 104.0',
    ])
    expect(money(life.assess('2026-10-15').draft!.net)).toBe('-500.00')
  })
})

describe('a period that was signed after an agreed correction with REBASE', () => {
  const capped = '{ basis: CHAINED, cap: { periodPct: 4 } }'
  const march = { '2024-03': ['2024-04-10 P 106.0', '2024-08-13 F 103.5'] }

  /** Q2 and Q3 are corrected, Q4 is signed from the restated state: 1.05 × 107 ÷ 105. */
  function corrected(documents: readonly string[], changed: Figures, knownFrom: readonly (string | null)[] = []) {
    const life = live(documents, changed, knownFrom)
    expect([life.sign('2024-04-15'), life.sign('2024-07-15')].map(factor)).toEqual(['1.04', '1.03019'])
    // 100 × (103.50 − 104.00) + 100 × (105.00 − 103.02)
    expect(money(life.agree('2024-09-01')!.net)).toBe('148.00')
    expect(factor(life.sign('2024-10-15'))).toBe('1.07')
    return life
  }
  const rebase = document('{ when: EACH, level: REBASE }', capped)
  const heal = document('{ when: EACH, level: HEAL }', capped)

  test('stays as it is when the policy becomes HEAL', () => {
    const life = corrected([rebase, heal], march, [null, '2024-12-01'])
    expect(life.assess('2024-12-02')).toMatchObject({ moved: [], draft: null })
  })

  test('stays as it is when a figure of an earlier period is withdrawn', () => {
    const withdrawn = { ...march, '2024-06': ['2024-07-10 F 105.0', '2024-12-01 F -'] }
    for (const documents of [[rebase], [rebase, heal]]) {
      const life = corrected(documents, withdrawn, [null, '2024-12-01'])
      expect(life.assess('2024-12-02')).toMatchObject({ moved: [], draft: null })
    }
  })

  test('stays as it was corrected, if it was signed before the correction', () => {
    const withdrawn = { ...march, '2024-06': ['2024-07-10 F 105.0', '2025-03-01 F -'] }
    for (const [documents, changed] of [
      [[rebase], withdrawn],
      [[rebase, heal], march],
      [[rebase, heal], withdrawn],
    ] as const) {
      const life = live(documents, changed, [null, '2025-02-01'])
      expect([life.sign('2024-04-15'), life.sign('2024-07-15'), life.sign('2024-10-15')].map(factor)).toEqual([
        '1.04',
        '1.03019',
        '1.04981',
      ])
      // 148.00 as above, and 100 × (107.00 − 104.98)
      expect(money(life.agree('2024-12-01')!.net)).toBe('350.00')
      expect(life.assess('2025-03-02')).toMatchObject({ moved: [], draft: null })
    }
  })

  test('moves by its own figure from the state its receipt went on from', () => {
    const september = { ...march, '2024-09': ['2024-10-10 F 107.0', '2025-02-10 R 106.0'] }
    const life = corrected([rebase, heal], september, [null, '2024-12-01'])
    // 1.05 × 106 ÷ 105 = 1.06: 100 × (106.00 − 107.00)
    expect(moved(life, '2025-02-11')).toEqual(['2024-Q4 DUE: 107.0 → 106.0'])
    expect(money(life.assess('2025-02-11').draft!.net)).toBe('-100.00')
  })

  test('leaves unsigned periods at the settled state when the newest period cannot be restated', () => {
    const withdrawn = {
      '2024-03': ['2024-04-10 P 106.0', '2024-08-13 F 103.5', '2024-09-20 R 103.0'],
      '2024-06': ['2024-07-10 F 105.0', '2024-09-10 F -'],
    }
    const life = live([rebase], withdrawn)
    life.sign('2024-04-15')
    life.sign('2024-07-15')
    life.agree('2024-09-01')
    // Q2 alone: 100 × (103.00 − 103.50); Q3 stands at 1.05 without June
    expect(money(life.agree('2024-09-21')!.net)).toBe('-50.00')
    expect(factor(life.sign('2024-10-15'))).toBe('1.07')
  })
})

describe('a cause after an agreed correction', () => {
  const within = '{ when: EACH, within: { months: 6, of: PUBLICATION } }'

  test('begins at the figure that is settled, and the limit counts from it', () => {
    const life = live(document(within), {
      '2024-03': ['2024-04-10 P 106.0', '2024-08-13 F 103.5', '2024-11-05 R 106.0'],
    })
    life.sign('2024-04-15')
    expect(money(life.agree('2024-09-01')!.net)).toBe('-250.00')
    expect(moved(life, '2025-05-05')).toEqual(['2024-Q2 DUE: 103.5 → 106.0'])
    expect(money(life.assess('2025-05-05').draft!.net)).toBe('250.00')
    expect(moved(life, '2025-05-06')).toEqual(['2024-Q2 LAPSED: 103.5 → 106.0'])
    expect(money(life.assess('2025-05-06').open.lapsed)).toBe('250.00')
  })

  test('names the next revision from there', () => {
    const life = live(document(within), {
      '2024-03': ['2024-04-10 P 106.0', '2024-08-13 F 103.5', '2024-11-05 R 103.1'],
    })
    life.sign('2024-04-15')
    life.agree('2024-09-01')
    expect(moved(life, '2024-11-06')).toEqual(['2024-Q2 DUE: 103.5 → 103.1'])
    expect(money(life.assess('2024-11-06').draft!.net)).toBe('-40.00')
  })

  test('is measured for each period from what that period is settled at', () => {
    // June stays preliminary at first: with FINAL only Q2 is corrected, and Q3 still stands at 106.0.
    const held = '{ threshold: { pct: 3, test: EXCEEDS, pays: ALL } }'
    const policy = '{ when: FINAL, within: { months: 6, of: PUBLICATION } }'
    const life = live(document(policy, held), {
      '2024-03': ['2024-04-10 P 106.0', '2024-08-13 F 103.5'],
      '2024-06': ['2024-07-10 P 105.0', '2025-01-20 F 105.0'],
    })
    life.sign('2024-04-15')
    life.sign('2024-07-15')
    expect(money(life.agree('2024-09-01')!.net)).toBe('-250.00')
    expect(moved(life, '2025-01-25')).toEqual(['2024-Q3 DUE: 106.0 → 103.5'])
    expect(money(life.assess('2025-01-25').draft!.net)).toBe('-250.00')
    expect(moved(life, '2025-02-14')).toEqual(['2024-Q3 LAPSED: 106.0 → 103.5'])
  })

  test('has the figure that the correction restated, also of a period that it did not cover', () => {
    // Q2 is too old to be corrected; Q3 is held at 1.035 and later at 1.045.
    const held = '{ threshold: { pct: 3, test: EXCEEDS, pays: ALL } }'
    const life = live(document('{ when: EACH, within: { months: 5, of: PERIOD } }', held), {
      '2024-03': ['2024-04-10 P 106.0', '2024-09-05 F 103.5', '2024-11-05 R 104.5'],
    })
    life.sign('2024-04-15')
    life.sign('2024-07-15')
    expect(money(life.agree('2024-09-10')!.net)).toBe('-250.00')
    expect(moved(life, '2024-11-06')).toEqual(['2024-Q2 LAPSED: 106.0 → 104.5', '2024-Q3 DUE: 103.5 → 104.5'])
    expect(money(life.assess('2024-11-06').draft!.net)).toBe('100.00')
  })
})

describe('a boundary', () => {
  const capped = '{ basis: CHAINED, cap: { periodPct: 4 } }'
  /** 104.5 is known when Q3 is signed, 103.5 only afterwards. */
  const march = ['2024-04-10 F 106.0', '2024-07-12 R 104.5', '2024-09-10 F 103.5']

  function signed(policy: string) {
    const life = live(document(policy, capped), { '2024-03': march })
    expect([life.sign('2024-04-15'), life.sign('2024-07-15')].map(factor)).toEqual(['1.04', '1.03019'])
    return life
  }

  test('compares what FINAL read then: a revised figure that it does not read made nobody a knower', () => {
    const life = signed('{ when: FINAL, level: HEAL }')
    expect(moved(life, '2024-09-01')).toEqual([])
    // 100 × (103.50 − 104.00) and 100 × (105.00 − 103.02)
    expect(moved(life, '2024-09-11')).toEqual(['2024-Q2 DUE: 106.0 → 103.5', '2024-Q3 DUE: 106.0 → 103.5'])
    expect(money(life.assess('2024-09-11').draft!.net)).toBe('148.00')
  })

  test.each([['{ when: EACH, level: HEAL }'], ['{ when: YEARLY, day: 09-30, level: HEAL }']])(
    'counts what was known with %s',
    policy => {
      const life = signed(policy)
      // With 104.5 the cap holds too, but the figure it goes on from has changed: Q3 was signed knowing of it.
      expect(moved(life, '2024-10-01')).toEqual(['2024-Q2 DUE: 106.0 → 103.5'])
      expect(money(life.assess('2024-10-01').draft!.net)).toBe('-50.00')
    },
  )
})

describe('a proposal by hand', () => {
  test('leaves out what has lapsed, and there is none where all of it has', () => {
    const revised = {
      '2024-03': ['2024-04-10 P 106.0', '2026-10-01 R 103.5'],
      '2024-06': ['2024-07-10 F 105.0', '2026-03-01 R 104.0'],
    }
    const life = live(document('{ when: FINAL, within: { months: 6, of: PUBLICATION } }'), revised)
    life.sign('2024-04-15')
    life.sign('2024-07-15')
    expect(money(draftByHand(life.ground('2026-10-15'))!.net)).toBe('-250.00')
    expect(draftByHand(life.ground('2027-04-02'))).toBeNull()
  })

  test('leaves out lines whose own limit is over', () => {
    const late = billedLine('brackets', { line: '9', quantity: '10', day: '2024-06-20', price: '106' })
    const life = new AgreementLife({
      documents: [document('{ when: NONE, within: { months: 5, of: INVOICE } }')],
      series: [figuresOf('CUSTOM/index', { ...clean, '2024-03': ['2024-04-10 P 106.0', '2024-08-13 F 103.5'] })],
      lines: [lines[0]!, late],
    })
    life.sign('2024-04-15')
    expect(money(draftByHand(life.ground('2024-10-10'))!.net)).toBe('-275.00')
    expect(money(draftByHand(life.ground('2024-10-11'))!.net)).toBe('-25.00')
    expect(draftByHand(life.ground('2024-11-21'))).toBeNull()
  })
})
