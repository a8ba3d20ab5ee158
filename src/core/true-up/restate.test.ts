import { describe, expect, test } from 'vitest'
import {
  type Figures,
  figuresOf,
  restateOn,
  type SignedPath,
  signAlong,
} from '../../../test/support/agreements/signed-path.ts'
import { formatShort } from '../numbers/ratio.ts'

/** March printed 106.0 and four months later 103.5; each quarter reads the month before its date. */
const march = ['2024-04-10 P 106.0', '2024-08-13 F 103.5']
const figures: Figures = {
  '2024-03': march,
  '2024-06': ['2024-07-10 F 105.0'],
  '2024-09': ['2024-10-10 F 107.0'],
  '2024-12': ['2025-01-10 F 108.0'],
  '2025-03': ['2025-04-10 F 112.0'],
}

function contract(clause: string, corrections = '', more: Readonly<Record<string, string>> = {}): string {
  const { base = '{ value: 100 }', end = '', input = '' } = more
  return `slug: one
contract: { start: 2024-01-01, frequency: QUARTERLY, firstAdjustment: 2024-04-01${end}, price: { amount: 100, currency: EUR, round: { dp: 2 } } }
inputs: { index: { series: CUSTOM/index, weight: 1, base: ${base}, lag: 1 month${input} } }
clause: ${clause}
${corrections === '' ? '' : `corrections: ${corrections}\n`}`
}

function sign(document: string | readonly string[], changed: Figures = {}, until = '2025-04-01'): SignedPath {
  const series = [figuresOf('CUSTOM/index', { ...figures, ...changed })]
  return signAlong({ documents: [document].flat(), series, afterDays: 14, until })
}

const signedFactors = ({ signed }: SignedPath) => signed.map(({ factor }) => formatShort(factor, 5))
const restatedFactors = (path: SignedPath, day = '2025-06-01') =>
  restateOn(path, day).map(({ factor }) => formatShort(factor, 5))

const plain = ['1.06', '1.05', '1.07', '1.08', '1.12']
const plainRestated = ['1.035', '1.05', '1.07', '1.08', '1.12']
const held = ['1.06', '1.06', '1.06', '1.06', '1.12']
const threshold = 'threshold: { pct: 3, test: EXCEEDS, pays: ALL }'

describe('the measured table of clauses', () => {
  test.each([
    ['FIXED_BASE, plain', '{}', plain, plainRestated, plainRestated],
    ['CHAINED, plain', '{ basis: CHAINED }', plain, plainRestated, plainRestated],
    [
      'FIXED_BASE, threshold 3 %',
      `{ ${threshold} }`,
      held,
      ['1.035', '1.035', '1.06', '1.06', '1.12'],
      ['1.035', '1.035', '1.07', '1.07', '1.12'],
    ],
    [
      'CHAINED, threshold 3 %',
      `{ basis: CHAINED, ${threshold} }`,
      held,
      ['1.035', '1.035', '1.06', '1.06', '1.12'],
      ['1.035', '1.035', '1.07', '1.07', '1.12'],
    ],
    [
      'FIXED_BASE, cap 4 % a period',
      '{ cap: { periodPct: 4 } }',
      ['1.04', ...plain.slice(1)],
      plainRestated,
      plainRestated,
    ],
    [
      'CHAINED, cap 4 %',
      '{ basis: CHAINED, cap: { periodPct: 4 } }',
      ['1.04', '1.03019', '1.04981', '1.05962', '1.09887'],
      ['1.035', '1.05', '1.04981', '1.05962', '1.09887'],
      plainRestated,
    ],
    [
      'CHAINED, floor 0',
      '{ basis: CHAINED, floor: { periodPct: 0 } }',
      ['1.06', '1.06', '1.08019', '1.09029', '1.13067'],
      ['1.035', '1.05', '1.08019', '1.09029', '1.13067'],
      plainRestated,
    ],
  ])('%s: signed, HEAL and REBASE', (_, clause, signed, heal, rebase) => {
    const path = sign(contract(clause, '{ when: EACH, level: HEAL }'))
    expect(signedFactors(path)).toEqual(signed)
    expect(restatedFactors(path)).toEqual(heal)
    expect(restatedFactors(sign(contract(clause, '{ when: EACH, level: REBASE }')))).toEqual(rebase)
    // Left out, there is no policy: the path heals.
    expect(restatedFactors(sign(contract(clause)))).toEqual(heal)
  })
})

describe('a restated path', () => {
  const each = '{ when: EACH }'

  test('is the signed one until something moves, and has boundaries from then on', () => {
    const path = sign(contract(`{ ${threshold} }`, each))
    expect(restateOn(path, '2024-08-12').map(({ differs }) => differs)).toEqual([false, false])
    expect(restateOn(path, '2024-08-13').map(({ differs }) => differs)).toEqual([true, true])
    expect(restateOn(path, '2025-06-01').map(({ isBoundary }) => isBoundary)).toEqual([false, false, true, true, true])
  })

  test('names the figure behind each difference, with both vintages', () => {
    const [first, second] = restateOn(sign(contract(`{ ${threshold} }`, each)), '2024-09-01')
    for (const { causes } of [first!, second!])
      expect(causes.map(({ series, before, after }) => [series, before?.value, after.value, after.tag])).toEqual([
        ['CUSTOM/index', '106.0', '103.5', 'FINAL'],
      ])
  })

  test('moves everywhere when the base reading is revised', () => {
    const base = { base: '2023-12' }
    const revised = { '2023-12': ['2024-01-10 F 100', '2025-05-02 R 98'] }
    const restated = restateOn(
      sign(contract('{}', each, base), { ...revised, '2024-03': march.slice(1) }),
      '2025-06-01',
    )
    expect(restated.map(({ differs }) => differs)).toEqual([true, true, true, true])
    expect(formatShort(restated.at(-1)!.factor, 5)).toBe('1.14286')
    expect(restated.at(-1)!.causes[0]!.before!.value).toBe('100')
  })

  test('is blocked where a figure was withdrawn, and the periods after it stand as signed', () => {
    const withdrawn = { '2024-03': ['2024-04-10 P 106.0', '2024-08-13 F -'] }
    const restated = restateOn(sign(contract(`{ ${threshold} }`, each), withdrawn), '2025-06-01')
    expect(restated[0]!.gap).toEqual({
      kind: 'value',
      series: 'CUSTOM/index',
      period: '2024-03',
      stage: null,
      sentence: '2024-Q2 cannot be restated: index (CUSTOM/index) has no value for 2024-03',
    })
    expect(restated.map(({ differs }) => differs)).toEqual([false, false, false, false, false])
  })

  test('does not move where the final figure equals the preliminary one', () => {
    const same = { '2024-03': ['2024-04-10 P 106.0', '2024-08-13 F 106.00'] }
    const path = sign(contract(`{ ${threshold} }`, '{ when: FINAL }'), same)
    const waits = (day: string) => restateOn(path, day).map(({ waitsFor }) => waitsFor.length > 0)
    expect(restateOn(path, '2025-06-01').some(({ differs, isBoundary }) => differs || isBoundary)).toBe(false)
    expect(waits('2024-08-12')[0]).toBe(true)
    expect(waits('2024-08-13')[0]).toBe(false)
  })

  test('shows a newer formula that reaches back separately, as its own cause', () => {
    const documents = [contract('{}', each), contract('{ fixed: 0.5 }', each).replace('weight: 1', 'weight: 0.5')]
    const series = [figuresOf('CUSTOM/index', figures)]
    const path = signAlong({ documents, knownFrom: [null, '2025-05-01'], series, afterDays: 14, until: '2024-07-01' })
    expect(path.signed.map(({ version }) => version)).toEqual([1, 1])
    const restated = restateOn(path, '2025-06-01')
    expect(restated.map(({ factor }) => formatShort(factor, 5))).toEqual(['1.035', '1.05'])
    expect(restated.map(({ underNewFormula }) => formatShort(underNewFormula!.factor!, 5))).toEqual(['1.0175', '1.025'])
  })
})

describe('the cut by policy', () => {
  const twice = { '2024-03': ['2024-04-10 P 106.0', '2024-06-10 P 105.5', '2024-08-13 F 103.5', '2025-02-10 R 103.0'] }
  const factors = (when: string, day: string, end = '') =>
    restatedFactors(sign(contract('{}', when, { end }), twice, '2024-04-01'), day)[0]

  test('reads the newest with EACH, with NONE and where nothing is said', () => {
    for (const when of ['{ when: EACH }', '{ when: NONE }', ''])
      expect(['2024-05-01', '2024-07-01', '2024-09-01', '2025-03-01'].map(day => factors(when, day))).toEqual([
        '1.06',
        '1.055',
        '1.035',
        '1.03',
      ])
  })

  test('reads what is FINAL with FINAL, else the newest, and waits for it', () => {
    expect(['2024-07-01', '2024-09-01', '2025-03-01'].map(day => factors('{ when: FINAL }', day))).toEqual([
      '1.055',
      '1.035',
      '1.035',
    ])
    const path = sign(contract('{}', '{ when: FINAL }'), twice, '2024-04-01')
    expect(restateOn(path, '2024-07-01')[0]!.waitsFor).toHaveLength(1)
    expect(restateOn(path, '2024-09-01')[0]!.waitsFor).toEqual([])
  })

  test('reads what was out by the end of the day with YEARLY', () => {
    const yearly = '{ when: YEARLY, day: 06-30 }'
    expect(['2024-06-30', '2024-07-01', '2025-06-30', '2025-07-01'].map(day => factors(yearly, day))).toEqual([
      '1.06',
      '1.055',
      '1.055',
      '1.03',
    ])
  })

  test('reads what was out 60 days after the end with END, and nothing before', () => {
    const end = ', end: 2024-12-31'
    expect(['2025-03-01', '2025-03-02'].map(day => factors('{ when: END }', day, end))).toEqual(['1.06', '1.03'])
    expect(factors('{ when: END }', '2025-06-01')).toBe('1.06')
  })

  test('never reads an older vintage than the receipt did', () => {
    const finalFirst = { '2024-03': ['2024-04-05 F 106.0', '2024-04-10 R 104.0'] }
    const path = sign(contract('{}', '{ when: FINAL }'), finalFirst, '2024-04-01')
    expect(signedFactors(path)).toEqual(['1.04'])
    expect(restatedFactors(path)).toEqual(['1.04'])
  })

  test('keeps first prints and what stood on the day as they are', () => {
    for (const vintage of ['FIRST', 'AT_DATE']) {
      const input = `, vintage: ${vintage}`
      const shifted = { '2024-03': ['2024-03-28 P 106.0', '2024-08-13 F 103.5'] }
      for (const when of ['FINAL', 'EACH'])
        expect(restatedFactors(sign(contract('{}', `{ when: ${when} }`, { input }), shifted, '2024-04-01'))).toEqual([
          '1.06',
        ])
    }
  })
})
