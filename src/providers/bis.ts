// The Bank for International Settlements' statistics service: SDMX REST 1.x, asked for SDMX-JSON 1.0 by header.
import { getRequest } from './formats/address.ts'
import { judgeCommonStatus, type SdmxDialect } from './formats/sdmx.ts'
import { readSdmxAnswer, type SdmxRules } from './formats/sdmx-answer.ts'
import { type FlowNotation, formatCode, parseCode, requireCode, startYear } from './formats/sdmx-code.ts'
import type { FlowlessTable } from './formats/sdmx-csv.ts'
import type { Provider, ProviderQuery, ProviderRequest } from './provider.ts'
import { bisReleases } from './releases/bis-releases.ts'

const notation: FlowNotation = ['id']
const example = 'WS_EER/M.N.B.DE'

const dialect: SdmxDialect = {
  parseCode: code => parseCode(code, notation),
  writeCode: (flow, key) => formatCode(flow, key, notation),
  hMeansHalfYear: false,
  flagIds: ['OBS_STATUS'],
  judge: judgeCommonStatus,
  nameIds: ['TITLE_TS', 'TITLE'],
  // Quirk BIS-6: only the label of the unit contains the base year.
  unitIds: ['UNIT_MEASURE'],
  baseIds: () => [],
}

// Quirk BIS-4: the table of `format=csv` names no flow and puts attributes before the time. A column that is an attribute
// in one flow (UNIT_MEASURE, COLLECTION) is part of the key in another, so known keys come before known attributes.
const knownKeys: Readonly<Record<string, readonly string[]>> = {
  WS_EER: ['FREQ', 'EER_TYPE', 'EER_BASKET', 'REF_AREA'],
  WS_XRU: ['FREQ', 'REF_AREA', 'CURRENCY', 'COLLECTION'],
  WS_SPP: ['FREQ', 'REF_AREA', 'VALUE', 'UNIT_MEASURE'],
}

const knownAttributes = new Set([
  'AVAILABILITY',
  'BREAKS',
  'COLLECTION',
  'COMPILATION',
  'COVERAGE',
  'DECIMALS',
  'SOURCE_REF',
  'SUPP_INFO_BREAKS',
  'TIME_FORMAT',
  'TITLE',
  'TITLE_GRP',
  'TITLE_TS',
  'UNIT_MEASURE',
  'UNIT_MULT',
])

function flowlessTable(columns: readonly string[]): FlowlessTable {
  for (const [id, key] of Object.entries(knownKeys)) {
    if (key.every((name, at) => columns[at] === name)) {
      return { keyLength: key.length, flow: { agency: 'BIS', id, version: null } }
    }
  }
  const firstAttribute = columns.findIndex(column => knownAttributes.has(column))
  return { keyLength: firstAttribute < 0 ? columns.length : firstAttribute, flow: null }
}

const rules: SdmxRules = {
  dialect,
  keyless: true,
  emptyBody: 'provider-error',
  // Quirks BIS-1 and BIS-7: an empty range and a wrong area both return error 100; neither is a failure.
  nothingFound: () => 'empty',
  dropsLaterDays: false,
  flowlessTable,
}

function request(query: ProviderQuery): readonly ProviderRequest[] {
  return query.codes.map(code => {
    const { flow, key } = requireCode(code, notation, 'BIS', example)
    const start = query.from === null ? '' : `&startPeriod=${startYear(query.from)}`
    return getRequest([code], `/data/BIS,${flow.id},1.0/${key.join('.')}?detail=full${start}`, {
      headers: { Accept: 'application/vnd.sdmx.data+json;version=1.0.0' },
    })
  })
}

export const bis: Provider = {
  name: 'BIS',
  title: 'Bank for International Settlements',
  shortTitle: 'BIS',
  home: 'https://data.bis.org/',
  // Quirks BIS-2 and BIS-3 concern version 2 of the service; version 1 accepts keys as they are.
  baseUrl: 'https://stats.bis.org/api/v1',
  hosts: ['stats.bis.org'],
  key: 'none',
  limits: { requestsPerMinute: 30, requestsPerDay: null, seriesPerRequest: 1 },
  askEveryMinutes: 360,
  publishes: 'on announced days, most flows monthly or quarterly',
  dataTypeOf: code => (code.startsWith('WS_XRU/') ? 'FX' : null),
  habits: { delayDays: { DAILY: 7, MONTHLY: 20, QUARTERLY: 100 } },
  codeNotation: 'flow/key',
  codeExample: example,
  terms: 'Free use with the source named, under the conditions on the site.',
  request,
  read: answer => readSdmxAnswer(answer, rules),
  releases: bisReleases,
}
