import { describe, expect, test } from 'vitest'
import { parseDay } from '../../core/time/day.ts'
import type { ParsedReleases } from '../provider.ts'
import { bisReleases } from './bis-releases.ts'

const read = (body: string, status = 200): ParsedReleases =>
  bisReleases.read({ status, contentType: 'text/csv', url: null, codes: [], body })

const header = 'FREQ,CATEGORY,RELEASE_TYPE,TIME_PERIOD,OBS_VALUE,OBS_STATUS,OBS_PRE_BREAK,OBS_CONF,COMMENTARY'
const table = (...rows: readonly string[]) => `${[header, ...rows].join('\n')}\n`

describe('reading the calendar of the BIS', () => {
  test('the value is the day of the publication', () => {
    const parsed = read(
      table(
        'M,RPP,DPP,2026-09,20261126,A,,F,',
        'Q,RPP,SPP,2026-Q2,20261126,A,,F,',
        'Q,TOTAL_CREDIT,S,2026-Q2,20261207,A,,F,',
        'A,CPMI_FMI,S,2024,20260427,A,,F,',
        'M,EER,S,2026-10,20261117,A,,F,',
      ),
    )
    expect(parsed).toEqual({
      releases: [
        {
          release: 'RPP.DPP',
          title: 'Detailed residential property prices',
          period: '2026-09',
          at: '2026-11-26',
          zone: 'Europe/Zurich',
          status: 'DATE_ONLY',
          sourceId: 'M.RPP.DPP/2026-09',
        },
        expect.objectContaining({ release: 'RPP.SPP', period: '2026-Q2', at: '2026-11-26' }),
        expect.objectContaining({ release: 'TOTAL_CREDIT', period: '2026-Q2', at: '2026-12-07' }),
        expect.objectContaining({ release: 'EER', period: '2026-10', at: '2026-11-17' }),
      ],
      series: [],
      unread: [],
      problems: [],
    })
  })

  test('the newer kind of table, with the flow in each row, is read too', () => {
    const columns = 'STRUCTURE,STRUCTURE_ID,ACTION,FREQ,CATEGORY,RELEASE_TYPE,TIME_PERIOD,OBS_VALUE'
    const parsed = read(`${columns}\ndataflow,BIS:BIS_REL_CAL(1.0),I,M,CBPOL,S,2026-10,20261119\n`)
    expect(parsed.releases).toMatchObject([{ release: 'CBPOL', period: '2026-10', at: '2026-11-19' }])
  })

  test.each([
    ['a figure', 'M,EER,S,2026-10,1.5,A,,F,'],
    ['a day that does not exist', 'M,EER,S,2026-10,20261131,A,,F,'],
    ['too many digits', 'M,EER,S,2026-10,202611171,A,,F,'],
    ['a date before its period', 'M,EER,S,2026-10,20260117,A,,F,'],
    ['an unlikely year', 'M,EER,S,2026-10,29991117,A,,F,'],
    ['no date', 'M,EER,S,2026-10,,M,,F,'],
    ['a period of another kind', 'M,EER,S,October,20261117,A,,F,'],
    ['only categories that are not known', 'A,CPMI_FMI,S,2024,20260427,A,,F,'],
    ['a row that is cut', 'M,EER,S,2026-10,2026'],
  ])('%s: a problem and no date', (_, row) => {
    const parsed = read(table(row))
    expect(parsed.releases).toEqual([])
    expect(parsed.problems.length).toBeGreaterThan(0)
  })
})

test('a series belongs to the release of its flow', () => {
  expect(['WS_EER/M.N.B.DE', 'WS_SPP/Q.AT.N.628', 'WS_OTHER/M.A', 'WS_EER'].map(bisReleases.releaseOf)).toEqual([
    'EER',
    'RPP.SPP',
    null,
    null,
  ])
})

test('two years back are asked for', () => {
  const [request] = bisReleases.requests({ today: parseDay('2026-11-18')!, key: null, codes: [], known: new Map() })
  expect(request!.path).toBe('/data/BIS,BIS_REL_CAL,1.0/all?format=csv&startPeriod=2024')
})
