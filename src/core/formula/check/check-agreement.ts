// Checks what a document says about the agreement apart from its numbers: the people on each side, how invoices find its
// prices, and the rule for revised figures.

import { compare, zero } from '../../numbers/ratio.ts'
import { type SignKind, signKinds } from '../../parties.ts'
import { daysInMonth } from '../../time/day.ts'
import { type Billing, type Corrections, type Formula, formulaBounds, type PartySide } from '../formula.ts'
import { isPartySlug } from '../named-parties.ts'
import { isRawList, isRawMap, type Raw } from '../raw.ts'
import { contractKeys, correctionKeys, correctionsKeys, partyKeys, priceDateKey, prorateKey } from './document-keys.ts'
import { Fields, quote } from './fields.ts'
import { namesAt } from './keys.ts'

type Problems = Fields['problems']

const emailPattern = /^[^\s@]{1,64}@[^\s@]{1,255}$/

function sideOf(fields: Fields, key: string): PartySide {
  const raw = fields.raw(key)
  if (raw === undefined || raw === null) return null
  if (typeof raw === 'string') {
    if (isPartySlug(raw)) return raw
    return fields.refuse(
      key,
      `${key} must be a list of e-mail addresses or the slug of a party such as ohio-forge, got ${quote(raw)}`,
    )
  }
  if (!isRawList(raw))
    return fields.refuse(key, `${key} must be a list of e-mail addresses or the slug of a party, got ${quote(raw)}`)
  raw.forEach((email, i) => {
    if (typeof email !== 'string' || !emailPattern.test(email))
      fields.refuse(`${key}[${i}]`, `an e-mail address is needed here, got ${quote(email)}`)
  })
  return raw.filter((email): email is string => typeof email === 'string')
}

export function checkParties(raw: Raw | undefined, problems: Problems): Formula['parties'] {
  if (raw === undefined || raw === null) return { buyer: null, supplier: null }
  const what = 'parties is written as { buyer: [a@b.test], supplier: ohio-forge }'
  const fields = Fields.at(raw, 'parties', problems, what, 'parties', partyKeys)
  const buyer = sideOf(fields, 'buyer')
  const supplier = sideOf(fields, 'supplier')
  const signWith = signWithOf(fields)
  fields.finish()
  if (typeof buyer === 'string' && buyer === supplier)
    fields.refuse('', `${buyer} is on both sides; nobody signs for both`)
  const suppliers = Array.isArray(supplier) ? supplier.map((email: string) => email.toLowerCase()) : []
  for (const email of Array.isArray(buyer) ? (buyer as readonly string[]) : [])
    if (suppliers.includes(email.toLowerCase())) fields.refuse('', `${email} is on both sides; nobody signs for both`)
  return { buyer, supplier, ...(signWith === null ? {} : { signWith }) }
}

/** Kinds in the one order that counts, in whatever order they are written. */
function signWithOf(fields: Fields): readonly SignKind[] | null {
  const raw = fields.raw('signWith')
  if (raw === undefined || raw === null) return null
  if (!isRawList(raw) || raw.length === 0)
    return fields.refuse('signWith', `signWith must be a list of ${signKinds.join(', ')}, got ${quote(raw)}`)
  raw.forEach((kind, i) => {
    if (!signKinds.some(each => each === kind))
      fields.refuse(`signWith[${i}]`, `this must be one of ${signKinds.join(', ')}, got ${quote(kind)}`)
    else if (raw.indexOf(kind) !== i) fields.refuse(`signWith[${i}]`, `${quote(kind)} is listed twice`)
  })
  return signKinds.filter(kind => raw.includes(kind))
}

const unbilled: Billing = { references: [], priceDate: 'SERVICE', prorate: 'NONE' }

/** The keys of `contract` that change no number; its other keys are checked with the calendar. */
export function checkBilling(raw: Raw | undefined, problems: Problems): Billing {
  if (!isRawMap(raw)) return unbilled
  const fields = new Fields(raw, 'contract', problems, namesAt('contract', contractKeys))
  return {
    references: referencesOf(fields),
    priceDate: fields.chosen('priceDate', priceDateKey),
    prorate: fields.chosen('prorate', prorateKey),
  }
}

function referencesOf(fields: Fields): readonly string[] {
  const raw = fields.raw('references')
  if (raw === undefined || raw === null) return []
  if (!isRawList(raw)) {
    fields.refuse('references', `references must be a list of texts such as [FA-2024-17], got ${quote(raw)}`)
    return []
  }
  if (raw.length > formulaBounds.references)
    fields.refuse('references', `at most ${formulaBounds.references} references are allowed, got ${raw.length}`)
  const texts: string[] = []
  raw.forEach((text, i) => {
    if (typeof text !== 'string' || text.trim() === '' || text.length > 200)
      fields.refuse(`references[${i}]`, `a text of at most 200 characters is needed here, got ${quote(text)}`)
    else if (texts.includes(text)) fields.refuse(`references[${i}]`, `${quote(text)} is listed twice`)
    else texts.push(text)
  })
  return texts
}

export function checkCorrections(raw: Raw | undefined, hasPrice: boolean, problems: Problems): Corrections | null {
  if (raw === undefined || raw === null) return null
  const what = 'corrections is written as { when: FINAL, level: HEAL }'
  const fields = Fields.at(raw, 'corrections', problems, what, 'corrections', correctionsKeys)
  const when = fields.requiredChosen('when', correctionKeys.when)
  const day = dayOfYear(fields)
  const min = minimumOf(fields, hasPrice)
  const within = spanOf(fields)
  const level = fields.chosen('level', correctionKeys.level)
  const settle = settleOf(fields)
  fields.finish()
  if (fields.has('day') && when !== null && when !== 'YEARLY')
    fields.refuse('day', `day goes with when: YEARLY, not with ${when}`)
  if (when === 'YEARLY' && !fields.has('day')) fields.refuse('day', 'day is missing: YEARLY needs one, such as 03-31')
  if (when === 'NONE' && level === 'REBASE')
    fields.refuse('level', 'REBASE does not go with when: NONE: nothing is ever corrected')
  return when === null ? null : { when, day, min, within, level, settle }
}

function dayOfYear(fields: Fields): string | null {
  const text = fields.text('day')
  if (text === null) return null
  const match = /^(\d{2})-(\d{2})$/.exec(text)
  const [month, day] = (match?.slice(1) ?? ['0', '0']).map(part => Number.parseInt(part, 10)) as [number, number]
  // 2023 is not a leap year, so the day exists every year.
  if (month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(2023, month)) return text
  return fields.refuse('day', `day must be a month and a day that every year has, such as 03-31, got ${quote(text)}`)
}

function minimumOf(corrections: Fields, hasPrice: boolean): Corrections['min'] {
  const raw = corrections.raw('min')
  if (raw === undefined || raw === null) return null
  const what = 'min is written as { amount: 50.00, below: KEEP }'
  const fields = Fields.at(raw, 'corrections.min', corrections.problems, what, 'corrections.min', correctionsKeys)
  const amount = fields.decimal('amount')
  if (!fields.has('amount')) fields.refuse('amount', 'amount is missing')
  if (amount !== null && compare(amount.value, zero) < 0)
    fields.refuse('amount', `amount must not be negative, got ${quote(amount.text)}`)
  const below = fields.requiredChosen('below', correctionKeys.below)
  fields.finish()
  if (!hasPrice) corrections.refuse('min', 'min needs contract.price, which is not written')
  return amount === null || below === null ? null : { amount: amount.value, below }
}

function spanOf(corrections: Fields): Corrections['within'] {
  const raw = corrections.raw('within')
  if (raw === undefined || raw === null) return null
  const what = 'within is written as { months: 24, of: PUBLICATION }'
  const path = 'corrections.within'
  const fields = Fields.at(raw, path, corrections.problems, what, path, correctionsKeys)
  const months = fields.whole('months', 1, 1200)
  if (!fields.has('months')) fields.refuse('months', 'months is missing')
  const of = fields.requiredChosen('of', correctionKeys.of)
  fields.finish()
  return months === null || of === null ? null : { months, of }
}

function settleOf(corrections: Fields): Corrections['settle'] {
  const raw = corrections.raw('settle')
  if (raw === undefined || raw === null || raw === 'NOTE') return 'NOTE'
  if (raw === 'NEXT_INVOICE') return raw
  if (!isRawMap(raw)) {
    corrections.refuse('settle', `settle must be NOTE, NEXT_INVOICE or { spread: 3 }, got ${quote(raw)}`)
    return 'NOTE'
  }
  const path = 'corrections.settle'
  const fields = new Fields(raw, path, corrections.problems, namesAt(path, correctionsKeys))
  const spread = fields.whole('spread', 1, 24)
  if (!fields.has('spread')) fields.refuse('spread', 'spread is missing')
  fields.finish()
  return spread === null ? 'NOTE' : { spread }
}
