import { describe, expect, test } from 'vitest'
import { bindFormula } from '../formula/bind.ts'
import { checkDocument } from '../formula/check/check.ts'
import { Refusal } from '../refusal.ts'
import type { SeriesHistory, VersionTag } from '../series/series.ts'
import { buildHistory, noCuts } from '../series/vintage.ts'
import { parseDay } from '../time/day.ts'
import { type Frequency, parsePeriod } from '../time/period.ts'
import { buildSplice } from './build-splice.ts'
import { judgeSplice } from './judge-splice.ts'
import type { SpliceQuestion } from './splice-question.ts'
import { readSpliceBody } from './splice-schema.ts'

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

describe('a splice by overlap', () => {
  test('is the ratio of the means, exact and as written, and holds from its own figures', () => {
    const { body } = ask()
    // (88.0 + 88.2 + 88.6 + 89.6) ÷ (110 + 110 + 111 + 112) = 354.4 ÷ 443
    expect(body.coefficient).toMatchObject({ direction: 'OLD_TO_NEW', exact: '0.8', written: '0.800000' })
    expect(body.join).toBe('2025-12')
    expect(body.window).toEqual({ from: '2025-09', until: '2025-12', averaged: null, leftOut: [] })
    // Ratios 0.8, 0.80181…, 0.79819…, 0.8: 0.80181… ÷ 0.79819… − 1
    expect(body.evidence.spreadPct).toBe('0.4535')
    expect(judgeSplice(readSpliceBody(JSON.parse(JSON.stringify(body))))).toEqual([])
  })
})

describe('a splice is refused', () => {
  test('without a common period, with what else there is', () => {
    const later = series('EUROSTAT/new', { '2026-01': '90', '2026-02': '91' })
    expect(refused({ successor: later })).toMatch(/no common period.*PUBLISHED.*SAME_LEVEL.*RELEVEL/)
  })
})
