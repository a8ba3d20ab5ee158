// A note in the terms of EN 16931: every term once, exact, for any syntax. Missing terms are null; the rules name them before
// anything is written.
import type { Language } from '../../core/billing/languages.ts'
import { roundMoney } from '../../core/numbers/money.ts'
import { absolute, add, divide, hundred, multiply, negate, type Ratio, zero } from '../../core/numbers/ratio.ts'
import { formatDay, parseDay } from '../../core/time/day.ts'
import { printWords } from '../print/print-words.ts'
import type { BillingProfile, ProfileParty } from './billing-profile.ts'
import { amountOfPart, correctedInvoices, type Note, noteLines } from './note-lines.ts'

export interface DocumentLine {
  readonly id: string
  readonly quantity: Ratio
  readonly unit: string
  readonly amount: Ratio
  readonly item: string
  readonly text: string
  readonly price: Ratio
  readonly per: Ratio
  readonly category: string | null
  readonly rate: Ratio | null
}

export interface TaxGroup {
  readonly category: string | null
  readonly rate: Ratio | null
  readonly taxable: Ratio
  readonly amount: Ratio
  readonly exemption: string | null
  readonly exemptionCode: string | null
}

export interface NoteDocument {
  readonly customization: string
  readonly guideline: string
  readonly process: string
  readonly isPeppol: boolean
  readonly number: string
  /** `YYYY-MM-DD`, as all days here. */
  readonly date: string
  readonly typeCode: string
  /** Money goes back: amounts have the opposite sign of the correction's. */
  readonly isCredit: boolean
  readonly currency: string
  readonly note: string
  readonly buyerReference: string | null
  readonly orderReference: string | null
  /** The invoices that it corrects. */
  readonly corrected: readonly string[]
  /** The first day whose prices are corrected, and the country that goods went to: a supply within the EU must give them. */
  readonly periodStart: string | null
  readonly deliveryCountry: string | null
  readonly supplier: ProfileParty
  readonly buyer: ProfileParty
  readonly payment: BillingProfile['payment']
  readonly terms: string | null
  readonly dueDate: string | null
  readonly lines: readonly DocumentLine[]
  readonly taxes: readonly TaxGroup[]
  readonly totals: {
    readonly lines: Ratio
    readonly exclusive: Ratio
    readonly tax: Ratio
    readonly inclusive: Ratio
    readonly payable: Ratio
  }
  readonly language: Language
}

/** A credit note; of an invoice the profile says which. */
const creditCode = '381'

export function noteDocument(note: Note, profile: BillingProfile): NoteDocument {
  const { body, number, date, correctionId } = note
  const currency = body.currency!
  const isCredit = amountOfPart(note).n < 0n
  const own = (amount: Ratio) => (isCredit ? negate(amount) : amount)
  const { category, rate, exemption, exemptionCode } = profile.tax
  const words = printWords[profile.language]
  const net = own(amountOfPart(note))
  // A line that is not subject to tax has no rate.
  const counted = category === 'O' ? null : rate
  const tax = counted === null ? zero : roundMoney(divide(multiply(net, counted), hundred), currency)
  const inclusive = add(net, tax)
  return {
    number,
    date,
    currency,
    isCredit,
    customization: profile.customization,
    guideline: profile.guideline,
    process: profile.process,
    isPeppol: profile.isPeppol,
    typeCode: isCredit ? creditCode : profile.invoiceCode,
    note: words.noteOf(correctionId, body.pam),
    buyerReference: profile.buyerReference,
    orderReference: profile.orderReference,
    corrected: correctedInvoices(note),
    periodStart: category === 'K' ? firstDay(note) : null,
    deliveryCountry: category === 'K' ? profile.buyer.country : null,
    supplier: profile.supplier,
    buyer: profile.buyer,
    payment: profile.payment,
    // Nobody pays a credit note.
    terms: profile.terms ?? (isCredit ? words.nothingDue : null),
    dueDate: isCredit || profile.days === null ? null : formatDay(parseDay(date)! + profile.days),
    lines: noteLines(note).map((line, i) => ({
      id: `${i + 1}`,
      quantity: own(line.quantity),
      unit: profile.unitCode,
      amount: own(line.amount),
      item: line.item,
      text: words.lineText(line.said),
      price: absolute(line.price),
      per: line.per,
      category,
      rate: counted,
    })),
    taxes: [{ category, rate: counted, taxable: net, amount: tax, exemption, exemptionCode }],
    totals: { lines: net, exclusive: net, tax, inclusive, payable: inclusive },
    language: profile.language,
  }
}

function firstDay({ body }: Note): string | null {
  return body.periods.map(({ adjustmentDate }) => adjustmentDate).sort()[0] ?? null
}
