// What is printed reads back as the same thing, and the calendar agrees with the platform's own (Temporal).
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseSpan } from '../../src/core/formula/check/fields.ts'
import {
  formatCarried,
  formatExact,
  formatFixed,
  formatShort,
  parseExact,
  parseRatio,
  type Ratio,
  roundTo,
} from '../../src/core/numbers/ratio.ts'
import {
  addMonths,
  civilOf,
  dayOf,
  formatDay,
  parseDay,
  weekdayOf,
  wholeMonthsBetween,
} from '../../src/core/time/day.ts'
import {
  dayOfInstant,
  endOfDay,
  formatPublished,
  parseCut,
  parseInstant,
  startOfDay,
} from '../../src/core/time/instant.ts'
import {
  firstDayOf,
  formatPeriod,
  frequencies,
  lastDayOf,
  ordinalsWithin,
  type Period,
  parsePeriod,
  periodAt,
  shift,
  yearBefore,
} from '../../src/core/time/period.ts'
import { scaled } from '../oracle/draw.ts'
import { roundsOf } from '../support/run/long-form.ts'

const runs = { numRuns: roundsOf('properties', 'round trips of each kind', 250, 2_500) }
const firstDay = dayOf(1, 1, 8)
const lastDay = dayOf(9998, 12, 31)
const anyDay = fc.integer({ min: firstDay, max: lastDay })
const anyPeriod = fc
  .record({ frequency: fc.constantFrom(...frequencies), day: anyDay })
  .map(({ frequency, day }): Period => periodAt(frequency, day))
const anyRatio = fc
  .record({ n: fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), d: fc.bigInt({ min: 1n, max: 10n ** 25n }) })
  .map((ratio): Ratio => ratio)

function isEqual(a: Ratio | null, b: Ratio): boolean {
  return a !== null && a.n * b.d === b.n * a.d
}

function temporal(day: number): Temporal.PlainDate {
  return Temporal.PlainDate.from('1970-01-01').add({ days: day })
}

describe('ratios', () => {
  test('read a decimal as its digits say', () => {
    const decimals = fc.tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat({ max: 29 }))
    fc.assert(
      fc.property(decimals, ([digits, places]) => {
        const text = scaled(digits, places)
        return isEqual(parseRatio(text), { n: digits, d: 10n ** BigInt(places) })
      }),
      runs,
    )
  })

  test('are the same after writeExact and parseExact', () => {
    fc.assert(
      fc.property(anyRatio, value => isEqual(parseExact(formatExact(value)), value)),
      runs,
    )
  })

  test('have one exact form however they were computed', () => {
    fc.assert(
      fc.property(anyRatio, fc.bigInt({ min: 1n, max: 10n ** 9n }), (value, factor) => {
        expect(formatExact({ n: value.n * factor, d: value.d * factor })).toBe(formatExact(value))
      }),
      runs,
    )
  })

  test('are carried whole, or cut at 30 significant digits towards zero', () => {
    fc.assert(
      fc.property(anyRatio, value => {
        const text = formatCarried(value)
        if (!text.endsWith('…')) return isEqual(parseRatio(text), value)
        const cut = parseRatio(text.slice(0, -1))!
        const [exact, shown] = [abs(value.n) * cut.d, abs(cut.n) * value.d]
        const places = text.slice(0, -1).split('.')[1]?.length
        const digits = text.replace(/[-.…]/g, '').replace(/^0+/, '')
        const unit = places === undefined ? 10n ** BigInt(digits.length - 30) : 1n
        const scale = 10n ** BigInt(places ?? 0)
        // A number of more than 30 digits is marked even where what was cut is zeros.
        const isCut = shown < exact || (shown === exact && digits.length > 30)
        return isCut && (exact - shown) * scale < unit * cut.d * value.d && digits.length >= 30
      }),
      runs,
    )
  })

  test('print and read back at any number of places', () => {
    fc.assert(
      fc.property(anyRatio, fc.nat({ max: 12 }), (value, places) => {
        const rounded = roundTo(value, places)
        const fixed = formatFixed(value, places)
        expect(fixed.split('.')[1]?.length ?? 0).toBe(places)
        expect(isEqual(parseRatio(fixed), rounded)).toBe(true)
        const short = formatShort(value, places)
        expect(isEqual(parseRatio(short), rounded)).toBe(true)
        expect(short).not.toMatch(/\.\d*0$|\.$|^-0$/)
      }),
      runs,
    )
  })

  test('refuse what is not a plain decimal', () => {
    for (const text of ['', '1e5', '.5', '5.', '1,000', 'NaN', 'Infinity', ' 1', '0x10', '--1', '1/2', '١'])
      expect(parseRatio(text), text).toBeNull()
  })
})

function abs(value: bigint): bigint {
  return value < 0n ? -value : value
}

describe('days', () => {
  test('agree with Temporal, forth and back', () => {
    fc.assert(
      fc.property(anyDay, day => {
        const date = temporal(day)
        expect(formatDay(day)).toBe(date.toString())
        expect(parseDay(date.toString())).toBe(day)
        expect(civilOf(day)).toEqual({ year: date.year, month: date.month, day: date.day })
        expect(weekdayOf(day)).toBe(date.dayOfWeek - 1)
      }),
      runs,
    )
  })

  test('move by months as Temporal does, clipped to the length of the month', () => {
    const months = fc.integer({ min: -600, max: 600 })
    fc.assert(
      fc.property(fc.integer({ min: dayOf(100, 1, 1), max: dayOf(9900, 1, 1) }), months, (day, by) => {
        expect(formatDay(addMonths(day, by))).toBe(
          temporal(day).add({ months: by }, { overflow: 'constrain' }).toString(),
        )
      }),
      runs,
    )
  })

  test('count whole months so that moving by them never passes the later day', () => {
    const ahead = fc.nat({ max: 4000 })
    fc.assert(
      fc.property(fc.integer({ min: dayOf(1900, 1, 1), max: dayOf(2100, 1, 1) }), ahead, (from, days) => {
        const months = wholeMonthsBetween(from, from + days)
        return addMonths(from, months) <= from + days && addMonths(from, months + 1) > from + days
      }),
      runs,
    )
  })

  test('refuse days that do not exist', () => {
    for (const text of ['2023-02-29', '1900-02-29', '2024-13-01', '2024-00-10', '2024-04-31', '0000-01-01', '24-01-01'])
      expect(parseDay(text), text).toBeNull()
  })
})

describe('periods', () => {
  test('are the same after writing and reading', () => {
    fc.assert(
      fc.property(anyPeriod, period => {
        expect(parsePeriod(formatPeriod(period))).toEqual(period)
      }),
      runs,
    )
  })

  test('contain their days and no others', () => {
    fc.assert(
      fc.property(anyPeriod, period => {
        const [first, last] = [firstDayOf(period), lastDayOf(period)]
        expect(periodAt(period.frequency, first)).toEqual(period)
        expect(periodAt(period.frequency, last)).toEqual(period)
        expect(periodAt(period.frequency, first - 1)).toEqual(shift(period, -1))
        expect(periodAt(period.frequency, last + 1)).toEqual(shift(period, 1))
      }),
      runs,
    )
  })

  test('shift there and back, and by sums', () => {
    const by = fc.integer({ min: -500, max: 500 })
    fc.assert(
      fc.property(anyPeriod, by, by, (period, a, b) => {
        expect(shift(shift(period, a), -a)).toEqual(period)
        expect(shift(shift(period, a), b)).toEqual(shift(period, a + b))
      }),
      runs,
    )
  })

  test('begin and end where Temporal says', () => {
    fc.assert(
      fc.property(anyDay, day => {
        const date = temporal(day)
        const month = date.with({ day: 1 })
        const expectSpan = (
          frequency: Period['frequency'],
          first: Temporal.PlainDate,
          length: Temporal.DurationLike,
        ) => {
          const period = periodAt(frequency, day)
          expect(formatDay(firstDayOf(period))).toBe(first.toString())
          expect(formatDay(lastDayOf(period))).toBe(first.add(length).subtract({ days: 1 }).toString())
        }
        expectSpan('DAILY', date, { days: 1 })
        expectSpan('WEEKLY', date.subtract({ days: date.dayOfWeek - 1 }), { days: 7 })
        expectSpan('MONTHLY', month, { months: 1 })
        expectSpan('QUARTERLY', month.subtract({ months: (month.month - 1) % 3 }), { months: 3 })
        expectSpan('SEMIANNUAL', month.subtract({ months: (month.month - 1) % 6 }), { months: 6 })
        expectSpan('ANNUAL', month.with({ month: 1 }), { years: 1 })
      }),
      runs,
    )
  })

  test('name ISO weeks as Temporal does', () => {
    fc.assert(
      fc.property(anyDay, day => {
        const { yearOfWeek, weekOfYear } = temporal(day)
        const label = `${String(yearOfWeek).padStart(4, '0')}-W${String(weekOfYear).padStart(2, '0')}`
        expect(formatPeriod(periodAt('WEEKLY', day))).toBe(label)
      }),
      runs,
    )
  })

  test('know which of them begin within a span of days', () => {
    const lengths = fc.nat({ max: 800 })
    const recent = fc.integer({ min: dayOf(1990, 1, 1), max: dayOf(2040, 1, 1) })
    fc.assert(
      fc.property(fc.constantFrom(...frequencies), recent, lengths, (frequency, from, length) => {
        const { first, last } = ordinalsWithin(frequency, from, from + length)
        const begins = (ordinal: number) => firstDayOf({ frequency, ordinal })
        for (let ordinal = first; ordinal <= last; ordinal++)
          expect(begins(ordinal) >= from && begins(ordinal) <= from + length).toBe(true)
        expect(begins(first - 1)).toBeLessThan(from)
        expect(begins(last + 1)).toBeGreaterThan(from + length)
      }),
      { numRuns: roundsOf('properties', 'cycles of periods', 100, 1_000) },
    )
  })

  test('find the period a year before', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: dayOf(2, 2, 1), max: lastDay }),
        fc.constantFrom(...frequencies),
        (day, frequency) => {
          const before = yearBefore(periodAt(frequency, day))
          if (frequency === 'WEEKLY') expect(firstDayOf(before)).toBe(firstDayOf(periodAt(frequency, day)) - 364)
          else
            expect(formatDay(firstDayOf(before))).toBe(
              temporal(firstDayOf(periodAt(frequency, day)))
                .subtract({ years: 1 })
                .toString(),
            )
        },
      ),
      runs,
    )
  })

  test('refuse labels of no period', () => {
    for (const text of [
      '2024-13',
      '2024-Q5',
      '2024-H3',
      '2023-W53',
      '2024-W00',
      '0000',
      '2024-1',
      '2024-02-30',
      'Q1-2024',
    ])
      expect(parsePeriod(text), text).toBeNull()
  })
})

describe('instants', () => {
  const micros = fc.integer({ min: 0, max: 999_999 })
  const seconds = fc.integer({ min: 0, max: 86_399 })
  const anyInstant = fc.tuple(fc.integer({ min: dayOf(1900, 1, 1), max: dayOf(2200, 1, 1) }), seconds, micros)
  const write = (day: number, second: number, micro: number) => {
    const clock = Temporal.PlainTime.from('00:00').add({ seconds: second }).toString({ smallestUnit: 'second' })
    return `${formatDay(day)}T${clock}.${String(micro).padStart(6, '0')}`
  }

  test('are the same after reading, with every offset brought to UTC', () => {
    const offsets = fc.constantFrom('Z', '+00:00', '+14:00', '-05:00', '+05:30', '-11:45', '+01:00')
    fc.assert(
      fc.property(anyInstant, offsets, ([day, second, micro], offset) => {
        const text = write(day, second, micro) + offset
        const read = parseInstant(text)!
        expect(parseInstant(read)).toBe(read)
        expect(Temporal.Instant.from(read).epochNanoseconds).toBe(Temporal.Instant.from(text).epochNanoseconds)
        expect(formatDay(dayOfInstant(read))).toBe(
          Temporal.Instant.from(text).toZonedDateTimeISO('UTC').toPlainDate().toString(),
        )
      }),
      runs,
    )
  })

  test('sort as text as they do in time', () => {
    fc.assert(
      fc.property(anyInstant, anyInstant, (a, b) => {
        const [first, second] = [`${write(...a)}Z`, `${write(...b)}Z`].map(text => parseInstant(text)!) as [
          string,
          string,
        ]
        const order = Temporal.Instant.compare(Temporal.Instant.from(first), Temporal.Instant.from(second))
        expect(first < second ? -1 : first > second ? 1 : 0).toBe(order)
      }),
      runs,
    )
  })

  test('print a publication so that it reads back', () => {
    fc.assert(
      fc.property(anyInstant, parts => {
        const instant = parseInstant(`${write(...parts)}Z`)!
        const printed = formatPublished(instant)
        const day = parseDay(printed)
        expect(day === null ? parseInstant(printed) : startOfDay(day)).toBe(instant)
      }),
      runs,
    )
  })

  test('take a day as a cut to its last microsecond', () => {
    fc.assert(
      fc.property(anyInstant, ([day, second, micro]) => {
        const instant = parseInstant(`${write(day, second, micro)}Z`)!
        const cut = parseCut(formatDay(day))!
        expect(cut).toBe(endOfDay(day))
        expect(instant <= cut && startOfDay(day) <= instant && cut < startOfDay(day + 1)).toBe(true)
      }),
      runs,
    )
  })
})

describe('spans', () => {
  test('are read as written, in the singular and the plural', () => {
    const units = fc.constantFrom('day', 'week', 'month', 'quarter', 'year')
    fc.assert(
      fc.property(fc.integer({ min: -9999, max: 9999 }), units, fc.boolean(), (count, unit, plural) => {
        expect(parseSpan(`${count} ${unit}${plural ? 's' : ''}`)).toEqual({ count, unit })
      }),
    )
    expect(parseSpan('0')).toEqual({ count: 0, unit: 'day' })
    for (const text of ['', '1', '--1 month', '1.5 months', 'a month', '1 fortnight', '12345 days'])
      expect(parseSpan(text), text).toBeNull()
  })
})
