// The OECD's Data Explorer API: SDMX REST 1.x, asked for CSV with full detail, many series in one key.
import { judgeCommonStatus, type SdmxDialect } from './formats/sdmx.ts'
import { readSdmxAnswer, type SdmxRules } from './formats/sdmx-answer.ts'
import {
  type FlowNotation,
  groupByKey,
  parseCode,
  requireCode,
  type SdmxFlow,
  startYear,
  writeCode,
} from './formats/sdmx-code.ts'
import type { Provider, ProviderRequest, Question } from './provider.ts'

const notation: FlowNotation = ['agency', 'id', 'version']
const example = 'OECD.SDD.TPS,DSD_PRICES@DF_PRICES_ALL,1.0/GBR.A.N.CPI.PA._T.N.GY'

// Quirk OECD-11: sixty downloads an hour, so series that differ in one part of the key are asked for together.
const seriesPerRequest = 25

/** Quirk OECD-8: Economic Outlook flows run into the future and mark nothing, so nothing is taken from them. */
function holdsForecasts(flow: SdmxFlow | null): boolean {
  return flow !== null && /(?:^|@)(?:DF_)?EO(?:_|$)|^DSD_EO(?:_|@|$)/.test(flow.id)
}

const dialect: SdmxDialect = {
  parseCode: code => parseCode(code, notation),
  writeCode: (flow, key) => writeCode(flow, key, notation),
  hMeansHalfYear: false,
  flagIds: ['OBS_STATUS'],
  judge: judgeCommonStatus,
  nameIds: ['TITLE'],
  // Quirk OECD-5: a multiplier of 9999 is no power of ten; the collector takes two digits at most.
  unitIds: ['UNIT_MEASURE'],
  baseIds: () => ['BASE_PER'],
  forecastsOf: flow => (holdsForecasts(flow) ? 'all' : 'none'),
}

const rules: SdmxRules = {
  dialect,
  keyless: true,
  emptyBody: 'provider-error',
  nothingFound: () => 'empty',
  dropsLaterDays: false,
}

function request(question: Question): readonly ProviderRequest[] {
  const codes = question.codes.map(code => ({ code, parsed: requireCode(code, notation, 'OECD', example) }))
  const start = question.from === null ? '' : `&startPeriod=${startYear(question.from)}`
  // Quirk OECD-1: less than full detail drops the multiplier, the base and the status without a word.
  const query = `?detail=full&dimensionAtObservation=AllDimensions&format=csvfile${start}`
  return groupByKey(codes, seriesPerRequest).map(group => ({
    codes: group.codes,
    method: 'GET',
    // Quirk OECD-4: the `@` of a flow is sent as it is.
    path: `/data/${group.flow.agency},${group.flow.id},${group.flow.version}/${group.key}${query}`,
    headers: {},
    body: null,
    secrets: [],
  }))
}

export const oecd: Provider = {
  name: 'OECD',
  title: 'Organisation for Economic Co-operation and Development',
  shortTitle: 'OECD',
  home: 'https://data-explorer.oecd.org/',
  // Quirks OECD-3 and OECD-12 are of the second version of the service, which is not asked.
  baseUrl: 'https://sdmx.oecd.org/public/rest',
  hosts: ['sdmx.oecd.org'],
  key: 'none',
  limits: { requestsPerMinute: 1, requestsPerDay: 1440, seriesPerRequest },
  askEveryMinutes: 360,
  releases: 'by calendar; consumer prices early in each month',
  habits: { delayDays: { MONTHLY: 35, QUARTERLY: 60 } },
  codeNotation: 'agency,flow,version/key',
  codeExample: example,
  terms: 'Free reuse with the source named under the OECD terms.',
  request,
  read: answer => readSdmxAnswer(answer, rules),
}
