// The Australian Bureau of Statistics' Data API (.Stat Suite, SDMX REST 1.x), asked for CSV with the version pinned.
import { getRequest } from './formats/address.ts'
import type { SdmxDialect, Verdict } from './formats/sdmx.ts'
import { readSdmxAnswer, type SdmxRules } from './formats/sdmx-answer.ts'
import { type FlowNotation, formatCode, parseCode, requireCode, startYear } from './formats/sdmx-code.ts'
import type { Provider, ProviderQuery, ProviderRequest } from './provider.ts'

// Quirks ABS-1 and ABS-2: the version of a flow carries the base, so it is part of the code and always given.
const notation: FlowNotation = ['id', 'version']
const example = 'CPI,2.0.0/1.10001.10.50.Q'

// Quirk ABS-5: the letters are the bureau's own; only here does `r` mean revised.
const statuses: Readonly<Record<string, Verdict>> = {
  p: 'PRELIMINARY',
  k: 'PRELIMINARY',
  r: 'REVISED',
  m: 'missing',
  n: 'missing',
  q: 'missing',
  s: 'missing',
  t: 'missing',
  u: 'missing',
  v: 'missing',
}

const reasons: Readonly<Record<string, string>> = {
  m: 'not recorded',
  n: 'not for publication',
  q: 'not available',
  s: 'not available because of a break',
  t: 'not yet available',
  u: 'not applicable',
  v: 'not for publication',
}

const dialect: SdmxDialect = {
  parseCode: code => parseCode(code, notation),
  writeCode: (flow, key) => formatCode(flow, key, notation),
  hMeansHalfYear: false,
  flagIds: ['OBS_STATUS'],
  judge: flag => (Object.hasOwn(statuses, flag) ? statuses[flag]! : 'FINAL'),
  nameIds: ['TITLE'],
  // Quirk ABS-4: each series has its own multiplier, which is read with it.
  unitIds: ['UNIT_MEASURE'],
  baseIds: () => ['BASE_PERIOD'],
  missingReason: cursor => reasons[cursor.find('OBS_STATUS')?.code ?? ''] ?? null,
}

const rules: SdmxRules = {
  dialect,
  keyless: true,
  emptyBody: 'provider-error',
  nothingFound: () => 'empty',
  dropsLaterDays: false,
}

function request(query: ProviderQuery): readonly ProviderRequest[] {
  return query.codes.map(code => {
    const { flow, key } = requireCode(code, notation, 'ABS', example)
    const start = query.from === null ? '' : `&startPeriod=${startYear(query.from)}`
    return getRequest([code], `/data/ABS,${flow.id},${flow.version}/${key.join('.')}?format=csv&detail=full${start}`)
  })
}

export const abs: Provider = {
  name: 'ABS',
  title: 'Australian Bureau of Statistics',
  shortTitle: 'ABS',
  home: 'https://www.abs.gov.au/statistics',
  baseUrl: 'https://data.api.abs.gov.au/rest',
  hosts: ['data.api.abs.gov.au'],
  key: 'none',
  limits: { requestsPerMinute: 30, requestsPerDay: null, seriesPerRequest: 1 },
  askEveryMinutes: 60,
  publishes: 'at 11:30 Canberra time on release days',
  calendar: { zone: 'Australia/Sydney', times: [{ minute: 33, hours: '11', days: '1-5' }] },
  habits: {
    adjustedCodes: /^[^/]+\/[^/]*\.20\.[^/]*$/,
    delayDays: { MONTHLY: 28, QUARTERLY: 30, SEMIANNUAL: 56 },
  },
  codeNotation: 'flow,version/key',
  codeExample: example,
  terms: 'CC BY 4.0.',
  request,
  read: answer => readSdmxAnswer(answer, rules),
}
