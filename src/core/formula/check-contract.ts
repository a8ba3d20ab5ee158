// Checks the contract's calendar, price and parties.
import { addMonths, civilOf, writeDay } from '../day.ts'
import { compare, zero } from '../ratio.ts'
import { Fields, orList, quote } from './fields.ts'
import type { Contract, ContractFrequency, ContractPrice, Formula } from './formula.ts'
import { isRawList, type Raw } from './raw.ts'

const namedFrequencies: Readonly<Record<string, ContractFrequency>> = {
  MONTHLY: { months: 1, label: 'MONTHLY', wire: 'MONTHLY' },
  QUARTERLY: { months: 3, label: 'QUARTERLY', wire: 'QUARTERLY' },
  SEMIANNUAL: { months: 6, label: 'SEMIANNUAL', wire: 'SEMIANNUAL' },
  ANNUAL: { months: 12, label: 'ANNUAL', wire: 'ANNUAL' },
  ONCE: { months: null, label: 'MONTHLY', wire: 'ONCE' },
}

const everyMonths = /^([1-9]\d{0,2}) months?$/

function frequencyOf(fields: Fields): ContractFrequency | null {
  const text = fields.text('frequency', { required: true })
  if (text === null) return null
  const named = Object.hasOwn(namedFrequencies, text) ? namedFrequencies[text] : undefined
  if (named !== undefined) return named
  const match = everyMonths.exec(text)
  if (match) {
    const months = Number.parseInt(match[1]!, 10)
    return { months, label: 'MONTHLY', wire: `EVERY_${months}_MONTHS` }
  }
  const known = orList([...Object.keys(namedFrequencies), 'a number of months such as "4 months"'])
  return fields.refuse('frequency', `frequency must be ${known}, got ${quote(text)}`)
}

function priceOf(fields: Fields): ContractPrice | null {
  const raw = fields.raw('price')
  if (raw === undefined || raw === null) return null
  const price = Fields.of(
    raw,
    `${fields.path}.price`,
    fields.problems,
    'price is written as { amount: 12.40, currency: EUR }',
  )
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
  const fields = Fields.of(raw, 'contract', problems, 'contract is a mapping with start and frequency')
  const start = fields.day('start', true)
  const end = fields.day('end')
  const frequency = frequencyOf(fields)
  const first = fields.day('firstAdjustment')
  const price = priceOf(fields)
  fields.finish()
  if (frequency?.months === null && !fields.has('firstAdjustment'))
    fields.refuse('firstAdjustment', 'firstAdjustment is missing: with ONCE it says when')
  if (start === null || frequency === null) return null
  const firstAdjustment = first ?? addMonths(start, frequency.months ?? 0)
  if (first !== null && first < start)
    fields.refuse('firstAdjustment', `firstAdjustment ${writeDay(first)} lies before the start ${writeDay(start)}`)
  if (end !== null && end < start) fields.refuse('end', `end ${writeDay(end)} lies before the start ${writeDay(start)}`)
  else if (end !== null && first !== null && end < first)
    fields.refuse('end', `end ${writeDay(end)} lies before the first adjustment ${writeDay(first)}`)
  return { start, end, frequency, firstAdjustment, keepDay: civilOf(first ?? start).day, price }
}

const emailPattern = /^[^\s@]{1,64}@[^\s@]{1,255}$/

function emailsOf(fields: Fields, key: string): readonly string[] | null {
  const raw = fields.raw(key)
  if (raw === undefined || raw === null) return null
  if (!isRawList(raw)) return fields.refuse(key, `${key} must be a list of e-mail addresses, got ${quote(raw)}`)
  raw.forEach((email, i) => {
    if (typeof email !== 'string' || !emailPattern.test(email))
      fields.refuse(`${key}[${i}]`, `an e-mail address is needed here, got ${quote(email)}`)
  })
  return raw.filter((email): email is string => typeof email === 'string')
}

export function checkParties(raw: Raw | undefined, problems: Fields['problems']): Formula['parties'] {
  if (raw === undefined || raw === null) return { buyer: null, supplier: null }
  const fields = Fields.of(
    raw,
    'parties',
    problems,
    'parties is written as { buyer: [a@b.test], supplier: [c@d.test] }',
  )
  const buyer = emailsOf(fields, 'buyer')
  const supplier = emailsOf(fields, 'supplier')
  fields.finish()
  const suppliers = supplier?.map(email => email.toLowerCase())
  for (const email of buyer ?? [])
    if (suppliers?.includes(email.toLowerCase()))
      fields.refuse('', `${email} stands on both sides; nobody signs for both`)
  return { buyer, supplier }
}
