// A note as a Cross Industry Invoice (UN/CEFACT D16B) by EN 16931, which ZUGFeRD and Factur-X embed: amounts as in UBL, a credit
// note by its type code. Elements are in the order of the schemas.
import { minorUnits } from '../../core/numbers/money.ts'
import { formatExact, formatFixed, type Ratio } from '../../core/numbers/ratio.ts'
import { printWords } from '../print/print-words.ts'
import type { ProfileParty } from './billing-profile.ts'
import type { DocumentLine, NoteDocument, TaxGroup } from './note-document.ts'
import { element, schemed, text, type Xml } from './note-xml.ts'

const standard = 'urn:un:unece:uncefact:data:standard:'

export function formatNoteCii(document: NoteDocument): string {
  return new CiiWriter(document).write()
}

class CiiWriter {
  readonly #document: NoteDocument

  constructor(document: NoteDocument) {
    this.#document = document
  }

  write(): string {
    const { guideline, process, number, typeCode, date, note, corrected, lines, language } = this.#document
    const all = corrected.length > 1 ? `${printWords[language].corrects}: ${corrected.join(', ')}` : null
    const names = [
      ` xmlns:rsm="${standard}CrossIndustryInvoice:100"`,
      ` xmlns:ram="${standard}ReusableAggregateBusinessInformationEntity:100"`,
      ` xmlns:udt="${standard}UnqualifiedDataType:100" xmlns:qdt="${standard}QualifiedDataType:100"`,
    ]
    const content = [
      element('rsm:ExchangedDocumentContext', [
        element('ram:BusinessProcessSpecifiedDocumentContextParameter', [text('ram:ID', process)]),
        element('ram:GuidelineSpecifiedDocumentContextParameter', [text('ram:ID', guideline)]),
      ]),
      element('rsm:ExchangedDocument', [
        text('ram:ID', number),
        text('ram:TypeCode', typeCode),
        element('ram:IssueDateTime', [udtDate(date)]),
        element('ram:IncludedNote', [text('ram:Content', note)]),
        element('ram:IncludedNote', [text('ram:Content', all)]),
      ]),
      element('rsm:SupplyChainTradeTransaction', [
        ...lines.map(line => this.#line(line)),
        this.#agreement(),
        this.#delivery(),
        this.#settlement(),
      ]),
    ]
    const root = element('rsm:CrossIndustryInvoice', content, names.join(''))
    return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`
  }

  #money(name: string, amount: Ratio, attributes: Readonly<Record<string, string>> = {}): Xml {
    return text(name, formatFixed(amount, minorUnits(this.#document.currency)), attributes)
  }

  #agreement(): Xml {
    const { buyerReference, supplier, buyer, orderReference } = this.#document
    return element('ram:ApplicableHeaderTradeAgreement', [
      text('ram:BuyerReference', buyerReference),
      element('ram:SellerTradeParty', [this.#party(supplier)]),
      element('ram:BuyerTradeParty', [this.#party(buyer)]),
      element('ram:BuyerOrderReferencedDocument', [text('ram:IssuerAssignedID', orderReference)]),
    ])
  }

  /** Delivery is a required element, even if it is empty. */
  #delivery(): Xml {
    const { deliveryCountry } = this.#document
    const content = element('ram:ShipToTradeParty', [
      element('ram:PostalTradeAddress', [text('ram:CountryID', deliveryCountry)]),
    ])
    return content === ''
      ? '<ram:ApplicableHeaderTradeDelivery/>'
      : element('ram:ApplicableHeaderTradeDelivery', [content])
  }

  #settlement(): Xml {
    const { currency, number, payment, taxes, periodStart, terms, dueDate, totals, corrected } = this.#document
    return element('ram:ApplicableHeaderTradeSettlement', [
      ...(payment === null ? [] : [text('ram:PaymentReference', number)]),
      text('ram:InvoiceCurrencyCode', currency),
      this.#payment(),
      ...taxes.map(each => this.#tax(each)),
      element('ram:BillingSpecifiedPeriod', [
        element('ram:StartDateTime', periodStart === null ? [] : [udtDate(periodStart)]),
      ]),
      element('ram:SpecifiedTradePaymentTerms', [
        text('ram:Description', terms),
        element('ram:DueDateDateTime', dueDate === null ? [] : [udtDate(dueDate)]),
      ]),
      element('ram:SpecifiedTradeSettlementHeaderMonetarySummation', [
        this.#money('ram:LineTotalAmount', totals.lines),
        this.#money('ram:TaxBasisTotalAmount', totals.exclusive),
        this.#money('ram:TaxTotalAmount', totals.tax, { currencyID: currency }),
        this.#money('ram:GrandTotalAmount', totals.inclusive),
        this.#money('ram:DuePayableAmount', totals.payable),
      ]),
      // The schema has a place for one; a note names them all.
      element('ram:InvoiceReferencedDocument', [text('ram:IssuerAssignedID', corrected[0] ?? null)]),
    ])
  }

  #payment(): Xml {
    const { payment } = this.#document
    if (payment === null) return ''
    const isIban = /^[A-Z]{2}\d{2}/.test(payment.account)
    return element('ram:SpecifiedTradeSettlementPaymentMeans', [
      text('ram:TypeCode', payment.code),
      element('ram:PayeePartyCreditorFinancialAccount', [
        text('ram:IBANID', isIban ? payment.account : null),
        text('ram:AccountName', payment.holder),
        text('ram:ProprietaryID', isIban ? null : payment.account),
      ]),
      element('ram:PayeeSpecifiedCreditorFinancialInstitution', [text('ram:BICID', payment.bic)]),
    ])
  }

  #tax({ amount, taxable, category, rate, exemption, exemptionCode }: TaxGroup): Xml {
    return element('ram:ApplicableTradeTax', [
      this.#money('ram:CalculatedAmount', amount),
      text('ram:TypeCode', 'VAT'),
      text('ram:ExemptionReason', exemption),
      this.#money('ram:BasisAmount', taxable),
      text('ram:CategoryCode', category),
      text('ram:ExemptionReasonCode', exemptionCode),
      text('ram:RateApplicablePercent', rate === null ? null : formatExact(rate)),
    ])
  }

  #party({ name, id, identifier, endpoint, contact, vat, taxNumber, ...address }: ProfileParty): Xml {
    const isGlobal = identifier?.scheme !== null
    return [
      ...(identifier === null ? [] : [isGlobal ? schemed('ram:GlobalID', identifier) : text('ram:ID', identifier.id)]),
      text('ram:Name', name),
      element('ram:SpecifiedLegalOrganization', [schemed('ram:ID', id)]),
      element(
        'ram:DefinedTradeContact',
        contact === null
          ? []
          : [
              text('ram:PersonName', contact.name),
              element('ram:TelephoneUniversalCommunication', [text('ram:CompleteNumber', contact.phone)]),
              element('ram:EmailURIUniversalCommunication', [text('ram:URIID', contact.email)]),
            ],
      ),
      element('ram:PostalTradeAddress', [
        text('ram:PostcodeCode', address.zip),
        text('ram:LineOne', address.street),
        text('ram:LineTwo', address.street2),
        text('ram:CityName', address.city),
        text('ram:CountryID', address.country),
        text('ram:CountrySubDivisionName', address.region),
      ]),
      element('ram:URIUniversalCommunication', [schemed('ram:URIID', endpoint)]),
      element('ram:SpecifiedTaxRegistration', [text('ram:ID', taxNumber, { schemeID: 'FC' })]),
      element('ram:SpecifiedTaxRegistration', [text('ram:ID', vat, { schemeID: 'VA' })]),
    ].join('')
  }

  #line({ id, quantity, unit, amount, item, text: said, price, per, category, rate }: DocumentLine): Xml {
    return element('ram:IncludedSupplyChainTradeLineItem', [
      element('ram:AssociatedDocumentLineDocument', [text('ram:LineID', id)]),
      element('ram:SpecifiedTradeProduct', [
        text('ram:SellerAssignedID', item),
        text('ram:Name', item),
        text('ram:Description', said),
      ]),
      element('ram:SpecifiedLineTradeAgreement', [
        element('ram:NetPriceProductTradePrice', [
          text('ram:ChargeAmount', formatExact(price)),
          text('ram:BasisQuantity', formatExact(per), { unitCode: unit }),
        ]),
      ]),
      element('ram:SpecifiedLineTradeDelivery', [
        text('ram:BilledQuantity', formatExact(quantity), { unitCode: unit }),
      ]),
      element('ram:SpecifiedLineTradeSettlement', [
        element('ram:ApplicableTradeTax', [
          text('ram:TypeCode', 'VAT'),
          text('ram:CategoryCode', category),
          text('ram:RateApplicablePercent', rate === null ? null : formatExact(rate)),
        ]),
        element('ram:SpecifiedTradeSettlementLineMonetarySummation', [this.#money('ram:LineTotalAmount', amount)]),
      ]),
    ])
  }
}

function udtDate(day: string): Xml {
  return text('udt:DateTimeString', day.replaceAll('-', ''), { format: '102' })
}
