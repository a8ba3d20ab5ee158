// The OECD's Data Explorer API: SDMX REST 1.x, asked for CSV with full detail, many series in one key.
import { getRequest } from './formats/address.ts'
import { judgeCommonStatus, type SdmxDialect } from './formats/sdmx.ts'
import { readSdmxAnswer, type SdmxRules } from './formats/sdmx-answer.ts'
import {
  type FlowNotation,
  formatCode,
  groupByKey,
  parseCode,
  requireCode,
  type SdmxFlow,
  startYear,
} from './formats/sdmx-code.ts'
import type { Provider, ProviderQuery, ProviderRequest } from './provider.ts'

const notation: FlowNotation = ['agency', 'id', 'version']
const example = 'OECD.SDD.TPS,DSD_PRICES@DF_PRICES_ALL,1.0/GBR.A.N.CPI.PA._T.N.GY'

// Quirk OECD-11: sixty downloads an hour, so series that differ in one part of the key are requested together.
const seriesPerRequest = 25

/** Quirk OECD-8: Economic Outlook flows contain forecasts without a mark, so they are not read. */
function holdsForecasts(flow: SdmxFlow | null): boolean {
  return flow !== null && /(?:^|@)(?:DF_)?EO(?:_|$)|^DSD_EO(?:_|@|$)/.test(flow.id)
}

const dialect: SdmxDialect = {
  parseCode: code => parseCode(code, notation),
  writeCode: (flow, key) => formatCode(flow, key, notation),
  hMeansHalfYear: false,
  flagIds: ['OBS_STATUS'],
  judge: judgeCommonStatus,
  nameIds: ['TITLE'],
  // Quirk OECD-5: a multiplier of 9999 is not a power of ten; the collector accepts at most two digits.
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

function request(query: ProviderQuery): readonly ProviderRequest[] {
  const codes = query.codes.map(code => ({ code, parsed: requireCode(code, notation, 'OECD', example) }))
  const start = query.from === null ? '' : `&startPeriod=${startYear(query.from)}`
  // Quirk OECD-1: less than full detail silently drops the multiplier, the base and the status.
  const parameters = `?detail=full&dimensionAtObservation=AllDimensions&format=csvfile${start}`
  return groupByKey(codes, seriesPerRequest).map(group =>
    getRequest(
      group.codes,
      // Quirk OECD-4: the `@` of a flow is sent as it is.
      `/data/${group.flow.agency},${group.flow.id},${group.flow.version}/${group.key}${parameters}`,
    ),
  )
}

export const oecd: Provider = {
  name: 'OECD',
  title: 'Organisation for Economic Co-operation and Development',
  shortTitle: 'OECD',
  home: 'https://data-explorer.oecd.org/',
  // Quirks OECD-3 and OECD-12 concern version 2 of the service, which is not used.
  baseUrl: 'https://sdmx.oecd.org/public/rest',
  hosts: ['sdmx.oecd.org'],
  key: 'none',
  limits: { requestsPerMinute: 1, requestsPerDay: 1440, seriesPerRequest },
  askEveryMinutes: 360,
  publishes: 'on announced days; consumer prices early in each month',
  habits: { delayDays: { MONTHLY: 35, QUARTERLY: 60 } },
  codeNotation: 'agency,flow,version/key',
  codeExample: example,
  terms: 'Free reuse with the source named under the OECD terms.',
  request,
  read: answer => readSdmxAnswer(answer, rules),
}
