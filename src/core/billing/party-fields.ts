// The details that parties store for notes: every field once, with its name in `billing.yaml` and in commands, its words on the
// page, the sides it is for and its form. Files, commands, forms and storage derive from this table.
import { formatExact, parseExact } from '../numbers/ratio.ts'
import { languages } from './languages.ts'

export type Side = 'supplier' | 'buyer'

export interface PartyField {
  /** The key as stored and written: `contact.name` is `contact: { name: … }` in a file. */
  readonly key: string
  readonly label: string
  /** A sentence for people, with an example. */
  readonly help: string
  /** The side of the field; null for both. */
  readonly side: Side | null
  readonly group: 'address' | 'identity' | 'contact' | 'payment' | 'tax' | 'receiving'
  readonly isRight?: (text: string) => boolean
  readonly choices?: readonly (readonly [value: string, label: string])[]
}

/** Stored details by the keys of their fields. */
export type PartyTexts = Readonly<Record<string, string>>

const matching = (pattern: RegExp) => (text: string) => pattern.test(text)
const withScheme = 'or SCHEME:ID'

/** Categories of UNCL 5305 that notes can have. */
const taxCategories = [
  ['S', 'S: standard or reduced rate'],
  ['Z', 'Z: zero rated'],
  ['E', 'E: exempt'],
  ['AE', 'AE: reverse charge'],
  ['K', 'K: supply within the EU'],
  ['G', 'G: export'],
  ['O', 'O: not subject to tax'],
] as const

const profiles = [
  ['en16931', 'EN 16931'],
  ['peppol', 'Peppol BIS Billing 3.0'],
] as const

export const partyFields: readonly PartyField[] = [
  { key: 'name', label: 'Legal name', help: 'If it differs from the name of the party', side: null, group: 'address' },
  { key: 'street', label: 'Street', help: 'With the number', side: null, group: 'address' },
  { key: 'street2', label: 'Second address line', help: 'Building or post-office box', side: null, group: 'address' },
  { key: 'zip', label: 'Postal code', help: 'Such as 8010', side: null, group: 'address' },
  { key: 'city', label: 'City', help: 'Such as Graz', side: null, group: 'address' },
  { key: 'region', label: 'Region', help: 'State or province', side: null, group: 'address' },
  {
    key: 'country',
    label: 'Country',
    help: 'two capital letters, such as AT',
    side: null,
    group: 'address',
    isRight: matching(/^[A-Z]{2}$/),
  },
  {
    key: 'vat',
    label: 'VAT identifier',
    help: 'with its country, such as ATU12345678',
    side: null,
    group: 'identity',
    isRight: matching(/^[A-Z]{2}[\w+*.]{1,18}$/),
  },
  {
    key: 'taxNumber',
    label: 'Tax number',
    help: 'The national number, such as 181/815/08155',
    side: 'supplier',
    group: 'identity',
  },
  {
    key: 'id',
    label: 'Registration number',
    help: `of the register of companies, ${withScheme}`,
    side: null,
    group: 'identity',
  },
  {
    key: 'identifier',
    label: 'Other identifier',
    help: `such as a supplier number, ${withScheme}`,
    side: null,
    group: 'identity',
  },
  {
    key: 'endpoint',
    label: 'Electronic address',
    help: 'SCHEME:ID, such as 9915:atu12345678',
    side: null,
    group: 'receiving',
    isRight: matching(/^[0-9A-Z]{2,4}:\S+$/),
  },
  {
    key: 'reference',
    label: 'Buyer reference',
    help: 'The reference by which the buyer routes documents',
    side: 'buyer',
    group: 'receiving',
  },
  {
    key: 'order',
    label: 'Order reference',
    help: 'The purchase order, if there is one',
    side: 'buyer',
    group: 'receiving',
  },
  {
    key: 'profile',
    label: 'Rules of the receiver',
    help: 'en16931 or peppol',
    side: 'buyer',
    group: 'receiving',
    isRight: matching(/^(?:en16931|peppol)$/),
    choices: profiles,
  },
  { key: 'contact.name', label: 'Contact', help: 'A person or a department', side: null, group: 'contact' },
  { key: 'contact.phone', label: 'Telephone', help: 'Such as +43 316 123', side: null, group: 'contact' },
  {
    key: 'contact.email',
    label: 'E-mail',
    help: 'an address, such as billing@example.com',
    side: null,
    group: 'contact',
    isRight: matching(/^[^\s@]+@[^\s@]+$/),
  },
  {
    key: 'payment.iban',
    label: 'Account (IBAN)',
    help: 'an IBAN, or another account number',
    side: 'supplier',
    group: 'payment',
    isRight: isAccount,
  },
  { key: 'payment.bic', label: 'BIC', help: 'Of the bank', side: 'supplier', group: 'payment' },
  {
    key: 'payment.holder',
    label: 'Account holder',
    help: 'If the account is in another name',
    side: 'supplier',
    group: 'payment',
  },
  {
    key: 'payment.code',
    label: 'Means of payment',
    help: 'a code of UNCL 4461, such as 30 or 58',
    side: 'supplier',
    group: 'payment',
    isRight: matching(/^(?:[1-9]\d?|ZZZ)$/),
  },
  { key: 'payment.terms', label: 'Payment terms', help: 'Such as 30 days net', side: 'supplier', group: 'payment' },
  {
    key: 'payment.days',
    label: 'Days to pay',
    help: 'a whole number of days from 0 to 365',
    side: 'supplier',
    group: 'payment',
    isRight: text => /^\d{1,3}$/.test(text) && Number.parseInt(text, 10) <= 365,
  },
  {
    key: 'tax.category',
    label: 'Tax category',
    help: `one of ${taxCategories.map(([code]) => code).join(', ')}`,
    side: 'supplier',
    group: 'tax',
    choices: taxCategories,
    isRight: text => taxCategories.some(([code]) => code === text),
  },
  {
    key: 'tax.rate',
    label: 'Tax rate',
    help: 'a decimal number from 0 to 100',
    side: 'supplier',
    group: 'tax',
    isRight: isRate,
  },
  {
    key: 'tax.exemption',
    label: 'Why there is no tax',
    help: 'Such as Reverse charge',
    side: 'supplier',
    group: 'tax',
  },
  {
    key: 'tax.exemptionCode',
    label: 'Code of the reason',
    help: 'a code such as VATEX-EU-AE',
    side: 'supplier',
    group: 'tax',
    isRight: matching(/^VATEX-[A-Z0-9-]+$/),
  },
  {
    key: 'language',
    label: 'Language of printed pages',
    help: 'en, de or fr',
    side: null,
    group: 'receiving',
    isRight: text => languages.some(each => each === text),
    choices: [
      ['en', 'English'],
      ['de', 'German'],
      ['fr', 'French'],
    ],
  },
]

const fieldOf = new Map(partyFields.map(field => [field.key, field]))

/** Replaces a party's slug: the workspace itself, which buys where an agreement names no company as its buyer. */
export const ownSlug = '-'

export const longestDetail = 300

/** Faults of details, named by path and all at once. `side` null: a party that may be on either side. */
export function detailProblems(texts: PartyTexts, side: Side | null, path = ''): readonly string[] {
  return Object.entries(texts).flatMap(([key, text]) => {
    const field = fieldOf.get(key)
    const name = `${path}${key}`
    if (field === undefined || (side !== null && field.side !== null && field.side !== side))
      return [`${name} is not known`]
    if (text.length > longestDetail) return [`${name} must have at most ${longestDetail} characters`]
    if (/[\r\n\t\0]/.test(text)) return [`${name} must be one line`]
    return field.isRight?.(text) === false ? [`${name} must be ${field.help}, got "${text}"`] : []
  })
}

/** An IBAN's country in front makes it an IBAN, with its check digits; anything else is an account number. */
function isAccount(text: string): boolean {
  const plain = text.replaceAll(' ', '')
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(plain)) return /^[\w./-]{4,34}$/.test(plain)
  const digits = `${plain.slice(4)}${plain.slice(0, 4)}`.replace(/[A-Z]/g, letter => `${letter.charCodeAt(0) - 55}`)
  return plain.length >= 15 && plain.length <= 34 && BigInt(digits) % 97n === 1n
}

/** Rates are decimals: documents have no place for a third of a percent. */
function isRate(text: string): boolean {
  const rate = parseExact(text)
  return rate !== null && !formatExact(rate).includes('/') && rate.n >= 0n && rate.n <= 100n * rate.d
}

export function trimDetails(texts: PartyTexts): PartyTexts {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([key, text]) => (text.trim() === '' ? [] : [[key, text.trim()]])),
  )
}
