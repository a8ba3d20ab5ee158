// The billing profile of a note: the parties as their tax offices know them, the tax, and how to pay. Details given for this
// note alone count before the parties' stored ones.

import { asLanguage, type Language } from '../../core/billing/languages.ts'
import type { BillingDetails, BillingSaid } from '../../core/billing/note-details.ts'
import type { PartyTexts } from '../../core/billing/party-fields.ts'
import { parseExact, type Ratio } from '../../core/numbers/ratio.ts'

/** An identifier, with its scheme where one is given. */
export interface SchemedId {
  readonly scheme: string | null
  readonly id: string
}

export interface ProfileParty {
  readonly name: string | null
  readonly street: string | null
  readonly street2: string | null
  readonly city: string | null
  readonly zip: string | null
  readonly region: string | null
  /** Two capital letters. */
  readonly country: string | null
  readonly vat: string | null
  readonly taxNumber: string | null
  /** The number in the register of companies. */
  readonly id: SchemedId | null
  readonly identifier: SchemedId | null
  /** The electronic address. */
  readonly endpoint: SchemedId | null
  readonly contact: {
    readonly name: string | null
    readonly phone: string | null
    readonly email: string | null
  } | null
}

export interface BillingProfile {
  readonly supplier: ProfileParty
  readonly buyer: ProfileParty
  readonly buyerReference: string | null
  readonly orderReference: string | null
  readonly tax: {
    readonly category: string | null
    readonly rate: Ratio | null
    readonly exemption: string | null
    readonly exemptionCode: string | null
  }
  readonly payment: {
    readonly code: string
    readonly account: string
    readonly bic: string | null
    readonly holder: string | null
  } | null
  readonly terms: string | null
  readonly days: number | null
  readonly isPeppol: boolean
  readonly language: Language
  /** The code of a note that asks for money. */
  readonly invoiceCode: string
  readonly unitCode: string
  readonly customization: string
  /** The codes for a Cross Industry Invoice. */
  readonly guideline: string
  readonly process: string
}

export const peppolCustomization = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0'
const usual = {
  /** Taken by every receiver; 383 is not (decision 0774). */
  invoiceCode: '380',
  unitCode: 'C62',
  guideline: 'urn:cen.eu:en16931:2017',
  process: 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0',
  /** Credit transfer. */
  transfer: '30',
} as const

export function billingProfile(kept: BillingDetails, said: BillingSaid, language: Language | null): BillingProfile {
  const supplier = { ...kept.supplier.details, ...said.supplier }
  const buyer = { ...kept.buyer.details, ...said.buyer }
  const { document } = said
  const rate = supplier['tax.rate'] === undefined ? null : parseExact(supplier['tax.rate'])
  // A buyer with an electronic address receives by the network, whose rules then count.
  const isPeppol = buyer.profile === undefined ? buyer.endpoint !== undefined : buyer.profile === 'peppol'
  return {
    supplier: partyOf(supplier, kept.supplier.name),
    buyer: partyOf(buyer, kept.buyer.name),
    buyerReference: buyer.reference ?? null,
    orderReference: buyer.order ?? null,
    tax: {
      category: supplier['tax.category'] ?? null,
      rate,
      exemption: supplier['tax.exemption'] ?? null,
      exemptionCode: supplier['tax.exemptionCode'] ?? null,
    },
    payment: paymentOf(supplier),
    terms: supplier['payment.terms'] ?? null,
    days: supplier['payment.days'] === undefined ? null : Number.parseInt(supplier['payment.days'], 10),
    isPeppol,
    language: language ?? asLanguage(said.buyer.language ?? buyer.language ?? supplier.language) ?? 'en',
    invoiceCode: document.invoiceCode ?? usual.invoiceCode,
    unitCode: document.unitCode ?? usual.unitCode,
    customization: document.customization ?? (isPeppol ? peppolCustomization : usual.guideline),
    guideline: document.customization ?? usual.guideline,
    process: document.process ?? usual.process,
  }
}

function partyOf(texts: PartyTexts, name: string | null): ProfileParty {
  const [contact, phone, email] = ['contact.name', 'contact.phone', 'contact.email'].map(key => texts[key] ?? null)
  return {
    name: texts.name ?? name,
    street: texts.street ?? null,
    street2: texts.street2 ?? null,
    city: texts.city ?? null,
    zip: texts.zip ?? null,
    region: texts.region ?? null,
    country: texts.country ?? null,
    vat: texts.vat ?? null,
    taxNumber: texts.taxNumber ?? null,
    id: schemed(texts.id),
    identifier: schemed(texts.identifier),
    endpoint: schemed(texts.endpoint),
    contact:
      contact === null && phone === null && email === null ? null : { name: contact!, phone: phone!, email: email! },
  }
}

function schemed(text: string | undefined): SchemedId | null {
  if (text === undefined) return null
  const [, scheme, id] = /^([0-9A-Z]{2,4}):(.+)$/.exec(text) ?? []
  return scheme === undefined || id === undefined ? { scheme: null, id: text } : { scheme, id }
}

function paymentOf(texts: PartyTexts): BillingProfile['payment'] {
  const account = texts['payment.iban']?.replaceAll(' ', '') ?? ''
  const code = texts['payment.code']
  if (account === '' && code === undefined) return null
  return {
    code: code ?? usual.transfer,
    account,
    bic: texts['payment.bic'] ?? null,
    holder: texts['payment.holder'] ?? null,
  }
}
