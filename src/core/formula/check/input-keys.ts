// The keys of an input, as data: its series, and how it is read.
import { formulaBounds, type SuccessorMethod, type Using, type VintagePolicy, type Weekday } from '../formula.ts'
import { choiceBeside, choiceKey, type KeySpec, number } from './keys.ts'

const usingWords: Readonly<Record<Using, string>> = {
  MEAN: 'the average',
  LAST: 'the last of the window',
  FIRST: 'the first of the window',
  MIN: 'the lowest',
  MAX: 'the highest',
  SUM: 'the sum',
  COMPOUND: 'rates in percent, chained',
}

export const usingKey = choiceKey<Using>(
  'inputs.*.using',
  'Taken as',
  'How the observations of the window become one figure.',
  usingWords,
  'MEAN',
)

export const expandKey = choiceKey(
  'inputs.*.expand',
  'Read month by month',
  'A quarterly, half-yearly or yearly series is read month by month, each month having its period’s value.',
  { MONTHLY: 'month by month', NONE: 'in its own periods' },
  'NONE',
)

export const weekKey = choiceKey<Weekday>(
  'inputs.*.week',
  'Day of the week',
  'On a weekly series: the day that stands for the week and decides to which month or quarter it belongs.',
  {
    MONDAY: 'Monday',
    TUESDAY: 'Tuesday',
    WEDNESDAY: 'Wednesday',
    THURSDAY: 'Thursday',
    FRIDAY: 'Friday',
    SATURDAY: 'Saturday',
    SUNDAY: 'Sunday',
  },
  'MONDAY',
)

export const interpolateKey = choiceKey(
  'inputs.*.interpolate',
  'Interpolated',
  'Between two months to the day of the adjustment, as inflation-linked bonds do.',
  { NONE: 'no', DAILY: 'to the day' },
  'NONE',
)

export const pickKey = choiceKey(
  'inputs.*.pick',
  'Which period',
  'Which period is read for an adjustment date.',
  { LAG: 'the one that holds the lagged day', LATEST_PUBLISHED: 'the newest that is published by then' },
  'LAG',
)

export const vintageKey = choiceKey<VintagePolicy>(
  'inputs.*.vintage',
  'Which publication',
  'Which of several publications of a value counts.',
  {
    LATEST: 'the newest',
    FIRST: 'the first, forever',
    FINAL: 'the newest final one',
    AT_DATE: 'as it stood on the adjustment date',
  },
  'LATEST',
)

export const operationKey = choiceBeside(
  'inputs.*.convert.operation',
  'The rate',
  'say whether the rate multiplies or divides',
  { MULTIPLY: 'multiplies the reading', DIVIDE: 'divides the reading' },
)

export const convertUsingKey = choiceKey<Using>(
  'inputs.*.convert.using',
  'Rate taken as',
  'How the rates of its window become one; the input’s own where it is left out.',
  usingWords,
  'MEAN',
)

export const successorMethodKey = choiceKey<SuccessorMethod>(
  'inputs.*.successor.method',
  'Joined by',
  'How the levels of the two series are connected.',
  {
    OVERLAP: 'the ratio of their averages over common periods',
    POINT: 'the ratio of one common period',
    PUBLISHED: 'the coefficient that the office publishes',
    SAME_LEVEL: 'their level, which is the same',
    RELEVEL: 'a new base reading in the successor',
  },
)

/** The keys inside a window, of the input itself or of its exchange rate. */
function windowKeys(path: string, what: string): readonly KeySpec[] {
  return [
    {
      path: `${path}.last`,
      label: 'The last',
      help: `The number of the newest ${what} up to the lagged day.`,
      value: { kind: 'whole', least: 1, most: 1000 },
    },
    {
      path: `${path}.from`,
      label: 'From day',
      help: 'A day of the month; of the month before, if it is later than the last day.',
      value: { kind: 'whole', least: 1, most: 31 },
    },
    {
      path: `${path}.to`,
      label: 'To day',
      help: 'Of the month that holds the lagged day.',
      value: { kind: 'whole', least: 1, most: 31 },
    },
    {
      path: `${path}.least`,
      label: 'At least',
      help: `With fewer ${what} the reading is missing.`,
      value: { kind: 'whole', least: 1, most: 1000 },
      otherwise: '1',
    },
  ]
}

export const missingKey: KeySpec = {
  path: 'inputs.*.missing',
  label: 'Without a value',
  help: 'BLOCK, LAST_KNOWN, { yoyEstimate: { capPct: 2 } }, { trend: { over: 12 months, dp: 3 } }, { fallback: PROVIDER/code } or { agreed: { 2025-10: 325.1 } }.',
  value: { kind: 'missing' },
  otherwise: 'BLOCK',
}

export const trendDecimals = { least: 0, most: 30 } as const

export const inputKeys: readonly KeySpec[] = [
  {
    path: 'inputs.*.series',
    label: 'Series',
    help: 'PROVIDER/code, or the id of a series.',
    value: { kind: 'series' },
    required: true,
  },
  {
    path: 'inputs.*.weight',
    label: 'Weight',
    help: 'A fraction of 1, or the name of a param; with the fixed share all weights make 1.',
    value: number('fraction', true),
  },
  {
    path: 'inputs.*.base',
    label: 'Base',
    help: 'A period, a range such as 2023-10..2023-12, a date with interpolate, or { value: 245.3 }.',
    value: { kind: 'base' },
  },
  {
    path: 'inputs.*.base.value',
    label: 'Base value',
    help: 'A fixed figure, not read from the series.',
    value: number('plain'),
    required: true,
  },
  {
    path: 'inputs.*.lag',
    label: 'Lag',
    help: 'How far back from the adjustment date the series is read; -1 month is the month after.',
    value: { kind: 'span' },
    otherwise: '0',
  },
  {
    path: 'inputs.*.window',
    label: 'Window',
    help: 'The span that is read: 3 months, { last: 5 } or { from: 21, to: 20 }.',
    value: { kind: 'window' },
  },
  ...windowKeys('inputs.*.window', 'observations'),
  expandKey,
  weekKey,
  usingKey,
  interpolateKey,
  pickKey,
  vintageKey,
  missingKey,
  {
    path: 'inputs.*.missing.yoyEstimate',
    label: 'Estimated',
    help: 'The value a year before × the last known year-on-year movement.',
    value: { kind: 'mapping' },
  },
  {
    path: 'inputs.*.missing.yoyEstimate.capPct',
    label: 'At most',
    help: 'The most the estimate may differ from the period before.',
    value: number('percent'),
  },
  {
    path: 'inputs.*.missing.trend',
    label: 'By its trend',
    help: 'The last value, moved on by its trend over an earlier span.',
    value: { kind: 'mapping' },
  },
  {
    path: 'inputs.*.missing.trend.over',
    label: 'As it moved over',
    help: 'Whole periods of the series, such as 12 months.',
    value: { kind: 'span' },
    required: true,
  },
  {
    path: 'inputs.*.missing.trend.dp',
    label: 'Decimals',
    help: 'The decimals of the estimate, rounded half up: as many as the published figures have.',
    value: { kind: 'whole', ...trendDecimals },
    required: true,
  },
  {
    path: 'inputs.*.missing.fallback',
    label: 'Another series',
    help: 'The series whose value is taken.',
    value: { kind: 'series' },
  },
  {
    path: 'inputs.*.missing.agreed',
    label: 'Agreed values',
    help: 'Values by period that the parties agreed on.',
    value: { kind: 'names' },
  },
  {
    path: 'inputs.*.convert',
    label: 'Converted',
    help: 'By an exchange rate, a constant factor, or both.',
    value: { kind: 'mapping' },
  },
  {
    path: 'inputs.*.convert.fx',
    label: 'Exchange rate',
    help: 'The series of the exchange rate.',
    value: { kind: 'series' },
  },
  operationKey,
  {
    path: 'inputs.*.convert.lag',
    label: 'Lag of the rate',
    help: 'The input’s own where it is left out.',
    value: { kind: 'span' },
  },
  {
    path: 'inputs.*.convert.window',
    label: 'Window of the rate',
    help: 'The input’s own where it is left out.',
    value: { kind: 'window' },
  },
  ...windowKeys('inputs.*.convert.window', 'rates'),
  convertUsingKey,
  {
    path: 'inputs.*.convert.each',
    label: 'Each observation',
    help: 'Every observation is converted at the rate of its own period, before the window is formed.',
    value: { kind: 'truth' },
    otherwise: 'false',
  },
  {
    path: 'inputs.*.convert.scale',
    label: 'Times',
    help: 'A constant factor, such as 0.45359237 from pounds to kilograms.',
    value: number('plain'),
  },
  {
    path: 'inputs.*.links',
    label: 'Other bases',
    help: 'Other bases of the same index, each with its coefficient.',
    value: { kind: 'list' },
  },
  {
    path: 'inputs.*.links.*.series',
    label: 'Series',
    help: 'The other base.',
    value: { kind: 'series' },
    required: true,
  },
  {
    path: 'inputs.*.links.*.until',
    label: 'Until',
    help: 'Up to and including this period.',
    value: { kind: 'text' },
  },
  { path: 'inputs.*.links.*.from', label: 'From', help: 'From this period on.', value: { kind: 'text' } },
  {
    path: 'inputs.*.links.*.coefficient',
    label: 'Coefficient',
    help: 'The values of the other base are multiplied by it.',
    value: number('plain'),
    required: true,
  },
  {
    path: 'inputs.*.links.*.round',
    label: 'Rounded',
    help: 'Rounds the linked value.',
    value: { kind: 'rounding' },
    otherwise: 'NONE',
  },
  {
    path: 'inputs.*.successor',
    label: 'Successor',
    help: 'The series that follows when this one ends, agreed in advance.',
    value: { kind: 'mapping' },
  },
  {
    path: 'inputs.*.successor.series',
    label: 'Series',
    help: 'The series that follows.',
    value: { kind: 'series' },
    required: true,
  },
  successorMethodKey,
  {
    path: 'inputs.*.successor.window',
    label: 'Common periods',
    help: 'With OVERLAP: the number of common periods; if left out, 12 of a monthly, 4 of a quarterly, 2 of a yearly series.',
    value: { kind: 'whole', ...formulaBounds.successorWindow },
  },
  {
    path: 'inputs.*.successor.automatic',
    label: 'By itself',
    help: 'The change needs no further signature than those under this version.',
    value: { kind: 'truth' },
    otherwise: 'false',
  },
  {
    path: 'inputs.*.round',
    label: 'Rounded',
    help: 'Rounds every reading: current, base, previous and last.',
    value: { kind: 'rounding' },
    otherwise: 'NONE',
  },
]
