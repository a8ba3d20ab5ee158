// Over random histories of signatures, corrections, price lists (items that end, are replaced, or begin later), steps and a
// price that is negotiated anew, every place tells the same price of a day: rows, price files in each format, the check. What
// they are compared with is told once more here, by lists of days, and shares nothing with the program.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Pricing } from '../../src/core/prices/item-prices.ts'
import { priceRows, type RowFilter } from '../../src/core/prices/price-rows.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { exportPrices } from '../../src/formats/price-files/price-export.ts'
import { priceFormats } from '../../src/formats/price-files/price-file.ts'
import { checkOne } from '../support/agreements/invoice-check.ts'
import { listVersion, makeAgreement, type PeriodWords } from '../support/agreements/priced-agreement.ts'
import { readers } from '../support/files/price-file-readers.ts'
import { roundsOf, seedOr } from '../support/run/long-form.ts'

const dates = ['2024-01-01', '2024-04-01', '2024-07-01', '2024-10-01', '2025-01-01'] as const
const labels = ['start', '2024-Q2', '2024-Q3', '2024-Q4', '2025-Q1'] as const
const nextDate = '2025-04-01'
const today = '2025-02-20'
const days = ['2024-02-10', '2024-04-01', '2024-06-30', '2024-08-15', '2024-12-31', '2025-01-01', today] as const

type Status = 'AGREED' | 'SIGNED_BY_BUYER' | 'OPEN'

interface Quarter {
  /** Null: blocked. */
  readonly status: Status | null
  /** Percent of the base. */
  readonly factor: number
  /** What a correction replaced. */
  readonly before: number | null
}

interface Item {
  readonly key: string
  /** By step, in cents. */
  readonly prices: readonly (readonly [from: number, cents: number])[]
  readonly replaces: string | null
  readonly base: string
  readonly validFrom: string | null
  readonly validTo: string | null
}

interface List {
  /** The place from which it governs. */
  readonly from: number
  readonly items: readonly Item[]
}

interface World {
  readonly quarters: readonly Quarter[]
  /** The first quarter of a price that was negotiated anew, some days before it. */
  readonly restart: number | null
  readonly lists: readonly List[]
  readonly end: string | null
}

const quarter: fc.Arbitrary<Quarter> = fc.record({
  status: fc.constantFrom<Status | null>('AGREED', 'AGREED', 'OPEN', 'SIGNED_BY_BUYER', null),
  factor: fc.integer({ min: 80, max: 140 }),
  before: fc.option(fc.integer({ min: 80, max: 140 })),
})

const keys = ['A', 'B', 'C', 'D'] as const

const itemOf = (key: string) =>
  fc.option(
    fc.record({
      key: fc.constant(key),
      prices: fc.constantFrom(
        [[0, 1240]] as const,
        [[0, 515]] as const,
        [
          [0, 2000],
          [100, 1835],
        ] as const,
        [[100, 999]] as const,
      ),
      replaces: fc.option(fc.constantFrom(...keys)),
      base: fc.constantFrom('start', 'start', 'start', '2024-Q2', '2024-Q4'),
      valid: fc.constantFrom<readonly [string | null, string | null]>(
        [null, null],
        [null, null],
        ['2024-05-20', null],
        ['2024-08-01', '2025-01-31'],
        ['2025-02-01', null],
        [null, '2024-08-20'],
        [null, '2025-12-31'],
      ),
    }),
    { freq: 4 },
  )

/** A key is replaced once, and not where it goes on. */
const list = (from: fc.Arbitrary<number>): fc.Arbitrary<List> =>
  fc.record({ from, items: fc.tuple(...keys.map(itemOf)) }).map(({ from: place, items: drawn }) => {
    const items = drawn.filter(each => each !== null)
    const taken = new Set(items.map(({ key }) => key))
    return {
      from: place,
      items: items.map(({ valid: [validFrom, validTo], ...item }) => {
        const isFree = item.replaces !== null && !taken.has(item.replaces)
        if (isFree) taken.add(item.replaces!)
        return { ...item, validFrom, validTo, replaces: isFree ? item.replaces : null }
      }),
    }
  })

const world: fc.Arbitrary<World> = fc
  .record({
    quarters: fc.array(quarter, { minLength: 4, maxLength: 4 }),
    restart: fc.option(fc.integer({ min: 2, max: 4 }), { freq: 3 }),
    first: list(fc.constant(0)),
    more: fc.array(list(fc.integer({ min: 1, max: 4 })), { maxLength: 3 }),
    end: fc.option(fc.constantFrom('2025-02-10', '2025-12-31')),
  })
  .map(({ first, more, ...rest }) => ({ ...rest, lists: [first, ...more].filter(({ items }) => items.length > 0) }))
  .filter(({ lists }) => lists[0]?.from === 0)

const restartDay = (place: number) => before(dates[place]!, 20)

function before(day: string, count: number): string {
  return new Date(Date.parse(day) - count * 86_400_000).toISOString().slice(0, 10)
}

// What the program is given.

function agreementOf({ quarters, restart, lists, end }: World) {
  const periods: PeriodWords[] = [{ period: 'start', date: dates[0] }]
  quarters.forEach(({ status, factor, before: was }, i) => {
    const place = i + 1
    const formulaVersion = restart !== null && place >= restart ? 2 : 1
    if (place === restart) periods.push({ period: 'start', date: restartDay(place), formulaVersion })
    const number =
      status === null
        ? {}
        : {
            factor: `${factor}/100`,
            status,
            ...(was === null || status !== 'AGREED' ? {} : { beforeCorrection: `${was}/100` }),
          }
    periods.push({ period: labels[place]!, date: dates[place]!, formulaVersion, ...number })
  })
  const versions = lists.map(({ from, items }, i) => {
    const rows = items.flatMap(({ key, prices, replaces, base, validFrom, validTo }) =>
      prices.map(([step, cents]) =>
        [key, (cents / 100).toFixed(2), 'EUR', step, replaces, base, validFrom, validTo, 2].join(','),
      ),
    )
    const head = 'item,price,currency,from_quantity,replaces,base,valid_from,valid_to,round\n'
    return listVersion(`${head}${rows.join('\n')}\n`, i + 1, labels[from]!, dates[from]!)
  })
  const next = { period: '2025-Q2', date: nextDate }
  return makeAgreement({ periods, lists: versions, next, end, today })
}

// The same, told by hand.

interface Told {
  readonly item: string
  readonly step: number
  readonly period: string
  readonly price: string
  readonly status: Status
  readonly validFrom: string
  readonly inForceUntil: string | null
  readonly proposed: string | null
}

const regimeOf = ({ restart }: World, place: number) => (restart !== null && place >= restart ? restart : 0)

function listOf(given: World, place: number): { readonly at: number; readonly items: readonly Item[] } | null {
  const regime = regimeOf(given, place)
  const governing = given.lists.findLastIndex(({ from }) => from <= place && from >= regime)
  return governing < 0 ? null : { at: governing, items: given.lists[governing]!.items }
}

const numberAt = ({ quarters }: World, place: number): { readonly status: Status; readonly factor: number } | null => {
  if (place === 0) return { status: 'AGREED', factor: 100 }
  const { status, factor } = quarters[place - 1]!
  return status === null ? null : { status, factor }
}

/** Half a cent upwards, in whole numbers. */
function priceAt(given: World, place: number, { base }: Item, cents: number): Pick<Told, 'price' | 'status'> | null {
  const own = numberAt(given, place)
  const basePlace = labels.indexOf(base as never)
  const from = base === 'start' ? { status: 'AGREED' as const, factor: 100 } : numberAt(given, basePlace)
  if (own === null || from === null) return null
  if (base !== 'start' && regimeOf(given, basePlace) !== regimeOf(given, place)) return null
  const hundredths = Math.floor((2 * cents * own.factor + from.factor) / (2 * from.factor))
  const both = [own.status, from.status].filter(each => each !== 'AGREED')
  const status = both.length === 0 ? 'AGREED' : both.length === 1 || both[0] === both[1] ? both[0]! : 'OPEN'
  return { price: (hundredths / 100).toFixed(2), status }
}

const placeOf = (day: string) => dates.findLastIndex(date => date <= day)
const isValid = ({ validFrom, validTo }: Item, day: string) =>
  (validFrom === null || validFrom <= day) && (validTo === null || day <= validTo)

function placesOn(given: World, day: string): { readonly settled: number; readonly proposed: number | null } {
  let settled = placeOf(day)
  while (numberAt(given, settled)?.status !== 'AGREED') settled--
  for (let place = placeOf(day); place > settled; place--)
    if (numberAt(given, place) !== null && listOf(given, place) !== null) return { settled, proposed: place }
  return { settled, proposed: null }
}

/** What an item of one list is called in another. */
function laterKey({ lists }: World, key: string, from: number, to: number): string | null {
  const named = (at: number, name: string) =>
    lists[at]!.items.find(each => each.key === name) ?? lists[at]!.items.find(each => each.replaces === name)
  const direct = named(to, key)
  if (direct !== undefined) return direct.key
  let name = key
  for (let at = from + 1; at < to; at++) name = named(at, name)?.key ?? name
  return named(to, name)?.key ?? null
}

function toldOn(given: World, day: string): Told[] {
  if (given.end !== null && day > given.end) return []
  const { settled, proposed } = placesOn(given, day)
  const [current, coming] = [listOf(given, settled), proposed === null ? null : listOf(given, proposed)]
  const priced = (place: number, items: readonly Item[]) =>
    items
      .filter(item => isValid(item, day))
      .flatMap(item =>
        item.prices.flatMap(([step, cents]) => {
          const price = priceAt(given, place, item, cents)
          return price === null ? [] : [{ place, item, step, ...price }]
        }),
      )
  const inForce = current === null ? [] : priced(settled, current.items).filter(({ status }) => status === 'AGREED')
  const waiting = proposed === null ? [] : priced(proposed, coming!.items)
  const nameLater = (key: string) => (coming === null ? null : laterKey(given, key, current!.at, coming.at))
  const rowOf = ({ place, item, step, price, status }: (typeof inForce)[number], beside: string | null): Told => {
    const next = dates.findIndex((_, i) => i > place && numberAt(given, i)?.status === 'AGREED')
    const ends = [next < 0 ? null : before(dates[next]!, 1), item.validTo, given.end].filter(each => each !== null)
    const validFrom = [dates[place]!, item.validFrom ?? ''].sort().at(-1)!
    const inForceUntil = status === 'AGREED' ? (ends.sort()[0] ?? null) : null
    return { item: item.key, step, period: labels[place]!, price, status, validFrom, inForceUntil, proposed: beside }
  }
  const besides = inForce.map(row => {
    const name = nameLater(row.item.key)
    const item = coming?.items.find(each => each.key === name && isValid(each, day))
    const cents = item?.prices.find(([step]) => step === row.step)?.[1]
    const price = item === undefined || cents === undefined ? null : priceAt(given, proposed!, item, cents)
    return rowOf(row, price === null ? null : `${price.price} ${labels[proposed!]} ${price.status}`)
  })
  const alone = waiting.filter(({ item, step }) => {
    const sources = (current?.items ?? []).filter(({ key }) => nameLater(key) === item.key)
    const held = inForce.filter(each => sources.includes(each.item))
    if (held.length === 0) return true
    const isKnown = sources.some(({ prices }) => prices.some(([from]) => from === step))
    return isKnown && held.every(each => each.step !== step)
  })
  return [...besides, ...alone.map(row => rowOf(row, null))].sort((a, b) =>
    a.item < b.item ? -1 : a.item > b.item ? 1 : a.step - b.step || (a.period < b.period ? -1 : 1),
  )
}

function rowsOn(pricing: Pricing, filter: RowFilter): Told[] {
  return priceRows(pricing, filter).map(({ row }) => ({
    item: row.item,
    step: Number.parseInt(row.fromQuantity, 10),
    period: row.period,
    price: row.price,
    status: row.status as Status,
    validFrom: row.validFrom,
    inForceUntil: row.inForceUntil,
    proposed: row.proposed === null ? null : `${row.proposed.price} ${row.proposed.period} ${row.proposed.status}`,
  }))
}

function compareFiles(pricing: Pricing, told: readonly Told[], day: string): void {
  const rows = priceRows(pricing, { date: parseDay(day)!, withProposed: true })
  for (const format of priceFormats) {
    const options = { only: 'agreed' as const, set: new Map<string, string>(), decimals: null }
    const file = exportPrices(format, [{ slug: 'steel-brackets', rows, unpriced: [] }], options)
    if ('problems' in file) throw new Error(JSON.stringify(file.problems))
    const expected = told.filter(({ status }) => status === 'AGREED')
    const loaded = readers[format]!(file.text)
    const isDay = format !== 'csv' && format !== 'json'
    expect(loaded.map(({ item, from, validFrom, unitPrice }) => [item, from, validFrom, unitPrice]).sort()).toEqual(
      expected.map(({ item, step, validFrom, price }) => [item, `${step}`, validFrom, exact(price)]).sort(),
    )
    if (isDay)
      expect(loaded.map(({ item, from, validTo }) => `${item} ${from} ${validTo}`).sort(), format).toEqual(
        expected.map(({ item, step, inForceUntil }) => `${item} ${step} ${inForceUntil ?? ''}`).sort(),
      )
    for (const { item, status } of told)
      if (status !== 'AGREED' && !expected.some(each => each.item === item))
        expect(file.leftOut.some(each => each.item === item || each.item === null)).toBe(true)
  }
}

/** In lowest terms. */
function exact(price: string): string {
  let [n, d] = [BigInt(price.replace('.', '')), 100n]
  for (const prime of [2n, 5n]) while (n % prime === 0n && d % prime === 0n) [n, d] = [n / prime, d / prime]
  return n === 0n ? '0/1' : `${n}/${d}`
}

/** A line at the price in force is right, or provisional while its period is not settled; one at another never counts in the sums. */
function compareCheck(
  given: World,
  agreement: ReturnType<typeof agreementOf>,
  told: readonly Told[],
  day: string,
): void {
  const own = numberAt(given, placeOf(day))
  for (const { item, step, price, status, proposed } of told) {
    if (status !== 'AGREED') continue
    const line = { agreement: 'steel-brackets', item, quantity: `${step || 1}`, date: day }
    const paid = checkOne(agreement, { ...line, unitPrice: price })
    const isSettled = own?.status === 'AGREED'
    expect(paid.outcome, JSON.stringify(paid)).toBe(
      isSettled
        ? 'OK'
        : own === null || listOf(given, placeOf(day)) === null
          ? 'BLOCKED'
          : paid.outcome === 'BLOCKED'
            ? 'BLOCKED'
            : 'PROVISIONAL',
    )
    if (!isSettled) expect(paid.message).toContain(`${price} is in force`)
    if (isSettled || paid.outcome === 'BLOCKED') continue
    expect(paid.reason).toBeNull()
    if (proposed?.includes(labels[placeOf(day)]!) === true)
      expect(paid.message).toContain(`${proposed.split(' ')[0]} is proposed for ${labels[placeOf(day)]}`)
    const third = checkOne(agreement, { ...line, unitPrice: '98765.43' })
    expect([third.outcome, third.status === 'AGREED']).toEqual(['OVER', false])
    expect(third.message).toMatch(/^not agreed yet: /)
  }
}

test('every place tells the same price in force, and what is proposed beside it', () => {
  fc.assert(
    fc.property(world, given => {
      const agreement = agreementOf(given)
      const pricing = new Pricing(agreement)
      for (const day of days) {
        const told = toldOn(given, day)
        const date = parseDay(day)!
        expect(rowsOn(pricing, { date }), day).toEqual(told)
        compareFiles(pricing, told, day)
        compareCheck(given, agreement, told, day)
        for (const key of keys) {
          const found = rowsOn(pricing, { date, item: key })
          const own = told.filter(({ item }) => item === key)
          expect(found).toEqual(expect.arrayContaining(own))
          expect(told).toEqual(expect.arrayContaining(found))
        }
      }
      // Of all periods, the row in force today alone says what is proposed.
      const beside = rowsOn(pricing, {}).filter(({ proposed }) => proposed !== null)
      const todays = toldOn(given, today).filter(({ proposed }) => proposed !== null)
      expect(todays).toEqual(expect.arrayContaining(beside))
    }),
    { numRuns: roundsOf('properties', 'histories of prices in force', 60, 600), seed: seedOr(29) },
  )
})
