// The document of a correction as UBL 2.1: a CreditNote if money goes back, else an Invoice. Prices are never negative;
// a line of the other sign has a negative quantity. Elements are in the order of the schemas.
import { minorUnits, roundMoney } from '../../core/numbers/money.ts'
import {
  absolute,
  add,
  divide,
  multiply,
  negate,
  ofInteger,
  type Ratio,
  writeExact,
  writeFixed,
} from '../../core/numbers/ratio.ts'
import { escapeXml } from '../xml-text.ts'
import type { BillingProfile, ProfileParty } from './billing-profile.ts'
import { amountOfPart, correctedInvoices, type Note, type NoteLine, noteLines } from './note-lines.ts'

const namespaces = {
  common: 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2',
  parts: 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2',
  document: (name: string) => `urn:oasis:names:specification:ubl:schema:xsd:${name}-2`,
} as const

type Xml = string
const hundred = ofInteger(100)

function element(name: string, content: Xml | readonly Xml[], attributes = ''): Xml {
  return `<${name}${attributes}>${typeof content === 'string' ? content : content.join('')}</${name}>`
}

function text(name: string, value: string, attributes = ''): Xml {
  return element(name, escapeXml(value), attributes)
}

export function writeNoteUbl(note: Note, profile: BillingProfile): string {
  return new NoteWriter(note, profile).write()
}

class NoteWriter {
  readonly #note: Note
  readonly #profile: BillingProfile
  readonly #currency: string
  /** Money goes back: amounts are written with the opposite sign. */
  readonly #isCredit: boolean

  constructor(note: Note, profile: BillingProfile) {
    this.#note = note
    this.#profile = profile
    this.#currency = note.body.currency!
    this.#isCredit = amountOfPart(note).n < 0n
  }

  write(): string {
    const name = this.#isCredit ? 'CreditNote' : 'Invoice'
    const { number, date, correctionId } = this.#note
    const lines = noteLines(this.#note)
    const net = this.#own(amountOfPart(this.#note))
    const tax = roundMoney(divide(multiply(net, this.#profile.tax.rate), hundred), this.#currency)
    const content = [
      text('cbc:CustomizationID', this.#profile.customization),
      text('cbc:ProfileID', this.#profile.process),
      text('cbc:ID', number),
      text('cbc:IssueDate', date),
      this.#isCredit ? text('cbc:CreditNoteTypeCode', '381') : text('cbc:InvoiceTypeCode', this.#profile.invoiceCode),
      text('cbc:Note', `Correction ${correctionId} of ${this.#note.body.pam}, agreed by both parties`),
      text('cbc:DocumentCurrencyCode', this.#currency),
      ...correctedInvoices(this.#note).map(invoice =>
        element('cac:BillingReference', element('cac:InvoiceDocumentReference', text('cbc:ID', invoice))),
      ),
      element('cac:AccountingSupplierParty', this.#party(this.#profile.supplier)),
      element('cac:AccountingCustomerParty', this.#party(this.#profile.buyer)),
      this.#taxTotal(net, tax),
      element('cac:LegalMonetaryTotal', [
        this.#money('cbc:LineExtensionAmount', net),
        this.#money('cbc:TaxExclusiveAmount', net),
        this.#money('cbc:TaxInclusiveAmount', add(net, tax)),
        this.#money('cbc:PayableAmount', add(net, tax)),
      ]),
      ...lines.map((line, i) => this.#line(line, i + 1)),
    ]
    const { common, parts, document } = namespaces
    const root = ` xmlns="${document(name)}" xmlns:cac="${parts}" xmlns:cbc="${common}"`
    return `<?xml version="1.0" encoding="UTF-8"?>\n${element(name, content, root)}\n`
  }

  #own(amount: Ratio): Ratio {
    return this.#isCredit ? negate(amount) : amount
  }

  #money(name: string, amount: Ratio): Xml {
    return text(name, writeFixed(amount, minorUnits(this.#currency)), ` currencyID="${this.#currency}"`)
  }

  #party({ name, street, city, zip, country, vat, id, endpoint }: ProfileParty): Xml {
    return element('cac:Party', [
      ...(endpoint === null ? [] : [text('cbc:EndpointID', endpoint.id, ` schemeID="${escapeXml(endpoint.scheme)}"`)]),
      element('cac:PartyName', text('cbc:Name', name)),
      element('cac:PostalAddress', [
        ...(street === null ? [] : [text('cbc:StreetName', street)]),
        ...(city === null ? [] : [text('cbc:CityName', city)]),
        ...(zip === null ? [] : [text('cbc:PostalZone', zip)]),
        element('cac:Country', text('cbc:IdentificationCode', country)),
      ]),
      ...(vat === null
        ? []
        : [
            element('cac:PartyTaxScheme', [
              text('cbc:CompanyID', vat),
              element('cac:TaxScheme', text('cbc:ID', 'VAT')),
            ]),
          ]),
      element('cac:PartyLegalEntity', [
        text('cbc:RegistrationName', name),
        ...(id === null ? [] : [text('cbc:CompanyID', id)]),
      ]),
    ])
  }

  #category(name: 'cac:TaxCategory' | 'cac:ClassifiedTaxCategory'): Xml {
    const { category, rate, exemption } = this.#profile.tax
    return element(name, [
      text('cbc:ID', category),
      text('cbc:Percent', writeExact(rate)),
      ...(exemption === null || name === 'cac:ClassifiedTaxCategory'
        ? []
        : [text('cbc:TaxExemptionReason', exemption)]),
      element('cac:TaxScheme', text('cbc:ID', 'VAT')),
    ])
  }

  #taxTotal(net: Ratio, tax: Ratio): Xml {
    return element('cac:TaxTotal', [
      this.#money('cbc:TaxAmount', tax),
      element('cac:TaxSubtotal', [
        this.#money('cbc:TaxableAmount', net),
        this.#money('cbc:TaxAmount', tax),
        this.#category('cac:TaxCategory'),
      ]),
    ])
  }

  #line({ item, quantity, price, per, amount, text: said }: NoteLine, number: number): Xml {
    const [line, counted] = this.#isCredit
      ? (['cac:CreditNoteLine', 'cbc:CreditedQuantity'] as const)
      : (['cac:InvoiceLine', 'cbc:InvoicedQuantity'] as const)
    const unit = ` unitCode="${escapeXml(this.#profile.unitCode)}"`
    return element(line, [
      text('cbc:ID', `${number}`),
      text(counted, writeExact(this.#own(quantity)), unit),
      this.#money('cbc:LineExtensionAmount', this.#own(amount)),
      element('cac:Item', [
        text('cbc:Description', said),
        text('cbc:Name', item),
        element('cac:SellersItemIdentification', text('cbc:ID', item)),
        this.#category('cac:ClassifiedTaxCategory'),
      ]),
      element('cac:Price', [
        text('cbc:PriceAmount', writeExact(absolute(price)), ` currencyID="${this.#currency}"`),
        text('cbc:BaseQuantity', writeExact(per), unit),
      ]),
    ])
  }
}
