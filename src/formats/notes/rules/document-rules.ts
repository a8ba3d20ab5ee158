// Rules about what every note must have: numbers, days, codes, the two parties, references and how to pay.
import { parseDay } from '../../../core/time/day.ts'
import type { ProfileParty } from '../billing-profile.ts'
import type { NoteDocument } from '../note-document.ts'
import {
  countries,
  creditCodes,
  currencies,
  endpointSchemes,
  identifierScheme,
  invoiceCodes,
  paymentCodes,
  unitForm,
} from './code-lists.ts'
import { isEmpty, type NoteRule, rule } from './rule.ts'

const sides = ['supplier', 'buyer'] as const

function hasAddress({ street, street2, city, zip, region, country }: ProfileParty): boolean {
  return ![street, street2, city, zip, region, country].every(isEmpty)
}

/** Greece writes EL. */
function hasCountryInFront(vat: string): boolean {
  const front = vat.slice(0, 2)
  return front === 'EL' || countries.has(front)
}

function isDay(text: string): boolean {
  return parseDay(text) !== null
}

const partyRules: readonly NoteRule[] = [
  rule('BR-06', 'supplier.name', 'the legal name of the supplier', ({ supplier }) => isEmpty(supplier.name)),
  rule('BR-07', 'buyer.name', 'the legal name of the buyer', ({ buyer }) => isEmpty(buyer.name)),
  rule('BR-08', 'supplier.country', 'an address of the supplier', ({ supplier }) => !hasAddress(supplier)),
  rule('BR-09', 'supplier.country', 'two capital letters, such as AT', ({ supplier }) => isEmpty(supplier.country)),
  rule('BR-10', 'buyer.country', 'an address of the buyer', ({ buyer }) => !hasAddress(buyer)),
  rule('BR-11', 'buyer.country', 'two capital letters, such as AT', ({ buyer }) => isEmpty(buyer.country)),
  rule('BR-62', 'supplier.endpoint', 'its scheme, as SCHEME:ID', ({ supplier }) => isEndpointBare(supplier)),
  rule('BR-63', 'buyer.endpoint', 'its scheme, as SCHEME:ID', ({ buyer }) => isEndpointBare(buyer)),
  rule('BR-CO-26', 'supplier.vat', 'a VAT identifier, a registration number or another identifier', ({ supplier }) =>
    [supplier.vat, supplier.id?.id, supplier.identifier?.id].every(isEmpty),
  ),
  ...sides.flatMap(side => [
    rule('BR-CO-09', `${side}.vat`, 'the two letters of its country in front', document => {
      const { vat } = document[side]
      return vat !== null && !hasCountryInFront(vat)
    }),
    rule('BR-CL-14', `${side}.country`, 'a country of ISO 3166-1', document => {
      const { country } = document[side]
      return country !== null && !countries.has(country)
    }),
    rule('BR-CL-25', `${side}.endpoint`, 'a scheme of the list of electronic addresses (EAS)', document => {
      const scheme = document[side].endpoint?.scheme ?? null
      return scheme !== null && !endpointSchemes.has(scheme)
    }),
    rule('BR-CL-10', `${side}.identifier`, 'a scheme of ISO/IEC 6523, of four digits', document =>
      isOtherScheme(document[side].identifier?.scheme),
    ),
    rule('BR-CL-11', `${side}.id`, 'a scheme of ISO/IEC 6523, of four digits', document =>
      isOtherScheme(document[side].id?.scheme),
    ),
  ]),
]

function isEndpointBare({ endpoint }: ProfileParty): boolean {
  return endpoint !== null && isEmpty(endpoint.scheme)
}

function isOtherScheme(scheme: string | null | undefined): boolean {
  return scheme != null && !identifierScheme.test(scheme)
}

/** Payment codes of transfers, which need the name of the account. */
const transfers = ['30', '58']

function lacksTerms({ isCredit, totals, terms, dueDate }: NoteDocument): boolean {
  return !isCredit && totals.payable.n > 0n && isEmpty(terms) && isEmpty(dueDate)
}

export const documentRules: readonly NoteRule[] = [
  rule('BR-01', 'customization', 'the specification that the note follows', ({ customization }) =>
    isEmpty(customization),
  ),
  rule('BR-02', 'number', 'a number', ({ number }) => isEmpty(number)),
  rule('BR-03', 'date', 'a day', ({ date }) => !isDay(date)),
  rule('BR-04', 'invoiceCode', 'the type of the document', ({ typeCode }) => isEmpty(typeCode)),
  rule('BR-05', 'currency', 'a currency', ({ currency }) => isEmpty(currency)),
  rule('BR-CL-01', 'invoiceCode', 'a code of UNCL 1001 for an invoice or a credit note', ({ typeCode, isCredit }) =>
    isCredit ? !creditCodes.has(typeCode) : !invoiceCodes.has(typeCode),
  ),
  rule('BR-CL-04', 'currency', 'a currency of ISO 4217', ({ currency }) => !currencies.has(currency)),
  ...partyRules,
  rule('BR-16', 'lines', 'at least one line', ({ lines }) => lines.length === 0),
  rule('BR-21', 'lines', 'a number of each line', ({ lines }) => lines.some(({ id }) => isEmpty(id))),
  rule('BR-23', 'unitCode', 'a unit of each quantity', ({ lines }) => lines.some(({ unit }) => isEmpty(unit))),
  rule('BR-25', 'lines', 'a name of each item', ({ lines }) => lines.some(({ item }) => isEmpty(item))),
  rule('BR-27', 'lines', 'prices that are not negative', ({ lines }) => lines.some(({ price }) => price.n < 0n)),
  rule('BR-CL-23', 'unitCode', 'a code of recommendation 20, such as C62 or KGM', ({ lines }) =>
    lines.some(({ unit }) => !unitForm.test(unit)),
  ),
  rule('BR-55', 'lines', 'the number of each corrected invoice', ({ corrected }) => corrected.some(isEmpty)),
  rule('BR-49', 'payment.code', 'a means of payment', ({ payment }) => payment !== null && isEmpty(payment.code)),
  rule('BR-CL-16', 'payment.code', 'a code of UNCL 4461, such as 30', ({ payment }) => {
    return payment !== null && !paymentCodes.has(payment.code)
  }),
  rule('BR-61', 'payment.iban', 'the account that a transfer goes to', ({ payment }) => {
    return payment !== null && transfers.includes(payment.code) && isEmpty(payment.account)
  }),
  rule('BR-CO-25', 'payment.days', 'payment.days or payment.terms, because an amount is due', lacksTerms),
]
