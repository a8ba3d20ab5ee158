// The European Central Bank's data portal: SDMX REST 1.x, asked for CSV with full detail, read in any format it serves.
import { getRequest } from './formats/address.ts'
import { judgeCommonStatus, type SdmxDialect } from './formats/sdmx.ts'
import { readSdmxAnswer, type SdmxRules } from './formats/sdmx-answer.ts'
import { type FlowNotation, formatCode, parseCode, requireCode, startYear } from './formats/sdmx-code.ts'
import type { Provider, ProviderQuery, ProviderRequest } from './provider.ts'

// Quirks ECB-1 and ECB-2: the flow ICP stopped at 2025-12 and HICP continues it on another base. The flow is part of the
// code, so they are two series; the overdue notice of ingest reports the one that stopped.
const notation: FlowNotation = ['id']
const example = 'EXR/D.USD.EUR.SP00.A'

const dialect: SdmxDialect = {
  parseCode: code => parseCode(code, notation),
  writeCode: (flow, key) => formatCode(flow, key, notation),
  // Quirk ECB-8.
  hMeansHalfYear: true,
  flagIds: ['OBS_STATUS'],
  judge: judgeCommonStatus,
  nameIds: ['TITLE'],
  unitIds: ['UNIT', 'UNIT_MEASURE'],
  // Quirk ECB-4: the base of an exchange rate means nothing.
  baseIds: flow => (flow?.id === 'EXR' ? [] : ['UNIT_INDEX_BASE']),
}

const rules: SdmxRules = {
  dialect,
  keyless: true,
  emptyBody: 'provider-error',
  // An unknown code is an error here, never an empty list.
  nothingFound: () => 'unknown-series',
  // Quirk ECB-9: announced changes have future dates. CSV has no date of its own, so there the caller's clock decides.
  dropsLaterDays: true,
}

function request(query: ProviderQuery): readonly ProviderRequest[] {
  return query.codes.map(code => {
    const { flow, key } = requireCode(code, notation, 'ECB', example)
    // `updatedAfter` is not used: its delta does not distinguish withdrawn values from unchanged ones.
    const start = query.from === null ? '' : `&startPeriod=${startYear(query.from)}`
    return getRequest([code], `/data/${flow.id}/${key.join('.')}?format=csvdata&detail=full${start}`, {
      headers: { Accept: 'text/csv' },
    })
  })
}

export const ecb: Provider = {
  name: 'ECB',
  title: 'European Central Bank',
  shortTitle: 'ECB',
  home: 'https://data.ecb.europa.eu/',
  baseUrl: 'https://data-api.ecb.europa.eu/service',
  hosts: ['data-api.ecb.europa.eu'],
  key: 'none',
  limits: { requestsPerMinute: 60, requestsPerDay: null, seriesPerRequest: 1 },
  askEveryMinutes: 60,
  publishes:
    'reference rates on working days about 16:00 Central European Time; monthly and quarterly series by calendar',
  calendar: { zone: 'Europe/Berlin', times: [{ minute: 5, hours: '16,17', days: '1-5' }] },
  dataTypeOf: code => (code.startsWith('EXR/') ? 'FX' : null),
  habits: {
    adjustedCodes: /^[A-Z]+\/[A-Z]\.[A-Z0-9]+\.(?:Y|S)\./,
    delayDays: { DAILY: 1, MONTHLY: 18, QUARTERLY: 75 },
  },
  codeNotation: 'flow/key',
  codeExample: example,
  terms: 'Free use with the source named.',
  request,
  read: answer => readSdmxAnswer(answer, rules),
}
