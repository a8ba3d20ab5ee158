import { describe, expect, test } from 'vitest'
import { bindFormula } from '../formula/bind.ts'
import { checkDocument } from '../formula/check/check.ts'
import { Refusal } from '../refusal.ts'
import type { SeriesHistory, VersionTag } from '../series/series.ts'
import { buildHistory, noCuts } from '../series/vintage.ts'
import { parseDay } from '../time/day.ts'
import { type Frequency, parsePeriod } from '../time/period.ts'
import { buildSplice } from './build-splice.ts'
import { joinWarnings } from './join-advice.ts'
import { judgeSplice } from './judge-splice.ts'
import type { SpliceQuestion } from './splice-question.ts'
import { readSpliceBody } from './splice-schema.ts'
import { checkOnlySpliced, readBefore } from './spliced-document.ts'

interface Figures {
  readonly [period: string]: string | null
}

function series(
  reference: string,
  figures: Figures,
  { unit = '2015=100', frequency = 'MONTHLY' as Frequency, tag = 'FINAL' as VersionTag } = {},
): SeriesHistory {
  const vintages = Object.entries(figures).map(([period, value]) => {
    const { ordinal } = parsePeriod(period)!
    const publishedAt = '2026-01-20T00:00:00.000000Z'
    return [ordinal, [{ value, tag: value === null ? null : tag, flag: null, publishedAt, recordedAt: null }]] as const
  })
  return buildHistory({ reference, name: reference, unit, frequency }, new Map(vintages))
}

const document = `# Agreed in Ulm.
slug: brackets
contract:
  start: 2025-01-01
  frequency: QUARTERLY
  price: { amount: 100.00, currency: EUR, unit: piece, round: { dp: 2 } }
inputs:
  steel:
    series: EUROSTAT/old   # the first classification
    weight: 0.5
    base: 2024-12
    lag: 1 month
clause:
  fixed: 0.5
`
const old = series('EUROSTAT/old', {
  '2024-12': '100.0',
  '2025-03': '104.0',
  '2025-06': '108.0',
  '2025-09': '110.0',
  '2025-10': '110.0',
  '2025-11': '111.0',
  '2025-12': '112.0',
})
const successor = series(
  'EUROSTAT/new',
  {
    '2025-09': '88.0',
    '2025-10': '88.2',
    '2025-11': '88.6',
    '2025-12': '89.6',
    '2026-02': '90.4',
    '2026-05': '92.0',
    '2026-08': '93.2',
  },
  { unit: '2020=100' },
)

function ask(asked: Partial<SpliceQuestion> & { text?: string; histories?: readonly SeriesHistory[] } = {}) {
  const { text = document, histories = [old], ...rest } = asked
  const { formula, problems } = checkDocument(text)
  if (formula === null) throw new Error(JSON.stringify(problems))
  const { bound, problems: misfits } = bindFormula(formula, new Map(histories.map(each => [each.reference, each])))
  if (bound === null) throw new Error(JSON.stringify(misfits))
  return buildSplice({
    head: {
      installation: null,
      workspace: null,
      pam: 'brackets',
      name: 'Brackets',
      parties: { buyer: null, supplier: null },
    },
    versions: [{ number: 1, bound }],
    text,
    signed: [],
    cuts: noCuts,
    today: parseDay('2026-09-15'),
    old: 'EUROSTAT/old',
    successor,
    inputs: null,
    ground: { kind: 'BY_HAND', event: null, change: null, sentence: 'The first classification has ended.' },
    method: 'OVERLAP',
    direction: null,
    window: null,
    point: null,
    rounding: null,
    published: null,
    join: null,
    base: null,
    waitFinal: false,
    candidates: [],
    ...rest,
  })
}

const refused = (asked: Parameters<typeof ask>[0]) => {
  try {
    ask(asked)
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
  throw new Error('it was not refused')
}

const holds = (body: unknown) => judgeSplice(readSpliceBody(JSON.parse(JSON.stringify(body))))

describe('a splice by overlap', () => {
  test('is the ratio of the means, exact and as written, and holds from its own figures', () => {
    const { body } = ask()
    // (88.0 + 88.2 + 88.6 + 89.6) ÷ (110 + 110 + 111 + 112) = 354.4 ÷ 443
    expect(body.coefficient).toMatchObject({ direction: 'OLD_TO_NEW', exact: '0.8', written: '0.800000' })
    expect(body.join).toBe('2025-12')
    expect(body.window).toEqual({ from: '2025-09', until: '2025-12', averaged: null, leftOut: [] })
    // Ratios 0.8, 0.80181…, 0.79819…, 0.8: (88.2 × 111) ÷ (110 × 88.6) − 1
    expect(body.evidence).toMatchObject({ spreadPct: '0.4535', worst: '2025-10', differencePct: '0.1131' })
    expect(holds(body)).toEqual([])
  })

  test('changes the series and the links of the document, and no other byte', () => {
    const { body } = ask()
    const expected = document
      .replace('series: EUROSTAT/old ', 'series: EUROSTAT/new ')
      .replace(
        'classification\n',
        'classification\n    links: [{ series: EUROSTAT/old, until: 2025-12, coefficient: 0.800000 }]\n',
      )
      .replace('{ dp: 2 } }\n', '{ dp: 2 } }\neffectiveFrom: 2025-04-01\n')
    expect(body.document).toBe(expected)
  })

  test('shows the next dates with both series and with neighbouring windows', () => {
    const { body } = ask()
    expect(body.effect.next.map(({ period }) => period)).toEqual(['2025-Q2', '2025-Q3', '2025-Q4', '2026-Q1'])
    expect(body.effect.windows).toEqual([{ from: '2025-10', until: '2025-12', coefficient: '0.800000' }])
    const [first] = body.effect.next
    // 0.5 + 0.5 × 104 ÷ 100, also on the new level: both are read from the old series.
    expect(first).toMatchObject({ old: { price: '102' }, new: { price: '102' }, others: [{ price: '102' }] })
  })

  test('in the other direction is computed from the figures, and never as the inverse of a rounded number', () => {
    const third = series('EUROSTAT/new', { '2025-10': '330', '2025-11': '333', '2025-12': '336' })
    const { body: forth } = ask({ successor: third, direction: 'OLD_TO_NEW', rounding: { dp: 2, mode: 'HALF_UP' } })
    const { body: back } = ask({ successor: third, direction: 'NEW_TO_OLD', rounding: { dp: 4, mode: 'DOWN' } })
    expect(forth.coefficient).toMatchObject({ exact: '3', written: '3.00' })
    expect(back.coefficient).toMatchObject({ exact: '1/3', written: '0.3333' })
    expect(back.document).toContain('series: EUROSTAT/old   # the first classification')
    expect(back.document).toContain('links: [{ series: EUROSTAT/new, from: 2026-01, coefficient: 0.3333 }]')
    expect([...holds(forth), ...holds(back)]).toEqual([])
  })

  test('puts the new figures on the old level where the level counts, and says why', () => {
    const valued = document.replace('base: 2024-12', 'base: { value: 100.0 }')
    const { body, warnings } = ask({ text: valued })
    expect(body.coefficient?.direction).toBe('NEW_TO_OLD')
    expect(warnings.join('\n')).toMatch(/level counts \(steel: its base is the number 100.0\)/)
    expect(refused({ text: valued, direction: 'OLD_TO_NEW' })).toMatch(/NEW_TO_OLD, or RELEVEL/)
  })

  test('leaves out zeros and missing values, names them, and needs three periods', () => {
    const holed = series('EUROSTAT/new', { '2025-09': '88', '2025-10': '0', '2025-11': null, '2025-12': '89.6' })
    expect(refused({ successor: holed })).toMatch(/at least 3 common periods and finds 2/)
    const four = series('EUROSTAT/new', { '2025-06': '86.4', '2025-09': '88', '2025-10': '0', '2025-12': '89.6' })
    const { body, warnings } = ask({ successor: four })
    expect(body.window?.leftOut.map(({ period }) => period)).toEqual(['2025-07', '2025-08', '2025-10', '2025-11'])
    expect(warnings.join('\n')).toMatch(/EUROSTAT\/new is 0 for 2025-10, which is not above 0/)
    expect(body.coefficient?.exact).toBe('0.8')
  })

  test('warns of preliminary values, waits for final ones if asked, and warns of a wide spread with its worst period', () => {
    const early = series(
      'EUROSTAT/new',
      { '2025-10': '88', '2025-11': '88.8', '2025-12': '95' },
      { tag: 'PRELIMINARY' },
    )
    const { warnings } = ask({ successor: early })
    expect(warnings.join('\n')).toMatch(/preliminary values in the window: 2025-10, 2025-11, 2025-12/)
    expect(warnings.join('\n')).toMatch(/varies by 6.0268 % in the window; the largest difference is in 2025-12/)
    expect(refused({ successor: early, waitFinal: true })).toMatch(/2025-12 of the window are preliminary/)
  })

  test('covers every input that reads the series, and names them', () => {
    const two = document
      .replace('weight: 0.5', 'weight: 0.3')
      .replace('clause:', '  energy: { series: EUROSTAT/old, weight: 0.2, base: 2025-03 }\nclause:')
    const { body, warnings } = ask({ text: two })
    expect(body.inputs).toEqual(['steel', 'energy'])
    expect(warnings[0]).toBe('steel and energy read EUROSTAT/old: the proposal covers them all')
    expect(body.document).toContain(
      'energy: { series: EUROSTAT/new, links: [{ series: EUROSTAT/old, until: 2025-12, coefficient: 0.800000 }], weight: 0.2',
    )
    expect(ask({ text: two, inputs: ['energy'] }).body.document).toContain('series: EUROSTAT/old   # the first')
  })

  test('says how closely another candidate follows', () => {
    const same = series('FRED/same', { '2025-09': '55', '2025-10': '55', '2025-11': '55.5', '2025-12': '56' })
    const { body } = ask({ candidates: [{ series: same, why: 'the same name' }] })
    expect(body.alternatives).toEqual([
      {
        series: 'FRED/same',
        name: 'FRED/same',
        why: 'the same name',
        common: '2025-09..2025-12',
        spreadPct: '0.0000',
        correlation: '1.0000',
        differencePct: '0.0000',
      },
    ])
  })
})

describe('other methods', () => {
  test('POINT is the ratio of one common period', () => {
    const { body } = ask({ method: 'POINT', point: '2025-11', rounding: { dp: 4, mode: 'HALF_UP' } })
    // 88.6 ÷ 111
    expect(body.coefficient).toMatchObject({ exact: '443/555', written: '0.7982' })
    expect(body.effect.windows.map(({ from }) => from)).toEqual(['2025-10', '2025-09'])
    expect(ask({ method: 'POINT' }).body.window?.from).toBe('2025-12')
    expect(holds(body)).toEqual([])
  })

  test('PUBLISHED keeps the printed digits and links in the direction in which they are printed', () => {
    // Statistics Austria: the CPI on 2015 = 100 is the one on 2020 = 100 times 1.082.
    const forth = ask({
      method: 'PUBLISHED',
      published: { digits: '1.0820', direction: 'NEW_TO_OLD', source: 'Statistik Austria' },
    })
    expect(forth.body.document).toContain('links: [{ series: EUROSTAT/new, from: 2026-01, coefficient: 1.0820 }]')
    expect(forth.body.coefficient).toMatchObject({
      exact: '1.082',
      written: '1.0820',
      source: 'Statistik Austria',
      rounding: null,
    })
    // ABS: from 1989-90 = 100 to 2011-12 = 100, times 0.5565.
    const back = ask({
      method: 'PUBLISHED',
      published: { digits: '0.5565', direction: 'OLD_TO_NEW', source: 'ABS 6401.0' },
    })
    expect(back.body.document).toContain('links: [{ series: EUROSTAT/old, until: 2025-12, coefficient: 0.5565 }]')
    expect([...holds(forth.body), ...holds(back.body)]).toEqual([])
    expect(
      refused({ method: 'PUBLISHED', published: { digits: '1,082', direction: 'NEW_TO_OLD', source: 'x' } }),
    ).toMatch(/as it is printed/)
  })

  test('SAME_LEVEL is 1, and refused where the units differ', () => {
    expect(refused({ method: 'SAME_LEVEL' })).toMatch(/"2015=100" and EUROSTAT\/new in "2020=100".*not on one level/)
    const level = series('EUROSTAT/new', { '2026-01': '112.4' })
    const { body } = ask({ method: 'SAME_LEVEL', successor: level })
    expect(body).toMatchObject({ window: null, coefficient: { exact: '1', written: '1' }, evidence: { overlap: [] } })
    expect(holds(body)).toEqual([])
  })

  test('RELEVEL reads a new base in the new series, or takes a number', () => {
    const { body } = ask({ method: 'RELEVEL', base: '2025-12' })
    expect(body.bases).toEqual([
      { input: 'steel', before: '2024-12', beforeReading: '100', after: '2025-12', afterReading: '89.6' },
    ])
    expect(body.coefficient).toBeNull()
    expect(body.document).toContain(
      'series: EUROSTAT/new   # the first classification\n    weight: 0.5\n    base: 2025-12\n',
    )
    const { body: number } = ask({ method: 'RELEVEL', base: '80.5' })
    expect(number.document).toContain('base: { value: 80.5 }')
    expect([...holds(body), ...holds(number)]).toEqual([])
    expect(refused({ method: 'RELEVEL', base: '2025-08' })).toMatch(/steel has no base in EUROSTAT\/new.*2025-08/)
  })

  test('RELEVEL across frequencies averages the finer series and computes the base', () => {
    const monthly = series('EUROSTAT/old', {
      '2024-12': '100',
      '2025-01': '100',
      '2025-02': '101',
      '2025-03': '102',
      '2025-04': '103',
      '2025-05': '104',
      '2025-06': '105',
      '2025-07': '106',
      '2025-08': '107',
      '2025-09': '108',
    })
    const quarterly = series(
      'EUROSTAT/new',
      { '2025-Q1': '202', '2025-Q2': '208', '2025-Q3': '214' },
      { frequency: 'QUARTERLY' },
    )
    const text = document.replace('lag: 1 month', 'lag: 1 quarter')
    expect(refused({ text, histories: [monthly], successor: quarterly })).toMatch(/one frequency only; RELEVEL/)
    const { body, warnings } = ask({ text, histories: [monthly], successor: quarterly, method: 'RELEVEL' })
    expect(body).toMatchObject({ window: { averaged: 'OLD', from: '2025-Q1' }, coefficient: { exact: '2' } })
    expect(body.evidence.overlap[0]!.old.map(({ value }) => value)).toEqual(['100', '101', '102'])
    expect(body.bases[0]).toMatchObject({ beforeReading: '100', after: '200', afterReading: '200' })
    expect(warnings.join('\n')).toMatch(/EUROSTAT\/old is MONTHLY; it is averaged/)
    expect(holds(body)).toEqual([])
  })
})

describe('what is there already', () => {
  const older = series('EUROSTAT/older', { '2024-12': '50' }, { unit: '1995=100' })

  test('links to still older series are put on the new level', () => {
    const text = document.replace(
      'base: 2024-12',
      'links:\n      - { series: EUROSTAT/older, until: 2024-12, coefficient: 2.0 }  # printed\n    base: 2024-12',
    )
    const { body } = ask({ text, histories: [old, older] })
    expect(body.document).toContain(
      'links: [{ series: EUROSTAT/older, until: 2024-12, coefficient: 1.6 }, { series: EUROSTAT/old, until: 2025-12, coefficient: 0.800000 }]  # printed\n',
    )
    expect(holds(body)).toEqual([])
    const rounded = text.replace('2.0 }', '2.0, round: { dp: 1 } }')
    expect(refused({ text: rounded, histories: [old, older] })).toMatch(
      /rounded on the level of EUROSTAT\/old; use a coefficient NEW_TO_OLD/,
    )
  })

  test('a series that is read through a link is replaced by another link', () => {
    const text = document
      .replace('series: EUROSTAT/old ', 'series: EUROSTAT/older ')
      .replace('lag: 1 month', 'lag: 1 month\n    links: [{ series: EUROSTAT/old, from: 2025-01, coefficient: 0.5 }]')
    const { body } = ask({ text, histories: [old, older] })
    expect(body.document).toContain(
      'links: [{ series: EUROSTAT/old, from: 2025-01, coefficient: 0.5 }, { series: EUROSTAT/new, from: 2026-01, coefficient: 0.625 }]',
    )
    expect(holds(body)).toEqual([])
  })

  test('a renegotiated price does not begin again', () => {
    const text = document.replace('  frequency: QUARTERLY\n', '  frequency: QUARTERLY\n  restart: true\n')
    expect(ask({ text }).body.document).toContain('  frequency: QUARTERLY\n  price:')
  })

  test('a document in JSON stays one', () => {
    const text = `{"slug":"brackets","contract":{"start":"2025-01-01","frequency":"QUARTERLY","restart":true},"inputs":{"steel":{"series":"EUROSTAT/old","weight":1,"base":"2024-12"}},"clause":{}}`
    const parsed = JSON.parse(ask({ text }).body.document)
    expect(parsed).toEqual({
      slug: 'brackets',
      contract: { start: '2025-01-01', frequency: 'QUARTERLY' },
      effectiveFrom: '2025-04-01',
      inputs: {
        steel: {
          series: 'EUROSTAT/new',
          links: [{ series: 'EUROSTAT/old', until: '2025-12', coefficient: 0.8 }],
          weight: 1,
          base: '2024-12',
        },
      },
      clause: {},
    })
  })

  test('a document that changes more is refused', () => {
    const { body } = ask()
    const jsonOf = (text: string) => checkDocument(text).document
    expect(() => checkOnlySpliced(readBefore(document), jsonOf(body.document), ['steel'])).not.toThrow()
    const more = body.document.replace('fixed: 0.5', 'fixed: 0.4').replace('weight: 0.5', 'weight: 0.6')
    expect(() => checkOnlySpliced(readBefore(document), jsonOf(more), ['steel'])).toThrow(
      'the document also changes inputs.steel.weight, clause.fixed; make a formula version for the rest',
    )
  })
})

describe('a splice is refused', () => {
  test('without a common period, with what else there is', () => {
    const later = series('EUROSTAT/new', { '2026-01': '90', '2026-02': '91' })
    expect(refused({ successor: later })).toMatch(/no common period.*PUBLISHED.*SAME_LEVEL.*RELEVEL/)
    expect(refused({ successor: later, method: 'POINT' })).toMatch(/no common period/)
  })

  test('in another currency, because a coefficient would freeze the exchange rate', () => {
    const euro = series(
      'EUROSTAT/old',
      { '2024-12': '1', '2025-10': '1', '2025-11': '1', '2025-12': '1' },
      { unit: 'EUR/t' },
    )
    const dollar = series(
      'EUROSTAT/new',
      { '2025-10': '1', '2025-11': '1', '2025-12': '1' },
      { unit: 'US dollars per tonne' },
    )
    expect(refused({ histories: [euro], successor: dollar })).toMatch(/freeze the exchange rate/)
  })

  test('where nothing reads the series any more', () => {
    expect(refused({ old: 'EUROSTAT/other' })).toMatch(/no input of brackets reads EUROSTAT\/other/)
    expect(refused({ inputs: ['copper'] })).toBe('the input copper of brackets does not read EUROSTAT/old; steel does')
  })
})

test('a body that was changed does not follow from its figures', () => {
  const { body } = ask()
  const other = { ...body, coefficient: { ...body.coefficient!, written: '0.810000' } }
  expect(judgeSplice(other)).toContain('the coefficient is not the ratio of the means of the evidence')
  expect(judgeSplice(other)).toContain('the input steel is not spliced as the proposal says')
  const [first, ...rest] = body.evidence.overlap
  const moved = { ...body.evidence, overlap: [{ ...first!, new: [{ ...first!.new[0]!, value: '88.1' }] }, ...rest] }
  expect(judgeSplice({ ...body, evidence: moved })).toContain('the hash of the evidence is another one')
  expect(() => readSpliceBody({ ...body, more: 1 })).toThrow(/without "more", which is not known/)
})

describe('the join of two series', () => {
  const warningsOf = (coefficient: string, price = '100.00') => {
    const { body } = ask({
      method: 'PUBLISHED',
      text: document.replace('100.00', price),
      published: { digits: coefficient, direction: 'OLD_TO_NEW', source: 'the office' },
    })
    const data = new Map([old, successor].map(each => [each.reference, each]))
    return joinWarnings(checkDocument(body.document).formula!, data, parseDay('2026-09-15')).map(
      ({ message }) => message,
    )
  }

  test('is a warning where it alone moves the price by more than its rounding step', () => {
    // The new series says 112 × 0.8 = 89.6 at the join.
    expect(warningsOf('0.8')).toEqual([])
    // 112 × 0.79 ÷ (100 × 0.79) = 1.12, against 89.6 ÷ 79: 106.00 and 106.71.
    expect(warningsOf('0.79')).toEqual([
      'the join of EUROSTAT/new and EUROSTAT/old after 2025-12 alone moves the price by 0.71 EUR, which is more than its step of 0.01 EUR; look at the coefficient',
    ])
    expect(warningsOf('0.79', '1.00')).toEqual([])
  })
})
