// Random agreements in which a series is replaced by the same one on another level: whatever the clause, the direction, the window
// and the join, every later price must stay as it was.
import { type BoundVersion, stateAfter } from '../../src/core/calculation/adjustment.ts'
import { evaluate } from '../../src/core/calculation/evaluate.ts'
import { bindFormula } from '../../src/core/formula/bind.ts'
import { checkDocument } from '../../src/core/formula/check/check.ts'
import { buildSplice } from '../../src/core/index-changes/build-splice.ts'
import { judgeSplice } from '../../src/core/index-changes/judge-splice.ts'
import { equal, formatExact, multiply, ratio } from '../../src/core/numbers/ratio.ts'
import type { SeriesHistory } from '../../src/core/series/series.ts'
import { buildHistory, noCuts } from '../../src/core/series/vintage.ts'
import { dayOf } from '../../src/core/time/day.ts'
import { formatPeriod, parsePeriod } from '../../src/core/time/period.ts'
import { Chance } from '../faults/chance.ts'

const first = parsePeriod('2021-01')!.ordinal
const months = 60
const hash = '0'.repeat(64)

/** What differs, with the document; null where every later price is the same. */
export function compareSplice(seed: number): string | null {
  const chance = new Chance(seed)
  const { text, isLevel } = drawDocument(chance)
  const coefficient = isLevel
    ? chance.pick(bothWays)
    : `${chance.int(0, 40)}.${`${chance.int(1, 999_999)}`.padStart(6, '0')}`
  const values = drawValues(chance)
  const ends = chance.int(36, 50)
  const begins = chance.int(0, ends - 6)
  const onNewLevel = values.map(value => formatExact(multiply(ratio(value), ratio(coefficient))))
  const whole = series('EUROSTAT/old', values, 0, months)
  const old = series('EUROSTAT/old', values, 0, ends)
  const successor = series('EUROSTAT/new', onNewLevel, begins, months)
  const other = series('BLS/other', drawValues(chance), 0, months)
  const bind = (document: string, ...histories: readonly SeriesHistory[]) => {
    const { formula, problems } = checkDocument(document)
    const data = new Map([...histories, other].map(each => [each.reference, each]))
    const bound = formula === null ? null : bindFormula(formula, data).bound
    if (bound === null) throw new Error(`seed ${seed}: ${JSON.stringify(problems)}\n${document}`)
    return bound
  }
  const until = dayOf(2025, 10, 1)
  const run = (versions: readonly BoundVersion[], after: Parameters<typeof evaluate>[0]['after'] = null) =>
    evaluate({ versions, cuts: noCuts, tag: null, until, today: until, after }).adjustments
  const before = run([{ number: 1, bound: bind(text, whole) }])
  const signed = before.slice(0, chance.int(0, Math.min(8, before.length - 1))).map(each => ({
    period: each.period,
    date: each.date,
    version: 1,
    hash,
    factor: each.factor,
    carried: each.carried,
    used: [],
    agreedAt: '2026-01-01T00:00:00.000000Z',
  }))
  const from = chance.int(begins, ends - 4)
  const label = (month: number) => formatPeriod({ frequency: 'MONTHLY', ordinal: first + month })
  const version: BoundVersion = { number: 1, bound: bind(text, old) }
  const { body } = buildSplice({
    head: { installation: null, workspace: null, pam: 'random', name: '', parties: { buyer: null, supplier: null } },
    versions: [version],
    text,
    signed,
    cuts: noCuts,
    today: until,
    old: 'EUROSTAT/old',
    successor,
    inputs: null,
    ground: { kind: 'BY_HAND', event: null, change: null, sentence: 'random' },
    method: chance.chance(20) ? 'POINT' : 'OVERLAP',
    direction: null,
    point: null,
    rounding: null,
    published: null,
    base: null,
    waitFinal: false,
    candidates: [],
    window: chance.chance(50) ? null : { from: label(from), until: label(chance.int(from + 3, ends - 1)) },
    join: chance.chance(50) ? null : label(chance.int(begins, ends - 1)),
  })
  const wrong = judgeSplice(body)
  if (wrong.length > 0) return `seed ${seed}: ${wrong.join('; ')}\n${body.document}`
  const spliced: BoundVersion = { number: 2, bound: bind(body.document, old, successor) }
  const after = run([version, spliced], stateAfter(signed))
  const later = before.slice(signed.length)
  const differs = later.find((each, i) => {
    const now = after[i]
    if (now === undefined || now.period !== each.period || !equal(now.factor, each.factor)) return true
    return each.price !== null && !equal(now.price!.value, each.price.value)
  })
  if (differs === undefined && after.length === later.length) return null
  return `seed ${seed}: ${differs?.period ?? 'another number of periods'} is another price\n${body.document}`
}

/** Coefficients that are finite decimals in both directions. */
const bothWays = [
  '0.5',
  '2',
  '0.8',
  '1.25',
  '1.6',
  '0.625',
  '0.4',
  '2.5',
  '0.64',
  '1.5625',
  '3.2',
  '0.3125',
  '0.16',
  '6.25',
]

function drawValues(chance: Chance): readonly string[] {
  let value = chance.int(6_000, 20_000)
  return Array.from({ length: months }, () => {
    value = Math.max(500, value + chance.int(-400, 500))
    return `${Math.floor(value / 100)}.${`${value % 100}`.padStart(2, '0')}`
  })
}

function series(reference: string, values: readonly string[], from: number, to: number): SeriesHistory {
  const header = { reference, name: reference, unit: 'index', frequency: 'MONTHLY' } as const
  const publishedAt = '2026-01-01T00:00:00.000000Z'
  const vintage = (value: string) => [{ value, tag: 'FINAL', flag: null, publishedAt, recordedAt: null }] as const
  return buildHistory(header, new Map(values.map((value, i) => [first + i, vintage(value)] as const).slice(from, to)))
}

/** `isLevel`: prices depend on the level of the input. */
function drawDocument(chance: Chance): { readonly text: string; readonly isLevel: boolean } {
  const hasTwo = chance.chance(50)
  const isChained = chance.chance(40)
  const isOfSums = !isChained && chance.chance(20)
  const isValued = chance.chance(15)
  const lines = [
    'slug: random',
    'contract:',
    '  start: 2021-07-01',
    `  frequency: ${chance.pick(['MONTHLY', 'QUARTERLY', 'SEMIANNUAL'])}`,
    `  price: { amount: ${chance.int(1, 5000)}.50, currency: EUR, unit: t, round: { dp: ${chance.int(0, 4)} } }`,
    'inputs:',
    '  first:',
    '    series: EUROSTAT/old',
    `    weight: ${hasTwo ? '0.45' : '0.75'}`,
    `    base: ${isValued ? `{ value: ${chance.int(60, 200)}.5 }` : `2021-0${chance.int(1, 6)}`}`,
    `    lag: ${chance.int(0, 4)} months`,
    ...(chance.chance(40) ? [`    window: ${chance.int(1, 5)} months`] : []),
    ...(hasTwo ? ['  second: { series: BLS/other, weight: 0.3, base: 2021-05, lag: 2 months }'] : []),
    'clause:',
    '  fixed: 0.25',
    ...(isChained ? ['  basis: CHAINED'] : []),
    ...(isOfSums ? ['  combine: RATIO_OF_SUMS'] : []),
    ...(chance.chance(60)
      ? [
          `  threshold: { pct: ${chance.int(1, 6)}, test: ${chance.pick(['EXCEEDS', 'REACHES'])}, pays: ${chance.pick(['ALL', 'EXCESS'])} }`,
        ]
      : []),
    ...(chance.chance(40) ? [`  passThrough: 0.${chance.int(4, 9)}`] : []),
    ...(chance.chance(50) ? [`  cap: { periodPct: ${chance.int(1, 6)}, cumulativePct: ${chance.int(10, 60)} }`] : []),
    ...(chance.chance(50) ? [`  floor: { periodPct: -${chance.int(1, 6)} }`] : []),
    ...(chance.chance(40) ? ['  rounding: { ratio: { dp: 5 }, percent: { dp: 2 } }'] : []),
  ]
  return { text: `${lines.join('\n')}\n`, isLevel: isValued || (isOfSums && hasTwo) }
}
