// The words a formula document knows, by place: for completion while somebody writes. The engine's checks decide what is
// right; a word that is missing here is merely not offered.

export interface Word {
  readonly label: string
  readonly detail: string
  /** Written after the key: a space for a value, `{ … }` or a new line for what is deeper. */
  readonly apply?: string
}

const key = (label: string, detail: string, after = ' '): Word => ({ label, detail, apply: `${label}:${after}` })
const value = (label: string, detail: string): Word => ({ label, detail })

const roundingModes = [
  value('HALF_UP', 'halves away from zero; the default'),
  value('HALF_EVEN', 'halves to the even digit'),
  value('HALF_DOWN', 'halves toward zero'),
  value('UP', 'away from zero'),
  value('DOWN', 'toward zero: cut off'),
  value('CEILING', 'always up'),
  value('FLOOR', 'always down'),
]
const usings = [
  value('MEAN', 'the average; the default'),
  value('LAST', 'the last of the window'),
  value('FIRST', 'the first of the window'),
  value('MIN', 'the lowest'),
  value('MAX', 'the highest'),
  value('SUM', 'the sum'),
  value('COMPOUND', 'rates in percent, chained'),
]
const spans = [value('1 month', 'calendar month'), value('2 months', ''), value('1 quarter', ''), value('1 week', '')]
const rounding = [key('dp', 'decimals'), key('multiple', 'multiples of a number'), key('mode', 'which way')]
const truths = [value('true', ''), value('false', 'the default')]

/** Keys by the place they belong to; `*` stands for any name or number. */
const keysByPlace: Readonly<Record<string, readonly Word[]>> = {
  '': [
    key('slug', 'its address: lower-case letters, digits, hyphens'),
    key('name', 'what people call it'),
    key('description', 'what it is for'),
    key('status', 'DRAFT, ACTIVE, SUSPENDED …'),
    key('effectiveFrom', 'from which adjustment date this version governs'),
    key('contract', 'calendar and price', '\n  '),
    key('parties', 'who signs', '\n  '),
    key('inputs', 'the series it reads', '\n  '),
    key('params', 'named numbers', '\n  '),
    key('tables', 'stepwise look-ups', '\n  '),
    key('clause', 'weights, threshold, limits, rounding', '\n  '),
    key('steps', 'the worksheet, line by line', '\n  - '),
    key('result', 'which step is the answer'),
  ],
  contract: [
    key('start', 'first day'),
    key('end', 'last day; open without it'),
    key('frequency', 'how often the price is adjusted'),
    key('firstAdjustment', 'default: one period after the start'),
    key('price', '{ amount, currency, unit, round }'),
  ],
  'contract.price': [
    key('amount', 'at the start'),
    key('currency', 'three capital letters'),
    key('unit', 'per piece, tonne, month …'),
    key('round', 'how prices are rounded'),
  ],
  parties: [key('buyer', 'e-mail addresses'), key('supplier', 'e-mail addresses')],
  'inputs.*': [
    key('series', 'PROVIDER/code, or an id'),
    key('weight', 'fraction of 1'),
    key('base', 'period, range, date or { value }'),
    key('lag', 'counted back from the adjustment date'),
    key('window', 'length of the averaging window'),
    key('using', 'how the window becomes one figure'),
    key('interpolate', 'DAILY, as linked bonds do'),
    key('pick', 'by lag, or the newest published'),
    key('vintage', 'LATEST, FIRST or FINAL'),
    key('missing', 'what is done without a value'),
    key('convert', '{ fx, operation } or { scale }'),
    key('links', 'other bases of the same index'),
    key('round', 'rounding of the reading'),
  ],
  'inputs.*.base': [key('value', 'a figure that stands for itself')],
  'inputs.*.missing': [
    key('fallback', 'another series'),
    key('agreed', 'values the parties agreed on'),
    key('yoyEstimate', 'from the year before'),
  ],
  'inputs.*.missing.yoyEstimate': [key('capPct', 'most it may move in a month')],
  'inputs.*.convert': [
    key('fx', 'series of the exchange rate'),
    key('operation', 'MULTIPLY or DIVIDE'),
    key('lag', 'default: the input’s own'),
    key('window', 'of the rate'),
    key('using', 'of the rate'),
    key('each', 'convert every observation'),
    key('scale', 'a constant factor'),
  ],
  'inputs.*.links.*': [
    key('series', 'the other base'),
    key('until', 'up to and including this period'),
    key('from', 'from this period on'),
    key('coefficient', 'times this'),
    key('round', 'rounding after it'),
  ],
  'params.*.*': [key('from', 'first day'), key('value', 'from that day on')],
  'tables.*.*': [
    key('below', 'up to, without the edge'),
    key('atMost', 'up to, with the edge'),
    key('value', 'the answer'),
  ],
  clause: [
    key('fixed', 'share that never moves'),
    key('tolerance', 'how far weights may miss 1'),
    key('basis', 'FIXED_BASE or CHAINED'),
    key('combine', 'SUM_OF_RATIOS or RATIO_OF_SUMS'),
    key('adder', 'percentage points added'),
    key('threshold', '{ pct, test, pays, since }'),
    key('passThrough', 'a share, or bands'),
    key('cap', '{ periodPct, cumulativePct }'),
    key('floor', '{ periodPct, cumulativePct }'),
    key('rounding', '{ ratio, factor, percent, price }'),
  ],
  'clause.threshold': [
    key('pct', 'percent'),
    key('test', 'EXCEEDS or REACHES'),
    key('pays', 'ALL or EXCESS'),
    key('since', 'LAST or BASE'),
  ],
  'clause.passThrough.*': [key('upTo', 'percent; not in the last band'), key('share', 'fraction of 1')],
  'clause.cap': [
    key('periodPct', 'per period'),
    key('cumulativePct', 'since the start'),
    key('carryForward', 'keep what was held back'),
  ],
  'clause.floor': [key('periodPct', 'per period'), key('cumulativePct', 'since the start')],
  'clause.rounding': [
    key('ratio', 'of each index ratio'),
    key('factor', 'of the combined factor'),
    key('percent', 'of the adjustment'),
    key('price', 'of the new price'),
  ],
  'steps.*': [
    key('name', 'what later steps call it'),
    key('expr', 'how it is computed'),
    key('round', 'carried on rounded'),
    key('show', 'printed rounded, carried exactly'),
    key('note', 'words beside the line'),
  ],
  result: [
    key('kind', 'FACTOR, CHANGE_PCT or PRICE'),
    key('step', 'the step'),
    key('show', 'decimals of reported percents'),
  ],
}

/** Values by the place they stand at. */
const valuesByPlace: Readonly<Record<string, readonly Word[]>> = {
  status: [
    value('DRAFT', 'not in force'),
    value('ACTIVE', 'in force'),
    value('SUSPENDED', 'paused'),
    value('EXPIRED', 'run out'),
    value('ARCHIVED', 'put away'),
  ],
  'contract.frequency': [
    value('MONTHLY', ''),
    value('QUARTERLY', ''),
    value('SEMIANNUAL', ''),
    value('ANNUAL', ''),
    value('ONCE', 'with firstAdjustment'),
    value('4 months', 'every so many months'),
  ],
  'inputs.*.lag': spans,
  'inputs.*.window': spans,
  'inputs.*.convert.lag': spans,
  'inputs.*.convert.window': spans,
  'inputs.*.using': usings,
  'inputs.*.convert.using': usings,
  'inputs.*.interpolate': [value('DAILY', 'to the day of the adjustment'), value('NONE', 'the default')],
  'inputs.*.pick': [value('LAG', 'the default'), value('LATEST_PUBLISHED', 'the newest that is out')],
  'inputs.*.vintage': [
    value('LATEST', 'as it stands; the default'),
    value('FIRST', 'the first print for ever'),
    value('FINAL', 'the newest final value'),
  ],
  'inputs.*.missing': [
    value('BLOCK', 'no adjustment; the default'),
    value('LAST_KNOWN', 'the newest earlier value'),
    value('{ fallback: PROVIDER/code }', 'another series'),
    value('{ agreed: { 2025-10: 325.1 } }', 'values the parties agreed on'),
    value('{ yoyEstimate: { capPct: 2 } }', 'from the year before'),
  ],
  'inputs.*.convert.operation': [value('MULTIPLY', 'reading × rate'), value('DIVIDE', 'reading ÷ rate')],
  'inputs.*.convert.each': truths,
  'clause.basis': [value('FIXED_BASE', 'always from the base; the default'), value('CHAINED', 'from the last applied')],
  'clause.combine': [value('SUM_OF_RATIOS', 'the default'), value('RATIO_OF_SUMS', 'one ratio of weighted levels')],
  'clause.threshold.test': [value('EXCEEDS', 'more than the threshold'), value('REACHES', 'the threshold itself too')],
  'clause.threshold.pays': [value('ALL', 'the whole movement'), value('EXCESS', 'only what goes beyond')],
  'clause.threshold.since': [value('LAST', 'since it last moved; the default'), value('BASE', 'since the base')],
  'clause.cap.carryForward': truths,
  'result.kind': [
    value('FACTOR', 'price now ÷ price at the start'),
    value('CHANGE_PCT', 'this period’s percent'),
    value('PRICE', 'the new price'),
  ],
}

const roundingPlaces = [
  'contract.price.round',
  'inputs.*.round',
  'inputs.*.links.*.round',
  'clause.rounding.*',
  'steps.*.round',
  'steps.*.show',
  'result.show',
]

function fits(pattern: string, path: readonly string[]): boolean {
  const parts = pattern === '' ? [] : pattern.split('.')
  return parts.length === path.length && parts.every((part, i) => part === '*' || part === path[i])
}

function lookUp(table: Readonly<Record<string, readonly Word[]>>, path: readonly string[]): readonly Word[] {
  return Object.entries(table).find(([pattern]) => fits(pattern, path))?.[1] ?? []
}

/** The keys that may stand in the mapping at a path. */
export function keysFor(path: readonly string[]): readonly Word[] {
  return roundingPlaces.some(pattern => fits(pattern, path)) ? rounding : lookUp(keysByPlace, path)
}

/** The values that may stand at a path. */
export function valuesFor(path: readonly string[]): readonly Word[] {
  const isMode = path.at(-1) === 'mode' && roundingPlaces.some(pattern => fits(pattern, path.slice(0, -1)))
  return isMode ? roundingModes : lookUp(valuesByPlace, path)
}

/** Whether a series is named at a path. */
export function isSeriesPlace(path: readonly string[]): boolean {
  return ['inputs.*.series', 'inputs.*.links.*.series', 'inputs.*.convert.fx', 'inputs.*.missing.fallback'].some(
    pattern => fits(pattern, path),
  )
}

/** Whether a number at a path may be the name of a param. */
export function isParamPlace(path: readonly string[]): boolean {
  return (
    [
      ...['clause.fixed', 'clause.adder', 'clause.passThrough', 'clause.threshold.pct'],
      ...['clause.cap.periodPct', 'clause.cap.cumulativePct', 'clause.floor.periodPct', 'clause.floor.cumulativePct'],
    ] as string[]
  ).includes(path.join('.'))
}

/** What expressions may call, with what they take. */
export const calls: readonly Word[] = [
  { label: 'min', detail: 'min(a, b, …)' },
  { label: 'max', detail: 'max(a, b, …)' },
  { label: 'abs', detail: 'abs(x)' },
  { label: 'sum', detail: 'sum(a, b, …)' },
  { label: 'avg', detail: 'avg(a, b, …)' },
  { label: 'if', detail: 'if(condition, then, else)' },
  { label: 'round', detail: 'round(x, decimals)' },
  { label: 'trunc', detail: 'trunc(x, decimals): cut off' },
  { label: 'ceil', detail: 'ceil(x, decimals): always up' },
  { label: 'floor', detail: 'floor(x, decimals): always down' },
  { label: 'clamp', detail: 'clamp(x, low, high)' },
  { label: 'lookup', detail: 'lookup(table, x)' },
  { label: 'prev', detail: 'prev(step, initial): its value a period before' },
  { label: 'mod', detail: 'mod(a, b): what is left, with the sign of b' },
  { label: 'pow', detail: 'pow(x, n), or pow(x, y, decimals)' },
]

/** Names every expression knows. */
export const builtins: readonly Word[] = [
  { label: 'price', detail: 'the contract’s price' },
  { label: 'year', detail: 'of the adjustment date' },
  { label: 'month', detail: 'of the adjustment date' },
  { label: 'quarter', detail: 'of the adjustment date' },
  { label: 'day', detail: 'of the adjustment date' },
  { label: 'daysInMonth', detail: 'of the adjustment date' },
  { label: 'daysInYear', detail: 'of the adjustment date' },
  { label: 'daysInPeriod', detail: 'to the day before the next date' },
  { label: 'periodsSinceStart', detail: 'whole ones' },
  { label: 'yearsSinceStart', detail: 'whole ones' },
  { label: 'daysSinceLast', detail: 'since the last applied adjustment' },
]
