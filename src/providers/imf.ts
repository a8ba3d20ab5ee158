// The IMF's data portal: SDMX REST 2.x ("3.0"), SDMX-JSON 2.0; answers of its 2.1 service can be read too.

import { Refusal } from '../core/refusal.ts'
import { dayOf } from '../core/time/day.ts'
import { type ForecastRule, judgeCommonStatus, type SdmxCursor, type SdmxDialect } from './formats/sdmx.ts'
import { readSdmxAnswer, type SdmxRules } from './formats/sdmx-answer.ts'
import {
  type FlowNotation,
  formatCode,
  parseCode,
  requireCode,
  type SdmxCode,
  type SdmxFlow,
  startYear,
} from './formats/sdmx-code.ts'
import type { Provider, ProviderQuery, ProviderRequest } from './provider.ts'

// Quirk IMF-7: the agency is the department and part of the address. Quirk IMF-8: versions change, so codes have none.
const notation: FlowNotation = ['agency', 'id']
const example = 'IMF.RES,PCPS/G001.PLITH.USD.M'

const regionalOutlook = /REO(?:_|$)/
const worldOutlook = /^WEO(?:_|$)/

/** Quirk IMF-5: forecasts look like data. Only answers that name the last actual year show which values are actual. */
function forecastsOf(flow: SdmxFlow | null, cursor: SdmxCursor): ForecastRule {
  const year = /\d{4}/.exec(cursor.find('LATEST_ACTUAL_ANNUAL_DATA')?.code ?? '')
  if (year) return { after: dayOf(Number.parseInt(year[0], 10), 12, 31) }
  return flow !== null && (worldOutlook.test(flow.id) || regionalOutlook.test(flow.id)) ? 'all' : 'none'
}

const dialect: SdmxDialect = {
  parseCode: code => parseCode(code, notation),
  writeCode: (flow, key) => formatCode(flow, key, notation),
  hMeansHalfYear: false,
  // STATUS is free text and does not say whether a value is preliminary; OBS_STATUS, if a flow has it, uses the common list.
  flagIds: ['STATUS', 'OBS_STATUS'],
  judge: (flag, id) => (id === 'OBS_STATUS' ? judgeCommonStatus(flag) : 'FINAL'),
  nameIds: ['SERIES_NAME'],
  // Quirks IMF-3 and IMF-4: SCALE is for display and is ignored; UNIT_MULT of the old service was a real multiplier.
  unitIds: ['UNIT', 'UNIT_MEASURE'],
  baseIds: () => ['BASE_YEAR'],
  forecastsOf,
}

const rules: SdmxRules = {
  dialect,
  keyless: true,
  // Quirk IMF-1: an unknown flow is HTTP 204 without a body.
  emptyBody: 'unknown-series',
  nothingFound: () => 'unknown-series',
  dropsLaterDays: false,
}

function requireIndexCode(code: string): SdmxCode {
  const parsed = requireCode(code, notation, 'IMF', example)
  if (regionalOutlook.test(parsed.flow.id)) {
    const message = `${parsed.flow.id} mixes figures and forecasts without marking them, so its series are not read`
    throw new Refusal('invalid', message)
  }
  return parsed
}

function request(query: ProviderQuery): readonly ProviderRequest[] {
  return query.codes.map(code => {
    const { flow, key } = requireIndexCode(code)
    const start = query.from === null ? '' : `&c%5BTIME_PERIOD%5D=ge:${startYear(query.from)}-01`
    const parameters = `?dimensionAtObservation=TIME_PERIOD&attributes=dsd&measures=all${start}`
    return {
      codes: [code],
      method: 'GET',
      path: `/data/dataflow/${flow.agency}/${flow.id}/%2B/${key.join('.')}${parameters}`,
      // Quirk IMF-10: the content type of the answer is plain JSON; the body shows the format.
      headers: { Accept: 'application/json' },
      body: null,
      secrets: [],
    }
  })
}

export const imf: Provider = {
  name: 'IMF',
  title: 'International Monetary Fund',
  shortTitle: 'IMF',
  home: 'https://data.imf.org/',
  baseUrl: 'https://api.imf.org/external/sdmx/3.0',
  hosts: ['api.imf.org'],
  key: 'none',
  limits: { requestsPerMinute: 30, requestsPerDay: null, seriesPerRequest: 1 },
  askEveryMinutes: 360,
  publishes: 'commodity prices early in each month; other flows on announced days',
  habits: { delayDays: { MONTHLY: 20 } },
  codeNotation: 'agency,flow/key',
  codeExample: example,
  terms: 'IMF copyright and terms of use, with a citation asked for; to be checked before data are passed on.',
  request,
  read: answer => readSdmxAnswer(answer, rules),
}
