// A clause with a limit of a year, turned into steps: the same numbers, whatever the calendar, on and around the days on which
// years begin, and across periods that cannot be computed.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evaluate } from '../../src/core/calculation/evaluate.ts'
import { bindFormula } from '../../src/core/formula/bind.ts'
import { checkDocument } from '../../src/core/formula/check/check.ts'
import { formatExact } from '../../src/core/numbers/ratio.ts'
import { noCuts } from '../../src/core/series/vintage.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { formatPeriod, parsePeriod, shift } from '../../src/core/time/period.ts'
import { turnIntoSteps, whyNotSteps } from '../../web/pages/agreements/builder/document/steps.ts'
import { readTable } from '../support/agreements/evaluate-text.ts'
import { roundsOf } from '../support/run/long-form.ts'

const months = Array.from({ length: 48 }, (_, i) => formatPeriod(shift(parsePeriod('2019-12')!, i)))
const until = parseDay('2024-06-30')!

const limit = fc.constantFrom('year: CONTRACT', 'year: CALENDAR')
const drawn = fc.record({
  start: fc.constantFrom('2020-01-01', '2020-02-29', '2019-12-31', '2020-03-15', '2020-07-01'),
  calendar: fc.constantFrom(
    'frequency: MONTHLY',
    'frequency: QUARTERLY',
    'frequency: SEMIANNUAL',
    'frequency: ANNUAL',
    'frequency: 5 months',
    'frequency: WEEKLY',
    'dates: [2020-08-01, 2021-01-01, 2021-02-28, 2021-07-01, 2022-01-01, 2022-01-02, 2022-03-15, 2023-02-28]',
  ),
  /** An adjustment on the very day on which the contract begins. */
  isFromFirstDay: fc.boolean(),
  restart: fc.option(fc.constantFrom('2021-02-28', '2021-05-31', '2021-01-01'), { freq: 3 }),
  cap: fc.option(limit, { freq: 4 }),
  floor: fc.option(limit, { freq: 4 }),
  capPct: fc.constantFrom('3', '0.5', 'ceiling'),
  more: fc.constantFrom(
    '',
    ', rounding: { percent: { dp: 2 } }',
    ', rounding: { total: { dp: 1 } }',
    ', threshold: { pct: 2, test: EXCEEDS, pays: EXCESS }',
  ),
  values: fc.array(fc.integer({ min: 850, max: 1_250 }), { minLength: months.length, maxLength: months.length }),
  /** Months without a value: their periods are blocked. */
  missing: fc.array(fc.integer({ min: 2, max: months.length - 1 }), { maxLength: 4 }),
})

type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never

function documentOf({ start, calendar, isFromFirstDay, restart, cap, floor, capPct, more }: Drawn): string {
  const first = isFromFirstDay && calendar.startsWith('frequency') ? `, firstAdjustment: ${start}` : ''
  const limits = [
    ...(cap === null ? [] : [`cap: { yearPct: ${capPct}, ${cap} }`]),
    ...(floor === null ? [] : [`floor: { yearPct: -2, ${floor} }`]),
  ]
  return `slug: yearly
contract: { start: ${start}, end: 2023-12-31, ${calendar}${first}${restart === null ? '' : ', restart: true'} }
${restart === null ? '' : `effectiveFrom: ${restart}\n`}params: { ceiling: [{ from: 2019-01-01, value: 4 }, { from: 2022-01-01, value: 1 }] }
inputs: { index: { series: CUSTOM/x, weight: 1, base: 2019-12 } }
clause: { ${limits.join(', ')}${more} }
`
}

function tableOf({ values, missing }: Drawn): string {
  const rows = months.flatMap((month, i) =>
    missing.includes(i)
      ? []
      : [`CUSTOM/x,${month},${i === 0 ? '100' : `${Math.floor(values[i]! / 10)}.${values[i]! % 10}`}`],
  )
  return `series,period,value\n${rows.join('\n')}\n`
}

/** Every period with its exact factor, and those that are blocked. */
function numbersOf(text: string, table: string) {
  const { formula, problems } = checkDocument(text)
  expect(problems).toEqual([])
  const bound = bindFormula(formula!, readTable(table)).bound!
  const { adjustments, blocked } = evaluate({
    versions: [{ number: 1, bound }],
    cuts: noCuts,
    tag: null,
    until,
    today: null,
    after: null,
  })
  return {
    factors: adjustments.map(({ period, factor }) => `${period} ${formatExact(factor)}`),
    blocked: blocked.map(({ period }) => period),
  }
}

describe('a limit of a year as steps', () => {
  test('gives the same numbers, from anniversary to anniversary and from 1 January', () => {
    let held = 0
    fc.assert(
      fc.property(drawn, scenario => {
        fc.pre(scenario.cap !== null || scenario.floor !== null)
        const text = documentOf(scenario)
        const table = tableOf(scenario)
        const before = numbersOf(text, table)
        expect(numbersOf(turnIntoSteps(text)!, table)).toEqual(before)
        held += before.factors.length
      }),
      { numRuns: roundsOf('properties', 'steps of a year', 20, 200) },
    )
    expect(held).toBeGreaterThan(200)
  })

  test('takes names that nothing else has', () => {
    const text = documentOf({
      start: '2020-01-01',
      calendar: 'frequency: MONTHLY',
      isFromFirstDay: false,
      restart: null,
      cap: 'year: CALENDAR',
      floor: null,
      capPct: '3',
      more: '',
      values: [],
      missing: [],
    }).replaceAll('index', 'calendar_year')
    const { formula } = checkDocument(turnIntoSteps(text)!)
    expect(formula!.steps.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['calendar_year_', 'calendar_year_opens', 'calendar_year_factor']),
    )
  })

  test('is refused for the twelve months before each adjustment, in a sentence', () => {
    const text = documentOf({
      start: '2020-01-01',
      calendar: 'frequency: MONTHLY',
      isFromFirstDay: false,
      restart: null,
      cap: 'year: ROLLING' as never,
      floor: null,
      capPct: '3',
      more: '',
      values: [],
      missing: [],
    })
    expect(checkDocument(text).problems).toEqual([])
    expect(turnIntoSteps(text)).toBeNull()
    expect(whyNotSteps(text)).toContain('cannot be written as steps: it needs the price factor in force a year before')
  })
})
