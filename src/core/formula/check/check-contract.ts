// Checks the contract's calendar and price.

import { compare, zero } from '../../numbers/ratio.ts'
import { type Day, formatDay, parseDay } from '../../time/day.ts'
import { type Contract, type ContractFrequency, type ContractPrice, formulaBounds } from '../formula.ts'
import { isRawList, type Raw } from '../raw.ts'
import { defaultFirst, keepDayOf } from '../schedule.ts'
import { changeKey, contractKeys, type NamedFrequency } from './document-keys.ts'
import { Fields, orList, quote } from './fields.ts'

const month = (count: number) => ({ count, unit: 'month' }) as const

const namedFrequencies: Readonly<Record<NamedFrequency, ContractFrequency>> = {
  DAILY: { every: { count: 1, unit: 'day' }, label: 'DAILY', wire: 'DAILY' },
  WEEKLY: { every: { count: 1, unit: 'week' }, label: 'WEEKLY', wire: 'WEEKLY' },
  MONTHLY: { every: month(1), label: 'MONTHLY', wire: 'MONTHLY' },
  QUARTERLY: { every: month(3), label: 'QUARTERLY', wire: 'QUARTERLY' },
  SEMIANNUAL: { every: month(6), label: 'SEMIANNUAL', wire: 'SEMIANNUAL' },
  ANNUAL: { every: month(12), label: 'ANNUAL', wire: 'ANNUAL' },
  ONCE: { every: null, label: 'MONTHLY', wire: 'ONCE' },
}

const listed: ContractFrequency = { every: null, label: 'DAILY', wire: 'DATES' }

const everySo = /^([1-9]\d{0,2}) (month|week)s?$/

function isNamed(text: string): text is NamedFrequency {
  return Object.hasOwn(namedFrequencies, text)
}

function frequencyOf(fields: Fields): ContractFrequency | null {
  const text = fields.text('frequency', { required: true })
  if (text === null) return null
  if (isNamed(text)) return namedFrequencies[text]
  const match = everySo.exec(text)
  if (match) {
    const count = Number.parseInt(match[1]!, 10)
    return match[2] === 'week'
      ? { every: { count, unit: 'week' }, label: 'WEEKLY', wire: `EVERY_${count}_WEEKS` }
      : { every: month(count), label: 'MONTHLY', wire: `EVERY_${count}_MONTHS` }
  }
  const known = orList([
    ...Object.keys(namedFrequencies),
    'a number of months or weeks such as "4 months" or "2 weeks"',
  ])
  return fields.refuse('frequency', `frequency must be ${known}, got ${quote(text)}`)
}

function priceOf(fields: Fields): ContractPrice | null {
  const raw = fields.raw('price')
  if (raw === undefined || raw === null) return null
  const what = 'price is written as { amount: 12.40, currency: EUR }'
  const price = Fields.at(raw, `${fields.path}.price`, fields.problems, what, 'contract.price', contractKeys)
  const amount = price.decimal('amount')
  if (!price.has('amount')) price.refuse('amount', 'amount is missing')
  const currency = price.text('currency', { required: true })
  if (currency !== null && !/^[A-Z]{3}$/.test(currency))
    price.refuse('currency', `currency must be three capital letters such as EUR, got ${quote(currency)}`)
  const unit = price.text('unit', { most: 60 }) ?? ''
  const round = price.rounding('round')
  price.finish()
  if (amount === null) return null
  if (compare(amount.value, zero) <= 0)
    return price.refuse('amount', `amount must be more than 0, got ${quote(amount.text)}`)
  return { amount: amount.value, text: amount.text, currency: currency ?? '', unit, round }
}

export function checkContract(raw: Raw | undefined, problems: Fields['problems']): Contract | null {
  if (raw === undefined) {
    problems.push({ path: 'contract', message: 'contract is missing: write its start and frequency' })
    return null
  }
  const what = 'contract is a mapping with start and frequency'
  const fields = Fields.at(raw, 'contract', problems, what, 'contract', contractKeys)
  const start = fields.day('start', true)
  const end = fields.day('end')
  const isListed = fields.has('dates')
  const dates = isListed ? datesOf(fields) : null
  const frequency = isListed ? listed : frequencyOf(fields)
  const first = fields.day('firstAdjustment')
  const price = priceOf(fields)
  const restart = fields.truth('restart')
  const change = fields.chosen('change', changeKey)
  // Keys about invoices are checked with the agreement.
  for (const key of ['references', 'priceDate', 'prorate']) fields.raw(key)
  if (isListed)
    for (const key of ['frequency', 'firstAdjustment'])
      if (fields.has(key)) fields.refuse(key, `${key} does not go with dates: the dates are listed themselves`)
  fields.finish()
  if (frequency?.wire === 'ONCE' && !fields.has('firstAdjustment'))
    fields.refuse('firstAdjustment', 'firstAdjustment is missing: ONCE needs it')
  if (start === null || frequency === null || (isListed && dates === null)) return null
  if (first !== null && first < start)
    fields.refuse('firstAdjustment', `firstAdjustment ${formatDay(first)} lies before the start ${formatDay(start)}`)
  if (end !== null && end < start)
    fields.refuse('end', `end ${formatDay(end)} lies before the start ${formatDay(start)}`)
  else if (end !== null && first !== null && end < first)
    fields.refuse('end', `end ${formatDay(end)} lies before the first adjustment ${formatDay(first)}`)
  dates?.forEach((date, i) => {
    if (date < start)
      fields.refuse(`dates[${i}]`, `${formatDay(date)} lies before the contract's start ${formatDay(start)}`)
    if (end !== null && end >= start && date > end)
      fields.refuse(`dates[${i}]`, `${formatDay(date)} lies after the contract's end ${formatDay(end)}`)
  })
  const firstAdjustment = dates?.[0] ?? first ?? defaultFirst(start, frequency)
  return { start, end, frequency, firstAdjustment, keepDay: keepDayOf(first ?? start), dates, price, restart, change }
}

function datesOf(fields: Fields): readonly Day[] | null {
  const raw = fields.raw('dates')
  if (!isRawList(raw) || raw.length === 0)
    return fields.refuse(
      'dates',
      `dates must be a list of adjustment dates such as [2024-03-15, 2024-09-01], got ${isRawList(raw) ? 'an empty one' : quote(raw)}`,
    )
  if (raw.length > formulaBounds.dates)
    return fields.refuse('dates', `at most ${formulaBounds.dates} dates are allowed, got ${raw.length}`)
  const days = raw.map((text, i) => {
    const day = typeof text === 'string' ? parseDay(text) : null
    return day ?? fields.refuse(`dates[${i}]`, `a date such as 2024-01-31 is needed here, got ${quote(text)}`)
  })
  const known = days.filter(day => day !== null)
  if (known.length < days.length) return null
  for (let i = 1; i < known.length; i++)
    if (known[i]! <= known[i - 1]!)
      fields.refuse(
        `dates[${i}]`,
        `the dates must rise: ${formatDay(known[i]!)} does not come after ${formatDay(known[i - 1]!)}`,
      )
  return known
}
