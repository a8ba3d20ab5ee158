// A note as UBL 2.1: a CreditNote if money goes back, else an Invoice. Prices are never negative; a line of the other sign has a
// negative quantity. Elements are in the order of the schemas.
import { minorUnits } from '../../core/numbers/money.ts'
import { formatExact, formatFixed, type Ratio } from '../../core/numbers/ratio.ts'
import type { ProfileParty } from './billing-profile.ts'
import type { DocumentLine, NoteDocument, TaxGroup } from './note-document.ts'
import { element, schemed, text, type Xml } from './note-xml.ts'

const schemas = 'urn:oasis:names:specification:ubl:schema:xsd:'

export function formatNoteUbl(document: NoteDocument): string {
  return new UblWriter(document).write()
}

class UblWriter {
  readonly #document: NoteDocument

  constructor(document: NoteDocument) {
    this.#document = document
  }

  write(): string {
    const document = this.#document
    const { isCredit, typeCode, dueDate, totals } = document
    const name = isCredit ? 'CreditNote' : 'Invoice'
    const content = [
      text('cbc:CustomizationID', document.customization),
      text('cbc:ProfileID', document.process),
      text('cbc:ID', document.number),
      text('cbc:IssueDate', document.date),
      ...(isCredit
        ? [text('cbc:CreditNoteTypeCode', typeCode)]
        : [text('cbc:DueDate', dueDate), text('cbc:InvoiceTypeCode', typeCode)]),
      text('cbc:Note', document.note),
      text('cbc:DocumentCurrencyCode', document.currency),
      text('cbc:BuyerReference', document.buyerReference),
      element('cac:InvoicePeriod', [text('cbc:StartDate', document.periodStart)]),
      element('cac:OrderReference', [text('cbc:ID', document.orderReference)]),
      ...document.corrected.map(invoice =>
        element('cac:BillingReference', [element('cac:InvoiceDocumentReference', [text('cbc:ID', invoice)])]),
      ),
      element('cac:AccountingSupplierParty', [this.#party(document.supplier)]),
      element('cac:AccountingCustomerParty', [this.#party(document.buyer)]),
      element('cac:Delivery', [
        element('cac:DeliveryLocation', [element('cac:Address', [this.#country(document.deliveryCountry)])]),
      ]),
      this.#payment(),
      element('cac:PaymentTerms', [text('cbc:Note', document.terms)]),
      element('cac:TaxTotal', [
        this.#money('cbc:TaxAmount', totals.tax),
        ...document.taxes.map(each => this.#subtotal(each)),
      ]),
      element('cac:LegalMonetaryTotal', [
        this.#money('cbc:LineExtensionAmount', totals.lines),
        this.#money('cbc:TaxExclusiveAmount', totals.exclusive),
        this.#money('cbc:TaxInclusiveAmount', totals.inclusive),
        this.#money('cbc:PayableAmount', totals.payable),
      ]),
      ...document.lines.map(line => this.#line(line)),
    ]
    const parts = `xmlns:cac="${schemas}CommonAggregateComponents-2" xmlns:cbc="${schemas}CommonBasicComponents-2"`
    const root = ` xmlns="${schemas}${name}-2" ${parts}`
    return `<?xml version="1.0" encoding="UTF-8"?>\n${element(name, content, root)}\n`
  }

  #money(name: string, amount: Ratio): Xml {
    const { currency } = this.#document
    return text(name, formatFixed(amount, minorUnits(currency)), { currencyID: currency })
  }

  #party(party: ProfileParty): Xml {
    const { name, contact, vat, taxNumber } = party
    return element('cac:Party', [
      schemed('cbc:EndpointID', party.endpoint),
      element('cac:PartyIdentification', [schemed('cbc:ID', party.identifier)]),
      element('cac:PartyName', [text('cbc:Name', name)]),
      element('cac:PostalAddress', [
        text('cbc:StreetName', party.street),
        text('cbc:AdditionalStreetName', party.street2),
        text('cbc:CityName', party.city),
        text('cbc:PostalZone', party.zip),
        text('cbc:CountrySubentity', party.region),
        this.#country(party.country),
      ]),
      ...(vat === null ? [] : [taxScheme(vat, 'VAT')]),
      ...(taxNumber === null ? [] : [taxScheme(taxNumber, 'TAX')]),
      element('cac:PartyLegalEntity', [text('cbc:RegistrationName', name), schemed('cbc:CompanyID', party.id)]),
      element(
        'cac:Contact',
        contact === null
          ? []
          : [
              text('cbc:Name', contact.name),
              text('cbc:Telephone', contact.phone),
              text('cbc:ElectronicMail', contact.email),
            ],
      ),
    ])
  }

  #country(code: string | null): Xml {
    return element('cac:Country', [text('cbc:IdentificationCode', code)])
  }

  #payment(): Xml {
    const { payment, number } = this.#document
    if (payment === null) return ''
    return element('cac:PaymentMeans', [
      text('cbc:PaymentMeansCode', payment.code),
      text('cbc:PaymentID', number),
      element('cac:PayeeFinancialAccount', [
        text('cbc:ID', payment.account),
        text('cbc:Name', payment.holder),
        element('cac:FinancialInstitutionBranch', [text('cbc:ID', payment.bic)]),
      ]),
    ])
  }

  #subtotal({ taxable, amount, category, rate, exemption, exemptionCode }: TaxGroup): Xml {
    return element('cac:TaxSubtotal', [
      this.#money('cbc:TaxableAmount', taxable),
      this.#money('cbc:TaxAmount', amount),
      element('cac:TaxCategory', [
        text('cbc:ID', category),
        text('cbc:Percent', rate === null ? null : formatExact(rate)),
        text('cbc:TaxExemptionReasonCode', exemptionCode),
        text('cbc:TaxExemptionReason', exemption),
        vatScheme,
      ]),
    ])
  }

  #line({ id, quantity, unit, amount, item, text: said, price, per, category, rate }: DocumentLine): Xml {
    const { isCredit, currency } = this.#document
    const unitCode = { unitCode: unit }
    return element(isCredit ? 'cac:CreditNoteLine' : 'cac:InvoiceLine', [
      text('cbc:ID', id),
      text(isCredit ? 'cbc:CreditedQuantity' : 'cbc:InvoicedQuantity', formatExact(quantity), unitCode),
      this.#money('cbc:LineExtensionAmount', amount),
      element('cac:Item', [
        text('cbc:Description', said),
        text('cbc:Name', item),
        element('cac:SellersItemIdentification', [text('cbc:ID', item)]),
        element('cac:ClassifiedTaxCategory', [
          text('cbc:ID', category),
          text('cbc:Percent', rate === null ? null : formatExact(rate)),
          vatScheme,
        ]),
      ]),
      element('cac:Price', [
        text('cbc:PriceAmount', formatExact(price), { currencyID: currency }),
        text('cbc:BaseQuantity', formatExact(per), unitCode),
      ]),
    ])
  }
}

const vatScheme = element('cac:TaxScheme', [text('cbc:ID', 'VAT')])

function taxScheme(id: string, scheme: string): Xml {
  return element('cac:PartyTaxScheme', [text('cbc:CompanyID', id), element('cac:TaxScheme', [text('cbc:ID', scheme)])])
}
