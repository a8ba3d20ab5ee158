// The release calendar of the BIS: a flow of its own statistics service whose values are days, written as numbers. A series
// belongs to the release of its flow.

import { civilOf, formatDay, parseDay } from '../../core/time/day.ts'
import { getRequest } from '../formats/address.ts'
import { problem } from '../formats/problem.ts'
import { judgeCommonStatus } from '../formats/sdmx.ts'
import { readSdmxAnswer, type SdmxRules } from '../formats/sdmx-answer.ts'
import { formatCode, parseCode } from '../formats/sdmx-code.ts'
import type { Answer, ParsedReleases, ReleasesPart, ReleasesQuery } from '../provider.ts'
import { failedReleases, readEntries } from './release-entries.ts'

const zone = 'Europe/Zurich'
const flow = { agency: 'BIS', id: 'BIS_REL_CAL', version: null }

/** The flows, the categories of the calendar and their names; house prices are told apart by their kind as well. */
const flows: readonly (readonly [flow: string, release: string, title: string])[] = [
  ['WS_CBPOL', 'CBPOL', 'Central bank policy rates'],
  ['WS_CBTA', 'CBTA', 'Central bank total assets'],
  ['WS_CBS_PUB', 'CBS', 'Consolidated banking statistics'],
  ['WS_LBS_D_PUB', 'LBS', 'Locational banking statistics'],
  ['WS_GLI', 'GLI', 'Global liquidity indicators'],
  ['WS_TC', 'TOTAL_CREDIT', 'Credit to the non-financial sector'],
  ['WS_CREDIT_GAP', 'CREDIT_GAPS', 'Credit-to-GDP gaps'],
  ['WS_DSR', 'DSR', 'Debt service ratios'],
  ['WS_EER', 'EER', 'Effective exchange rates'],
  ['WS_XRU', 'XRU', 'US dollar exchange rates'],
  ['WS_LONG_CPI', 'CPI', 'Consumer prices'],
  ['WS_SPP', 'RPP.SPP', 'Selected residential property prices'],
  ['WS_DPP', 'RPP.DPP', 'Detailed residential property prices'],
  ['WS_CPP', 'CPP', 'Commercial property prices'],
]

const releaseOfFlow: ReadonlyMap<string, string> = new Map(flows.map(([flow, release]) => [flow, release]))
const titles: ReadonlyMap<string, string> = new Map(flows.map(([, release, title]) => [release, title]))

const rules: SdmxRules = {
  dialect: {
    parseCode: code => parseCode(code, ['id']),
    writeCode: (_flow, key) => formatCode(null, key, ['id']),
    hMeansHalfYear: true,
    flagIds: ['OBS_STATUS'],
    judge: judgeCommonStatus,
    nameIds: [],
    unitIds: [],
    baseIds: () => [],
  },
  keyless: true,
  emptyBody: 'provider-error',
  nothingFound: () => 'unknown-series',
  dropsLaterDays: false,
  flowlessTable: () => ({ keyLength: 3, flow }),
}

export const bisReleases: ReleasesPart = {
  zone,
  requests,
  read,
  releaseOf: code => releaseOfFlow.get(parseCode(code, ['id'])?.flow.id ?? '') ?? null,
}

function requests({ today }: ReleasesQuery) {
  // Quirk BIS-10: the calendar is asked for as a table, the only form that is known to be served.
  const path = `/data/BIS,${flow.id},1.0/all?format=csv&startPeriod=${civilOf(today).year - 2}`
  return [getRequest([], path)]
}

function read(answer: Answer): ParsedReleases {
  const parsed = readSdmxAnswer({ ...answer, codes: [], url: null }, rules)
  const entries = parsed.series.flatMap(({ code, observations }) => {
    const [, category = '', kind = ''] = code.split('.')
    const release = [category, `${category}.${kind}`].find(name => titles.has(name))
    if (release === undefined) return []
    return observations.map(({ period, value }) => {
      const day = /^\d{8}$/.test(value) ? parseDay(`${value.slice(0, 4)}-${value.slice(4, 6)}-${value.slice(6)}`) : null
      return {
        release,
        title: titles.get(release)!,
        periodText: period,
        at: day === null ? null : formatDay(day),
        writtenAt: value,
        status: 'DATE_ONLY' as const,
        sourceId: `${code}/${period}`,
      }
    })
  })
  if (parsed.problems.length > 0 && entries.length === 0) return failedReleases(parsed.problems)
  if (entries.length === 0)
    return failedReleases([problem('unreadable', 'the calendar has no entry of a flow that is known')])
  const read = readEntries(entries, zone)
  return { ...read, problems: [...read.problems, ...parsed.problems] }
}
