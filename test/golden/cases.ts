// One document for each thing a formula can say that changes how a receipt is computed. A receipt of each is stored
// next to this file and must recompute forever; cases are added, never changed.

export interface GoldenCase {
  readonly name: string
  readonly documents: readonly string[]
  readonly period: string
}

interface Parts {
  readonly inputs?: string
  readonly rest: string
  readonly frequency?: string
  readonly price?: string
  readonly period?: string
}

const usualInputs = `  steel: { series: CUSTOM/steel, weight: 0.5, base: 2023-12, lag: 1 month }
  labour: { series: CUSTOM/labour, weight: 0.3, base: 2023-Q3, lag: 2 quarters }`
const usualPrice = 'price: { amount: 12.40, currency: EUR, unit: piece, round: { dp: 2 } }'

function document(
  { inputs = usualInputs, rest, frequency = 'QUARTERLY', price = usualPrice }: Parts,
  more = '',
): string {
  return `slug: golden
name: A golden contract
status: ACTIVE
parties: { buyer: [ann@buyer.test], supplier: [sam@supplier.test, sue@supplier.test] }
contract:
  start: 2024-01-01
  end: 2024-12-31
  frequency: ${frequency}
  ${price}
${more}inputs:
${inputs}
${rest}
`
}

function golden(name: string, parts: Parts): GoldenCase {
  return { name, documents: [document(parts)], period: parts.period ?? '2024-Q4' }
}

const percent = 'rounding: { percent: { dp: 2 } }'
const clause = (name: string, keys: string, more = '') =>
  golden(name, { rest: `clause: { fixed: 0.2, ${keys} }\n${more}` })
const oneInput = (keys: string) => `  index: { ${keys} }`
/** How one input is read, against a base of its own unless another is written. */
const reading = (name: string, keys: string, frequency = 'QUARTERLY', period = '2024-Q2') =>
  golden(name, {
    inputs: oneInput(`weight: 1, ${keys}`),
    rest: `clause: { ${percent} }`,
    frequency,
    period,
  })
const steps = (name: string, lines: readonly string[], result: string, more = '') =>
  golden(name, { rest: `${more}steps:\n${lines.map(line => `  - ${line}`).join('\n')}\nresult: ${result}` })

export const goldenCases: readonly GoldenCase[] = [
  clause('clause-fixed-base', percent),
  clause('clause-chained', `basis: CHAINED, ${percent}`),
  clause('clause-ratio-of-sums', `combine: RATIO_OF_SUMS, ${percent}`),
  clause('clause-chained-ratio-of-sums', `basis: CHAINED, combine: RATIO_OF_SUMS, ${percent}`),
  clause('clause-adder', `adder: -0.75, ${percent}`),
  clause('clause-threshold-exceeds', `threshold: { pct: 4, test: EXCEEDS, pays: ALL }, ${percent}`),
  clause('clause-threshold-reaches', `threshold: { pct: 1.5, test: REACHES, pays: ALL }, ${percent}`),
  clause('clause-threshold-chained', `basis: CHAINED, threshold: { pct: 3, test: EXCEEDS, pays: ALL }, ${percent}`),
  clause('clause-threshold-since-base', `threshold: { pct: 3, test: EXCEEDS, pays: ALL, since: BASE }, ${percent}`),
  clause('clause-threshold-excess', `threshold: { pct: 2, test: EXCEEDS, pays: EXCESS }, ${percent}`),
  clause('clause-threshold-shared', `threshold: { pct: 1, test: EXCEEDS, pays: ALL }, passThrough: 0.6, ${percent}`),
  clause('clause-pass-through', `passThrough: 0.75, ${percent}`),
  clause('clause-bands', `passThrough: [{ upTo: 2, share: 1 }, { upTo: 5, share: 0.5 }, { share: 0.25 }], ${percent}`),
  clause('clause-cap-of-period', `cap: { periodPct: 1.5 }, floor: { periodPct: -1 }, ${percent}`),
  clause('clause-cap-in-all', `cap: { cumulativePct: 4.5 }, floor: { cumulativePct: -2 }, ${percent}`),
  clause('clause-cap-off-the-grid', `cap: { periodPct: 1.555, cumulativePct: 4.777 }, ${percent}`),
  clause('clause-carry-forward', `basis: CHAINED, cap: { periodPct: 1, carryForward: true }, ${percent}`),
  clause('clause-rounding-of-ratio', 'rounding: { ratio: { dp: 4, mode: DOWN }, percent: { dp: 3 } }'),
  clause(
    'clause-rounding-of-factor',
    'rounding: { factor: { dp: 3, mode: CEILING }, percent: { dp: 2, mode: HALF_EVEN } }',
  ),
  clause('clause-rounding-to-a-multiple', 'rounding: { percent: { multiple: 0.05, mode: HALF_DOWN } }'),
  clause('clause-rounding-of-price', 'rounding: { percent: { dp: 2 }, price: { multiple: 0.05, mode: UP } }'),
  clause(
    'clause-params',
    `cap: { periodPct: most }, ${percent}`,
    'params: { most: [{ from: 2024-01-01, value: 2 }, { from: 2024-08-01, value: 1.5 }] }',
  ),
  clause('clause-result-shown', percent, 'result: { show: { dp: 1, mode: DOWN } }'),
  golden('clause-without-price', { rest: `clause: { fixed: 0.2, ${percent} }`, price: '' }),
  clause(
    'clause-and-steps',
    percent,
    'steps:\n  - { name: half, expr: "1 + movement / 2", round: { dp: 5 } }\nresult: { kind: FACTOR, step: half }',
  ),
  steps(
    'steps-factor',
    [
      '{ name: ratio, expr: "steel / steel.base", round: { dp: 6, mode: DOWN } }',
      '{ name: factor, expr: "0.15 + 0.85 * ratio", round: { dp: 3, mode: CEILING } }',
    ],
    '{ kind: FACTOR, step: factor }',
  ),
  steps(
    'steps-change',
    ['{ name: change, expr: "(steel / steel.prev - 1) * 100", round: { dp: 4 }, show: { dp: 1 } }'],
    '{ kind: CHANGE_PCT, step: change }',
  ),
  steps(
    'steps-price',
    [
      '{ name: surcharge, expr: "lookup(brackets, steel)" }',
      '{ name: new, expr: "price + surcharge", show: { dp: 1 } }',
    ],
    '{ kind: PRICE, step: new }',
    'tables: { brackets: [{ below: 105, value: 0.01 }, { atMost: 125, value: 0.20 }, { value: 0.35 }] }\n',
  ),
  steps(
    'steps-prev',
    [
      '{ name: peak, expr: "max(prev(peak, 100), steel)" }',
      '{ name: factor, expr: "if(peak > 110 and not (quarter == 2), peak / 100, avg(1, clamp(peak / 100, 1, 1.05)))" }',
    ],
    '{ kind: FACTOR, step: factor }',
  ),
  steps(
    'steps-last',
    [
      '{ name: factor, expr: "max(1, floor(steel / steel.last, 2)) * prev(factor, 1) + 0 * (year + month + daysSinceLast + periodsSinceStart + yearsSinceStart)" }',
    ],
    '{ kind: FACTOR, step: factor }',
  ),
  reading('reading-lag-in-days', 'series: CUSTOM/steel, base: 2023-12, lag: 45 days'),
  reading('reading-window-mean', 'series: CUSTOM/steel, base: 2023-10..2023-12, lag: 1 month, window: 3 months'),
  reading('reading-window-sum', 'series: CUSTOM/rate, base: { value: 1 }, lag: 1 month, window: 3 months, using: SUM'),
  reading(
    'reading-window-compound',
    'series: CUSTOM/rate, base: { value: 1 }, lag: 1 month, window: 1 year, using: COMPOUND',
  ),
  reading('reading-window-greatest', 'series: CUSTOM/steel, base: 2023-Q4, lag: 1 month, window: 2 months, using: MAX'),
  reading('reading-month-of-days', 'series: CUSTOM/daily, base: { value: 70 }, lag: 1 month, window: 1 month'),
  reading('reading-base-of-a-year', 'series: CUSTOM/steel, base: 2023, lag: 1 month, using: LAST'),
  reading(
    'reading-interpolated',
    'series: CUSTOM/steel, base: 2024-01-11, lag: 2 months, interpolate: DAILY',
    'MONTHLY',
    '2024-06',
  ),
  reading('reading-latest-published', 'series: CUSTOM/energy, base: 2023-12, pick: LATEST_PUBLISHED'),
  reading('reading-first-print', 'series: CUSTOM/steel, base: 2023-12, lag: 1 month, vintage: FIRST'),
  reading('reading-final', 'series: CUSTOM/steel, base: 2023-12, lag: 1 month, vintage: FINAL'),
  reading(
    'reading-last-known',
    'series: CUSTOM/energy, base: 2023-12, lag: 1 month, missing: LAST_KNOWN',
    'QUARTERLY',
    '2024-Q3',
  ),
  reading(
    'reading-estimate',
    'series: CUSTOM/energy, base: 2023-12, lag: 1 month, missing: { yoyEstimate: { capPct: 2 } }',
    'QUARTERLY',
    '2024-Q3',
  ),
  reading(
    'reading-trend',
    'series: CUSTOM/energy, base: 2023-12, lag: 1 month, missing: { trend: { over: 12 months, dp: 3 } }',
    'QUARTERLY',
    '2024-Q3',
  ),
  reading(
    'reading-fallback',
    'series: CUSTOM/energy, base: 2023-12, lag: 1 month, missing: { fallback: CUSTOM/gas }',
    'QUARTERLY',
    '2024-Q3',
  ),
  reading(
    'reading-agreed',
    'series: CUSTOM/energy, base: 2023-12, lag: 1 month, missing: { agreed: { 2024-06: 101.5 } }',
    'QUARTERLY',
    '2024-Q3',
  ),
  reading(
    'reading-exchange',
    'series: CUSTOM/steel, base: 2023-12, lag: 1 month, convert: { fx: CUSTOM/euro, operation: DIVIDE, lag: 1 month, window: 3 months, using: MEAN }',
  ),
  reading(
    'reading-exchange-each',
    'series: CUSTOM/steel, base: 2023-Q4, lag: 1 month, window: 3 months, convert: { fx: CUSTOM/euro, operation: MULTIPLY, each: true }',
  ),
  reading(
    'reading-scale',
    'series: CUSTOM/steel, base: 2023-12, lag: 1 month, convert: { scale: 0.45359237 }, round: { dp: 2 }',
  ),
  reading(
    'reading-linked',
    'series: CUSTOM/steel, base: 2022-12, lag: 1 month, links: [{ series: CUSTOM/old-steel, until: 2023-02, coefficient: 0.6221, round: { dp: 1 } }]',
  ),
  clause('clause-unrounded', 'cap: { periodPct: 2 }'),
  clause('clause-rounding-of-total', 'rounding: { total: { dp: 1 } }'),
  clause('clause-rounding-none', 'rounding: { percent: NONE }'),
  clause('clause-cap-of-contract-year', 'cap: { yearPct: 2, year: CONTRACT }, rounding: { percent: { dp: 2 } }'),
  clause('clause-cap-of-calendar-year', 'basis: CHAINED, cap: { yearPct: 2, year: CALENDAR, carryForward: true }'),
  clause('clause-cap-of-rolling-year', 'cap: { yearPct: 1.5, year: ROLLING }, floor: { yearPct: -1, year: ROLLING }'),
  clause(
    'clause-threshold-carried-forward',
    'threshold: { pct: 1, test: EXCEEDS, pays: ALL }, cap: { periodPct: 1, carryForward: true }',
  ),
  clause('clause-threshold-returns', 'threshold: { pct: 4, test: EXCEEDS, pays: ALL, since: BASE, inside: RETURN }'),
  clause('clause-chained-excess', 'basis: CHAINED, threshold: { pct: 2, test: EXCEEDS, pays: EXCESS }'),
  golden('clause-dated-weights', {
    inputs: `  steel: { series: CUSTOM/steel, weight: share, base: 2023-12, lag: 1 month }
  labour: { series: CUSTOM/labour, weight: rest, base: 2023-Q3, lag: 2 quarters }`,
    rest: `clause: { fixed: 0.2 }
params:
  share: [{ from: 2024-01-01, value: 0.5 }, { from: 2024-08-01, value: 0.6 }]
  rest: [{ from: 2024-01-01, value: 0.3 }, { from: 2024-08-01, value: 0.2 }]`,
  }),
  steps(
    'steps-surcharge',
    ['{ name: extra, expr: "max(steel - 110, 0) * 0.1", round: { dp: 2 } }'],
    '{ kind: SURCHARGE, step: extra }',
  ),
  steps(
    'steps-powers',
    [
      '{ name: growth, expr: "pow(steel / steel.base, 2) + mod(day + daysInMonth, 7) / 100" }',
      '{ name: factor, expr: "pow(growth, 1/4, 12) + 0 * daysInYear" }',
    ],
    '{ kind: FACTOR, step: factor }',
  ),
  steps(
    'steps-rounded-to-tens',
    ['{ name: level, expr: "steel * 10", round: { dp: -1 } }', '{ name: factor, expr: "level / 1000" }'],
    '{ kind: FACTOR, step: factor }',
  ),
  reading('reading-lag-forward', 'series: CUSTOM/steel, base: 2023-12, lag: -1 month'),
  reading('reading-newest-five', 'series: CUSTOM/daily, base: { value: 70 }, window: { last: 5 }'),
  reading(
    'reading-from-day-to-day',
    'series: CUSTOM/daily, base: { value: 70 }, lag: 1 month, window: { from: 4, to: 20, least: 3 }',
  ),
  reading('reading-expanded', 'series: CUSTOM/labour, base: 2023-12, lag: 4 months, window: 3 months, expand: MONTHLY'),
  reading('reading-at-date', 'series: CUSTOM/steel, base: 2023-10, lag: 3 months, vintage: AT_DATE'),
  reading('calendar-of-weeks', 'series: CUSTOM/steel, base: 2023-12, lag: 2 months', '2 weeks', '2024-W11'),
  {
    name: 'calendar-two-dates-in-a-quarter',
    documents: [
      document({ rest: `clause: { fixed: 0.2, ${percent} }` }),
      document({ rest: `clause: { fixed: 0.2, ${percent} }` }, 'effectiveFrom: 2024-08-01\n').replace(
        'frequency: QUARTERLY',
        'frequency: QUARTERLY\n  firstAdjustment: 2024-08-15',
      ),
    ],
    period: '2024-Q3.2',
  },
  {
    name: 'versions-restart',
    documents: [
      document({ rest: `clause: { fixed: 0.2, ${percent} }` }),
      document({ rest: `clause: { fixed: 0.2, ${percent} }` }, 'effectiveFrom: 2024-08-01\n')
        .replace('amount: 12.40', 'amount: 13.00')
        .replace('frequency: QUARTERLY', 'frequency: QUARTERLY\n  restart: true'),
    ],
    period: '2024-Q4',
  },
  {
    name: 'versions-two',
    documents: [
      document({ rest: `clause: { fixed: 0.2, basis: CHAINED, ${percent} }` }),
      document(
        { rest: `clause: { fixed: 0.2, basis: CHAINED, cap: { periodPct: 1 }, ${percent} }` },
        'effectiveFrom: 2024-08-01\n',
      ),
    ],
    period: '2024-Q4',
  },
]
