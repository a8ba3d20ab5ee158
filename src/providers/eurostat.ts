// Eurostat's dissemination API: SDMX 2.1 as CSV, and JSON-stat from the statistics service, read by the same rules.
import { getRequest } from './formats/address.ts'
import type { Failure } from './formats/failure.ts'
import type { SdmxDialect, Verdict } from './formats/sdmx.ts'
import { readSdmxAnswer, type SdmxRules } from './formats/sdmx-answer.ts'
import { type FlowNotation, formatCode, parseCode, requireCode, startYear } from './formats/sdmx-code.ts'
import type { Provider, ProviderQuery, ProviderRequest } from './provider.ts'
import { eurostatReleases } from './releases/eurostat-releases.ts'

// Quirks EUROSTAT-6, -8 and -9: discontinued sets, changing area codes and new bases all have different keys, so they are
// different series; none of them needs code here.
const notation: FlowNotation = ['id']
const example = 'prc_hicp_minr/M.I25.TOTAL.AT'

/** Quirks EUROSTAT-4 and -5: flag letters may be combined; what follows a bar is confidentiality, not the flag. */
function judge(status: string): Verdict {
  const [flag = '', confidentiality = ''] = status.split('|')
  if (flag.includes('m') || flag.includes(':') || confidentiality.includes('C')) return 'missing'
  if (flag.includes('f')) return 'forecast'
  return flag.includes('p') || flag.includes('e') ? 'PRELIMINARY' : 'FINAL'
}

const dialect: SdmxDialect = {
  parseCode: code => parseCode(code, notation),
  writeCode: (flow, key) => formatCode(flow === null ? null : { ...flow, id: flow.id.toLowerCase() }, key, notation),
  // Quirk EUROSTAT-13: H means hourly.
  hMeansHalfYear: false,
  flagIds: ['OBS_FLAG'],
  judge,
  nameIds: ['TITLE'],
  unitIds: ['unit'],
  baseIds: () => [],
  missingReason: cursor => (cursor.find('CONF_STATUS') === null ? null : 'confidential'),
}

/** Quirk EUROSTAT-2: code 100 is an empty range, unless the body says that the data set itself does not exist. */
function nothingFound(failure: Failure, status: number): 'empty' | 'unknown-series' {
  const isUnknown = failure.status === 404 || status === 404 || /NOT_FOUND|not available/i.test(failure.message)
  return isUnknown ? 'unknown-series' : 'empty'
}

const rules: SdmxRules = { dialect, keyless: true, emptyBody: 'provider-error', nothingFound, dropsLaterDays: false }

function request(query: ProviderQuery): readonly ProviderRequest[] {
  return query.codes.map(code => {
    const { flow, key } = requireCode(code, notation, 'EUROSTAT', example)
    const start = query.from === null ? '' : `&startPeriod=${startYear(query.from)}`
    return getRequest(
      [code],
      // Quirk EUROSTAT-11: `Accept` is ignored; the format is part of the address.
      `/sdmx/2.1/data/${flow.id}/${key.join('.')}?format=SDMX-CSV${start}`,
    )
  })
}

export const eurostat: Provider = {
  name: 'EUROSTAT',
  title: 'Eurostat',
  shortTitle: 'Eurostat',
  home: 'https://ec.europa.eu/eurostat/data/database',
  baseUrl: 'https://ec.europa.eu/eurostat/api/dissemination',
  hosts: ['ec.europa.eu'],
  key: 'none',
  limits: { requestsPerMinute: 60, requestsPerDay: null, seriesPerRequest: 1 },
  askEveryMinutes: 60,
  publishes: 'sets are updated at 11:00 and 23:00 Central European Time',
  calendar: { zone: 'Europe/Luxembourg', times: [{ minute: 5, hours: '11,23', days: '*' }] },
  habits: {
    adjustedCodes: /(?:^|[./])(?:SA|SCA|SWDA)(?:[./]|$)/,
    delayDays: { MONTHLY: 30, QUARTERLY: 78, ANNUAL: 120 },
  },
  codeNotation: 'set/key, the set in lower case',
  codeExample: example,
  terms: 'Free reuse with the source named; some third-party data are excepted.',
  request,
  read: answer => readSdmxAnswer(answer, rules),
  releases: eurostatReleases,
}
