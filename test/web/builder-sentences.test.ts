// The document in the words of a clause.
import { describe, expect, test } from 'vitest'
import { templates } from '../../src/core/formula/many/templates.ts'
import { allKeys } from '../../src/core/formula/schema.ts'
import { openDocument, rawAt, setAt } from '../../web/pages/agreements/builder/document/document.ts'
import {
  formatBillingInWords,
  formatCalendarInWords,
  formatChangeInWords,
  formatCorrectionsInWords,
  formatPartiesInWords,
  formatPriceInWords,
} from '../../web/pages/agreements/builder/form/contract-sentences.ts'
import {
  formatBasisInWords,
  formatFixedInWords,
  formatLimitsInWords,
  formatNotShownInWords,
  formatReadingInWords,
  formatRoundingInWords,
  formatRoundingsInWords,
  formatSharingInWords,
  formatThresholdInWords,
} from '../../web/pages/agreements/builder/form/sentences.ts'

const rootOf = (text: string) => openDocument(text).root
const readAt = (value: string) => rawAt(rootOf(`x: ${value}\n`), ['x'])

describe('sentences', () => {
  const text = `
contract: { start: 2025-03-01, end: 2026-12-31, frequency: 4 months, firstAdjustment: 2025-07-01, price: { amount: 12.40, currency: EUR, unit: piece, round: { dp: 2 } } }
parties: { buyer: [a@b.test, c@d.test] }
inputs:
  steel: { series: BLS/WPU101, weight: 0.35, base: 2023-12, lag: 1 month }
  fx: { series: A/B, base: 2023-10..2023-12, lag: 49 days, window: 3 months, using: MAX, vintage: FIRST, missing: LAST_KNOWN, round: { dp: 1, mode: DOWN }, convert: { fx: ECB/X, operation: DIVIDE }, links: [{ series: a }, { series: b }] }
  cpi: { series: A/C, interpolate: DAILY, base: { value: 245.3 }, missing: { agreed: { 2025-10: 1, 2025-Q3: 2 } } }
  oil: { series: A/D, pick: LATEST_PUBLISHED, lag: 2 weeks, base: 2023-07-15, vintage: FINAL }
clause:
  fixed: 0.15
  basis: CHAINED
  adder: -0.5
  threshold: { pct: 1.5, test: EXCEEDS, pays: ALL }
  passThrough: [{ upTo: 3, share: 1 }, { share: 0.50 }]
  cap: { periodPct: 4, cumulativePct: ceiling, carryForward: true }
  floor: { periodPct: -4, cumulativePct: 0 }
  rounding: { factor: { dp: 3, mode: CEILING }, price: { multiple: 0.05 } }
`
  const root = rootOf(text)
  const plain = (words: string) => words.replaceAll('\u202f', ' ').replaceAll('\u00a0', ' ')

  test('say how each input is read', () => {
    const reading = (name: string) => plain(formatReadingInWords(rawAt(root, ['inputs', name])))
    expect(reading('steel')).toBe('read one month before the adjustment date, against December 2023')
    expect(reading('fx')).toBe(
      'read 49 days before the adjustment date, the highest of three months, against October 2023 to December 2023, as first published, converted with ECB/X, joined with two other bases, rounded to 1 decimal, cut off, the last known value where one is missing',
    )
    expect(reading('cpi')).toBe(
      'read at the adjustment date and interpolated to the day, against the value 245.3, with agreed values for October 2025 and 2025-Q3',
    )
    expect(reading('oil')).toBe(
      'the newest value published two weeks before the adjustment date, against 15 Jul 2023, final values only',
    )
  })

  test('say what the contract and the clause say', () => {
    expect(plain(formatCalendarInWords(root))).toBe(
      'From 1 Mar 2025, until 31 Dec 2026, every four months, first on 1 Jul 2025.',
    )
    expect(plain(formatPriceInWords(root))).toBe('The price is 12.40 EUR per piece, rounded to 2 decimals.')
    expect(formatPartiesInWords(root)).toBe(
      'Signed for the buyer by a@b.test and c@d.test, for the supplier by nobody yet.',
    )
    expect(plain(formatFixedInWords(root))).toBe('15 % never moves.')
    expect(formatBasisInWords(root)).toBe(
      'Each period is compared with the last applied adjustment; the weighted ratios are summed, and −0.5 percentage points are added.',
    )
    expect(plain(formatThresholdInWords(root))).toBe(
      'The price moves only when it would move by more than 1.5 % since it last moved; then the whole movement is paid.',
    )
    expect(plain(formatSharingInWords(root))).toBe('Passed on: 100 % of the first 3 % and 50 % of the rest.')
    expect(plain(formatLimitsInWords(root))).toBe(
      'At most +4 % per period, at most ceiling in all, at least −4 % per period and at least 0 % in all; a movement that the cap holds back is carried forward.',
    )
    expect(formatRoundingsInWords(root)).toBe(
      'The factor is rounded to 3 decimals, always up and the price is rounded to multiples of 0.05.',
    )
  })

  test('say so if nothing is written', () => {
    const empty = rootOf('slug: a\nclause: {}\n')
    expect(formatCalendarInWords(empty)).toBe('No start yet, no frequency yet.')
    expect(formatPriceInWords(empty)).toContain('No price')
    expect(formatFixedInWords(empty)).toBe('Nothing is fixed.')
    expect(formatThresholdInWords(empty)).toBe('Every movement counts, however small.')
    expect(formatSharingInWords(empty)).toBe('All of the movement is passed on.')
    expect(formatLimitsInWords(empty)).toBe('No cap and no floor.')
    expect(formatRoundingsInWords(empty)).toBe('The clause rounds nothing: every value is carried exactly.')
    expect(formatBillingInWords(empty)).toBe('Invoice lines are priced by the day of service.')
    expect(formatCorrectionsInWords(empty)).toBe('The document has no rule for figures that are revised later.')
  })

  test('say windows, weeks, lags ahead and vintages', () => {
    const reading = (input: string) => plain(formatReadingInWords(readAt(`{ ${input} }`)))
    expect(reading('lag: -1 month, window: { last: 5, least: 3 }, vintage: AT_DATE')).toBe(
      'read one month after the adjustment date, averaged over the newest five observations (missing with fewer than three), as it stood on the adjustment date',
    )
    expect(reading('window: { from: 21, to: 20 }, using: LAST')).toBe(
      'read at the adjustment date, the last of the days from the 21st of the month before to the 20th',
    )
    expect(reading('window: { from: 1, to: 13 }, week: FRIDAY, expand: MONTHLY')).toBe(
      'read at the adjustment date, month by month, averaged over the days from the 1st to the 13th, each week counted by its Friday',
    )
    expect(
      reading('lag: 1 month, convert: { fx: ECB/X, operation: DIVIDE, lag: 2 weeks, window: 1 month, each: true }'),
    ).toBe(
      'read one month before the adjustment date, converted with ECB/X (two weeks before the adjustment date, averaged over one month, each observation at its own rate)',
    )
  })

  test('say what happens without a value, and when the series ends', () => {
    const reading = (input: string) => plain(formatReadingInWords(readAt(`{ ${input} }`)))
    expect(reading('missing: { trend: { over: 12 months, dp: 3 } }')).toBe(
      'read at the adjustment date, the last known value moved on by the trend of twelve months where one is missing',
    )
    expect(reading('successor: { series: BLS/NEW, method: OVERLAP, window: 24, automatic: true }')).toBe(
      'read at the adjustment date, followed by BLS/NEW when it ends, joined by the ratio of their averages over common periods (24 of them), without further signatures',
    )
    expect(reading('successor: { series: "", method: SAME_LEVEL }')).toBe(
      'read at the adjustment date, followed by a series still to be named when it ends, joined by their level, which is the same',
    )
  })

  test('say who changes the terms only where both have to', () => {
    expect(formatChangeInWords(rootOf('contract: { change: BOTH }\n'))).toBe(
      'Its terms change only with the signatures of both sides.',
    )
    expect(formatChangeInWords(rootOf('contract: { change: ONE }\n'))).toBe('')
  })

  test('say limits of a year, what is carried forward and what returns', () => {
    const of = (clause: string) => rootOf(`clause: { ${clause} }\n`)
    expect(plain(formatLimitsInWords(of('cap: { yearPct: 5, year: CONTRACT, carryForward: true }')))).toBe(
      'At most +5 % per contract year; a movement that the cap holds back is carried forward.',
    )
    expect(
      plain(
        formatLimitsInWords(
          of(
            'cap: { yearPct: 5, year: ROLLING, carryForward: true }, floor: { yearPct: -5, year: CALENDAR, carryForward: true }',
          ),
        ),
      ),
    ).toBe(
      'At most +5 % in any twelve months and at least −5 % per calendar year; a movement that the cap and the floor hold back is carried forward.',
    )
    expect(
      plain(formatThresholdInWords(of('threshold: { pct: 5, test: REACHES, pays: ALL, since: BASE, inside: RETURN }'))),
    ).toBe(
      'The price moves only when it would move by at least 5 % from the base; then the whole movement is paid. Back inside the band the price is the base price again.',
    )
    expect(formatRoundingsInWords(of('rounding: { total: { dp: 2 }, price: NONE }'))).toBe(
      'The percent since the base is rounded to 2 decimals and the price is not rounded.',
    )
  })

  test.each([
    ['0', '0 decimals'],
    ['-1', 'whole tens'],
    ['-3', 'whole thousands'],
    ['-5', 'whole hundreds of thousands'],
    ['-15', 'whole quadrillions'],
  ])('say a rounding to %s decimals', (amount, words) => {
    expect(formatRoundingInWords({ kind: 'DP', amount, mode: '' })).toBe(`rounded to ${words}`)
  })

  test('say the calendar of weeks and dates, parties, invoices and corrections', () => {
    const of = (text: string) => rootOf(`${text}\n`)
    expect(plain(formatCalendarInWords(of('contract: { start: 2024-01-01, frequency: 2 weeks }')))).toBe(
      'From 1 Jan 2024, every two weeks.',
    )
    expect(plain(formatCalendarInWords(of('contract: { start: 2024-01-01, dates: [2024-02-10, 2024-05-03] }')))).toBe(
      'From 1 Jan 2024, adjusted on 10 Feb 2024 and 3 May 2024.',
    )
    expect(formatCalendarInWords(of('contract: { start: 2024-01-01, dates: [] }'))).toContain('no adjustment dates yet')
    expect(
      plain(
        formatPriceInWords(
          of('effectiveFrom: 2025-01-01\ncontract: { restart: true, price: { amount: 5, currency: EUR } }'),
        ),
      ),
    ).toBe('The price is 5 EUR, not rounded; it was renegotiated and counts from 1 Jan 2025.')
    expect(formatPartiesInWords(of('parties: { supplier: ohio-forge }'))).toBe(
      'Signed for the buyer by every member who is a buyer, for the supplier by the people of ohio-forge.',
    )
    expect(formatPartiesInWords(of('parties: { supplier: [] }'))).toContain('for the supplier by nobody yet')
    expect(formatPartiesInWords(of('parties: { supplier: nova, signWith: [password, passkey] }'))).toContain(
      'Only with a passkey or with a password.',
    )
    expect(formatBillingInWords(of('contract: { references: [FA-1, FA-2], priceDate: ORDER, prorate: DAYS }'))).toBe(
      'Invoices name it FA-1 and FA-2; their lines are priced by the date of the order and shared out by days across an adjustment date.',
    )
    expect(
      plain(
        formatCorrectionsInWords(
          of(
            'contract: { price: { currency: EUR } }\ncorrections: { when: YEARLY, day: 03-31, min: { amount: 100, below: WAIVE }, within: { months: 12, of: INVOICE }, level: REBASE, settle: { spread: 3 } }',
          ),
        ),
      ),
    ).toBe(
      'Settled prices are corrected once a year, on 31 March, from 100 EUR on (smaller ones are waived), within twelve months of the invoice; later periods are corrected as well. Paid with the next three adjustments, in equal parts.',
    )
    expect(formatCorrectionsInWords(of('corrections: { when: NONE }'))).toContain('never corrected')
  })

  test('name what the form has no field for', () => {
    const more = rootOf(
      'slug: a\ncolour: red\ntables: { t: [{ value: 1 }] }\nparams: { p: 1, q: [{ from: 2024-01-01, value: 1 }] }\ninputs: { x: { shade: 1 } }\nclause: { wrong: 1 }\nsteps: [{ name: a, expr: b }]\nresult: { kind: FACTOR, step: a }\n',
    )
    expect(formatNotShownInWords(more)).toEqual([
      'the table t',
      'a step',
      '“colour”',
      '“inputs.x.shade”',
      '“clause.wrong”',
    ])
    const known = allKeys().filter(({ path }) => /^(?:contract|parties|corrections|clause)\.[^.*]+$/.test(path))
    const whole = known.reduce((text, { path }) => setAt(text, path.split('.'), 'x'), 'slug: a\n')
    expect(formatNotShownInWords(rootOf(whole))).toEqual([])
    for (const { write } of templates.filter(({ id }) => !['nec-x1', 'surcharge-table', 'bond-index'].includes(id)))
      expect(formatNotShownInWords(rootOf(write(2026)))).toEqual([])
  })
})
