// The documented objects of the API as exact shapes: every field present, no others, each with its type. Each check returns
// what is wrong, so that a fuzz run can collect it and a test can expect nothing.

type Check = (value: unknown, path: string) => string[]

const show = (value: unknown) => JSON.stringify(value)?.slice(0, 80) ?? String(value)
const wrong = (path: string, rule: string, value: unknown) => [
  `${path || 'the answer'} must be ${rule}, got ${show(value)}`,
]

function object(fields: Readonly<Record<string, Check>>, optional: Readonly<Record<string, Check>> = {}): Check {
  return (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong(path, 'an object', value)
    const held = value as Record<string, unknown>
    const extra = Object.keys(held).filter(key => !(key in fields) && !(key in optional))
    return [
      ...extra.map(key => `${path}.${key} is not documented`),
      ...Object.entries(fields).flatMap(([key, check]) =>
        key in held ? check(held[key], `${path}.${key}`) : [`${path}.${key} is missing`],
      ),
      ...Object.entries(optional).flatMap(([key, check]) => (key in held ? check(held[key], `${path}.${key}`) : [])),
    ]
  }
}

const list =
  (item: Check): Check =>
  (value, path) =>
    Array.isArray(value) ? value.flatMap((each, i) => item(each, `${path}[${i}]`)) : wrong(path, 'a list', value)

const text =
  (pattern: RegExp = /^/): Check =>
  (value, path) =>
    typeof value === 'string' && pattern.test(value) ? [] : wrong(path, `a text like ${pattern}`, value)

const oneOf =
  (...choices: readonly unknown[]): Check =>
  (value, path) =>
    choices.includes(value) ? [] : wrong(path, `one of ${choices.join(', ')}`, value)

const orNull =
  (check: Check): Check =>
  (value, path) =>
    value === null ? [] : check(value, path)

const whole: Check = (value, path) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? [] : wrong(path, 'a whole number', value)
const number: Check = (value, path) =>
  typeof value === 'number' && Number.isFinite(value) ? [] : wrong(path, 'a number', value)
const flag: Check = oneOf(true, false)
const anything: Check = () => []

const milliseconds = text(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const microseconds = text(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
const midnight = text(/^\d{4}-\d\d-\d\dT00:00:00\.000Z$/)
const day = text(/^\d{4}-\d\d-\d\d$/)
const decimal = text(/^-?\d+(?:\.\d+)?$/)
const tag = oneOf('PRELIMINARY', 'FINAL', 'REVISED')
const frequency = oneOf('DAILY', 'WEEKLY', 'MONTHLY', 'QUARTERLY', 'SEMIANNUAL', 'ANNUAL')
const label = text(/^\d{4}(?:-(?:Q[1-4]|H[12]|W\d\d|\d\d(?:-\d\d)?))?$/)
const seriesId = text(/^ser_[0-9a-z]{26}$/)
const agreementId = text(/^pam_[0-9a-z]{26}$/)

export const documentProviders = [
  'BLS',
  'FRED',
  'EIA',
  'ECB',
  'WORLD_BANK',
  'IMF',
  'EUROSTAT',
  'ONS',
  'STATCAN',
  'ABS',
  'BIS',
  'BOJ',
  'OECD',
  'DBNOMICS',
  'NASDAQ_DATA_LINK',
]

const header = object({ id: seriesId, seriesCode: text(/./), name: text(/./), unit: text(), frequency })
const series = object({
  id: seriesId,
  seriesCode: text(/./),
  name: text(/./),
  provider: oneOf(...documentProviders, 'CUSTOM'),
  dataType: oneOf('INDEX', 'PRICE', 'RATE', 'FX', 'WAGE'),
  unit: text(),
  frequency,
  createdAt: milliseconds,
})
const pagination = object({ limit: whole, hasMore: flag, nextCursor: orNull(text(/^[A-Za-z0-9_-]+$/)) })
const observation = object({ asOfDate: midnight, value: decimal, versionTag: tag })
const summaryObservation = object({ period: label, value: decimal, version: tag, asOf: day })
const vintage = object({
  asOfDate: midnight,
  value: orNull(decimal),
  versionTag: orNull(tag),
  flag: orNull(text()),
  publishedAt: microseconds,
  recordedAt: microseconds,
})
const agreementSummary = {
  id: agreementId,
  name: text(/./),
  description: text(),
  status: oneOf('DRAFT', 'ACTIVE', 'SUSPENDED', 'EXPIRED', 'ARCHIVED'),
  createdAt: milliseconds,
  updatedAt: milliseconds,
}
const signature = object({ algorithm: oneOf('Ed25519'), publicKey: text(/./), value: text(/./) })
const calculationEntry = object(
  {
    period: label,
    adjustmentDate: day,
    adjustmentPct: decimal,
    cumulativePct: decimal,
    formulaVersion: whole,
    dataVersion: tag,
    components: list(
      object({
        input: text(/./),
        series: text(/\//),
        seriesId: orNull(text(/^ser_/)),
        weight: decimal,
        change: decimal,
        contribution: decimal,
      }),
    ),
    steps: list(object({ name: text(/./), value: text(/^-?\d+(?:\.\d+)?…?$/) }, { shown: decimal })),
    observations: list(
      object(
        {
          input: text(/./),
          series: text(/./),
          seriesId: orNull(text(/^ser_/)),
          period: label,
          value: decimal,
          version: tag,
          published: text(/^\d{4}-/),
        },
        { recorded: microseconds },
      ),
    ),
    controls: list(object({ control: text(/./), points: decimal })),
    confirmed: object({ buyer: orNull(day), supplier: orNull(day) }),
  },
  { price: decimal, currency: text(/./), unit: text(/^/), per: decimal },
)

export const shapes = {
  error: object({ error: text(/\S/) }),
  health: object({ status: oneOf('ok'), version: oneOf('v1'), timestamp: milliseconds }),
  seriesList: object({ data: list(series), pagination }),
  values: object({ series: header, data: list(observation), total: whole }),
  summaryValues: object({ series: header, data: list(summaryObservation), total: whole }),
  vintages: object({ series: header, data: list(vintage) }),
  pamList: object({ data: list(object(agreementSummary)), pagination }),
  pam: object({
    data: object({
      ...agreementSummary,
      contractStartDate: midnight,
      contractEndDate: orNull(midnight),
      adjustmentFrequency: text(
        /^(?:DAILY|WEEKLY|MONTHLY|QUARTERLY|SEMIANNUAL|ANNUAL|ONCE|EVERY_\d+_(?:MONTHS|WEEKS)|DATES)$/,
      ),
    }),
  }),
  pamValues: object({
    data: list(object({ adjustmentDate: midnight, adjustmentPct: decimal, cumulativePct: decimal })),
  }),
  adjustment: object({
    period: label,
    adjustmentPct: number,
    cumulativeAdjustmentPct: number,
    dataVersion: tag,
    formulaVersion: whole,
    confirmed: object({ buyer: orNull(day), supplier: orNull(day) }),
    components: list(object({ series: text(/./), weight: number, change: number })),
  }),
  calculation: object({
    pam: text(/./),
    formulaVersion: whole,
    adjustments: list(calculationEntry),
    blocked: list(object({ period: label, reason: text(/./) })),
  }),
  receipt: object({
    hash: text(/^[0-9a-f]{64}$/),
    body: anything,
    signatures: list(anything),
    seal: signature,
  }),
} as const

export type ShapeName = keyof typeof shapes

/** What is wrong with a body; nothing when it is JSON of exactly this shape. */
export function problemsOf(shape: ShapeName, body: string): string[] {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return [`not JSON: ${body.slice(0, 80)}`]
  }
  return shapes[shape](json, '')
}
