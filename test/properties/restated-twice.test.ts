// The radar restates an agreement twice and takes over from the first path what the second would only compute again. Over
// random figures, and every way of reading them, that comes to the same as restating everything.
import { describe, expect, test } from 'vitest'
import { formatExact, reduce } from '../../src/core/numbers/ratio.ts'
import { carriedToJson } from '../../src/core/receipt/receipt.ts'
import { formatDay } from '../../src/core/time/day.ts'
import { endOfDay } from '../../src/core/time/instant.ts'
import { type RestatedPeriod, restate, restateSince } from '../../src/core/true-up/restate.ts'
import { Chance, suiteSeed } from '../faults/chance.ts'
import { type Figures, figuresOf, signAlong } from '../support/agreements/signed-path.ts'
import { roundsOf } from '../support/run/long-form.ts'

const first = Date.UTC(2022, 0, 1)
const dayText = (day: number) => new Date(first + day * 86_400_000).toISOString().slice(0, 10)
const months = Array.from({ length: 28 }, (_, i) => new Date(Date.UTC(2021, 9 + i, 1)).toISOString().slice(0, 7))

const readings = {
  'the newest': '',
  'the first print': ', vintage: FIRST',
  'only final ones': ', vintage: FINAL, missing: LAST_KNOWN',
  'as it stood': ', vintage: AT_DATE',
  'the newest published': ', pick: LATEST_PUBLISHED',
  'the last known': ', missing: LAST_KNOWN',
  'an estimate': ', missing: { yoyEstimate: { capPct: 2 } }',
  'another series': ', missing: { fallback: CUSTOM/other }',
  'a window': ', window: 3 months, using: MEAN',
  'a converted one': ', convert: { fx: CUSTOM/other, operation: DIVIDE }',
} as const

const clauses = [
  '{}',
  '{ basis: CHAINED }',
  '{ basis: CHAINED, threshold: { pct: 3, test: EXCEEDS, pays: ALL } }',
  '{ basis: CHAINED, cap: { periodPct: 2, yearPct: 5, year: CONTRACT } }',
]
const policies = [
  '',
  'corrections: { when: FINAL }',
  'corrections: { when: EACH, level: REBASE }',
  'corrections: { when: YEARLY, day: 03-31 }',
]

function drawFigures(chance: Chance, lateDays: number): Figures {
  return Object.fromEntries(
    months.map((month, i) => {
      const value = () => `${chance.int(90, 130)}.${chance.int(0, 9)}`
      const out = Math.round((i - 3) * 30.4) + 35 + (chance.chance(15) ? lateDays : chance.int(0, 6))
      const prints = [`${dayText(out)} ${chance.pick(['P', 'F'])} ${value()}`]
      let day = out
      for (let again = chance.int(0, 2); again > 0; again--) {
        day += chance.int(10, 200)
        prints.push(`${dayText(day)} ${chance.pick(['P', 'R', 'F'])} ${chance.chance(6) ? '-' : value()}`)
      }
      return [month, prints]
    }),
  )
}

function documentOf(chance: Chance, reading: string): string {
  return `slug: drawn
contract: { start: 2022-01-01, frequency: QUARTERLY, price: { amount: 100, currency: EUR, round: { dp: 2 } } }
inputs:
  index: { series: CUSTOM/index, weight: 0.6, base: 2021-11, lag: 2 months${reading} }
  other: { series: CUSTOM/other, weight: 0.4, base: 2021-11, lag: 2 months, missing: LAST_KNOWN }
clause: ${chance.pick(clauses)}
${chance.pick(policies)}
`
}

function tell(path: readonly RestatedPeriod[]) {
  return path.map(({ adjustment, carried, factor, signed, ...plain }) => ({
    ...plain,
    signed,
    factor: formatExact(reduce(factor)),
    carried: carriedToJson(carried),
    observations: adjustment?.breakdown.observations ?? null,
  }))
}

describe('an agreement that is restated before and after publications', () => {
  test.each(Object.entries(readings))('comes to what restating it again comes to, where it reads %s', (_, reading) => {
    let reused = 0
    for (let i = 0; i < roundsOf('properties', 'restated agreements of each reading', 5, 50); i++) {
      const chance = new Chance(suiteSeed + i)
      const series = ['CUSTOM/index', 'CUSTOM/other'].map(each => figuresOf(each, drawFigures(chance, 80)))
      const plan = { series, afterDays: chance.int(20, 70), until: '2023-10-01' }
      const document = documentOf(chance, reading)
      // A second version reaches back to signed dates.
      const newer = `effectiveFrom: 2022-07-01\n${document.replace('0.6', '0.7').replace('0.4', '0.3')}`
      const isRewritten = chance.chance(25)
      const path = signAlong({
        ...plan,
        documents: isRewritten ? [document, newer] : [document],
        knownFrom: [null, '2023-02-01'],
      })
      for (let turn = 0; turn < 4; turn++) {
        const until = chance.int(200, 900)
        const since = until - chance.int(1, 200)
        const today = Math.round(first / 86_400_000) + until
        expect(formatDay(today)).toBe(dayText(until))
        const question = { ...path, knownAt: endOfDay(today), today }
        const { before, after } = restateSince(question, endOfDay(today - (until - since)))
        expect(tell(after), `seed ${i}, ${dayText(since)} to ${dayText(until)}, ${document}`).toEqual(
          tell(restate(question)),
        )
        reused += after.filter((each, place) => each.adjustment === before[place]!.adjustment).length
      }
    }
    expect(reused).toBeGreaterThan(0)
  })
})
