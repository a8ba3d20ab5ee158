// Rules of Peppol BIS Billing 3.0, with its rules for parties that are both in Germany. They count for notes to a buyer who
// receives by that network.
import { exactAmount } from '../../../core/numbers/money.ts'
import { absolute, compare, ratio, subtract } from '../../../core/numbers/ratio.ts'
import { parseDay } from '../../../core/time/day.ts'
import { peppolCustomization } from '../billing-profile.ts'
import type { NoteDocument } from '../note-document.ts'
import { endpointSchemes, peppolCreditCodes, peppolInvoiceCodes } from './code-lists.ts'
import { isEmpty, type NoteRule, rule } from './rule.ts'

const sides = ['supplier', 'buyer'] as const
const r = (number: string) => `PEPPOL-EN16931-R${number}`
const process = /^urn:fdc:peppol\.eu:2017:poacc:billing:\d{2}:1\.0$/
/** The largest distance of a line from its quantity times its price. */
const slack = ratio('0.02')

/** Reasons that go with one category alone. */
const reasonCategories: readonly (readonly [id: string, code: string, category: string])[] = [
  ['PEPPOL-EN16931-P0104', 'VATEX-EU-G', 'G'],
  ['PEPPOL-EN16931-P0105', 'VATEX-EU-O', 'O'],
  ['PEPPOL-EN16931-P0106', 'VATEX-EU-IC', 'K'],
  ['PEPPOL-EN16931-P0107', 'VATEX-EU-AE', 'AE'],
  ['PEPPOL-EN16931-P0108', 'VATEX-EU-D', 'E'],
  ['PEPPOL-EN16931-P0109', 'VATEX-EU-F', 'E'],
  ['PEPPOL-EN16931-P0110', 'VATEX-EU-I', 'E'],
  ['PEPPOL-EN16931-P0111', 'VATEX-EU-J', 'E'],
]

const digitsOf = (id: string) => [...id].map(digit => digit.charCodeAt(0) - 48)

function weighted(digits: readonly number[], weightOf: (place: number) => number): number {
  return digits.reduce((total, digit, place) => total + digit * weightOf(place), 0)
}

/** Check digits of identifiers by their scheme, from the right for GLN and from the left otherwise. */
const checkDigits: readonly (readonly [id: string, scheme: string, what: string, isRight: (id: string) => boolean])[] =
  [
    [
      'PEPPOL-COMMON-R040',
      '0088',
      'a GLN with its check digit',
      id => /^\d{8,}$/.test(id) && weighted(digitsOf(id).toReversed(), place => (place % 2 === 0 ? 1 : 3)) % 10 === 0,
    ],
    [
      'PEPPOL-COMMON-R041',
      '0192',
      'a Norwegian organisation number with its check digit',
      id => /^\d{9}$/.test(id) && weighted(digitsOf(id), place => [3, 2, 7, 6, 5, 4, 3, 2, 1][place]!) % 11 === 0,
    ],
    [
      'PEPPOL-COMMON-R043',
      '0208',
      'a Belgian enterprise number with its check digits',
      id => /^\d{10}$/.test(id) && 97 - (Number.parseInt(id.slice(0, 8), 10) % 97) === Number.parseInt(id.slice(8), 10),
    ],
    [
      'PEPPOL-COMMON-R049',
      '0007',
      'a Swedish organisation number with its check digit',
      id =>
        /^\d{10}$/.test(id) &&
        digitsOf(id).reduce((total, digit, place) => {
          const doubled = place % 2 === 0 ? digit * 2 : digit
          return total + (doubled > 9 ? doubled - 9 : doubled)
        }, 0) %
          10 ===
          0,
    ],
  ]

const partyRules: readonly NoteRule[] = [
  rule(r('010'), 'buyer.endpoint', 'the electronic address of the buyer', ({ buyer }) => buyer.endpoint === null),
  rule(
    r('020'),
    'supplier.endpoint',
    'the electronic address of the supplier',
    ({ supplier }) => supplier.endpoint === null,
  ),
  ...sides.flatMap(side => [
    rule('PEPPOL-EN16931-CL008', `${side}.endpoint`, 'a scheme of the list of electronic addresses', document => {
      const scheme = document[side].endpoint?.scheme ?? null
      return scheme !== null && !endpointSchemes.has(scheme)
    }),
    ...checkDigits.map(([id, scheme, what, isRight]) =>
      rule(id, `${side}.endpoint`, what, document =>
        [document[side].endpoint, document[side].identifier, document[side].id].some(
          each => each?.scheme === scheme && !isRight(each.id),
        ),
      ),
    ),
  ]),
]

function isGerman({ supplier, buyer }: NoteDocument): boolean {
  const countryOf = ({ vat, country }: NoteDocument['buyer']) => (vat === null ? country : vat.slice(0, 2))
  return countryOf(supplier) === 'DE' && countryOf(buyer) === 'DE'
}

const german = (id: string, field: string, needs: string, isBroken: NoteRule['isBroken']) =>
  rule(id, field, `${needs}, because both parties are in Germany`, document => isGerman(document) && isBroken(document))

const germanRules: readonly NoteRule[] = [
  german('DE-R-001', 'payment.iban', 'how to pay', ({ payment }) => payment === null),
  german('DE-R-002', 'supplier.contact.name', 'a contact', ({ supplier }) => supplier.contact === null),
  german('DE-R-003', 'supplier.city', 'the city of the supplier', ({ supplier }) => isEmpty(supplier.city)),
  german('DE-R-004', 'supplier.zip', 'the postal code of the supplier', ({ supplier }) => isEmpty(supplier.zip)),
  german('DE-R-005', 'supplier.contact.name', 'the name of the contact', ({ supplier }) =>
    isEmpty(supplier.contact?.name),
  ),
  german('DE-R-006', 'supplier.contact.phone', 'its telephone number', ({ supplier }) =>
    isEmpty(supplier.contact?.phone),
  ),
  german('DE-R-007', 'supplier.contact.email', 'its e-mail address', ({ supplier }) =>
    isEmpty(supplier.contact?.email),
  ),
  german('DE-R-008', 'buyer.city', 'the city of the buyer', ({ buyer }) => isEmpty(buyer.city)),
  german('DE-R-009', 'buyer.zip', 'the postal code of the buyer', ({ buyer }) => isEmpty(buyer.zip)),
  german('DE-R-015', 'buyer.reference', 'the reference of the buyer', ({ buyerReference }) => isEmpty(buyerReference)),
]

export const peppolRules: readonly NoteRule[] = [
  rule(r('001'), 'process', 'the business process', ({ process: said }) => isEmpty(said)),
  rule(
    r('003'),
    'buyer.reference',
    'the reference of the buyer or a purchase order',
    ({ buyerReference, orderReference }) => {
      return isEmpty(buyerReference) && isEmpty(orderReference)
    },
  ),
  rule(r('004'), 'customization', `a text that begins with ${peppolCustomization}`, ({ customization }) => {
    return !customization.startsWith(peppolCustomization)
  }),
  rule(r('007'), 'process', 'urn:fdc:peppol.eu:2017:poacc:billing:NN:1.0', ({ process: said }) => !process.test(said)),
  ...partyRules,
  rule(
    r('061'),
    'payment.code',
    'another means of payment than a direct debit, which needs a mandate',
    ({ payment }) => {
      return payment !== null && ['49', '59'].includes(payment.code)
    },
  ),
  rule(r('120'), 'lines', 'amounts that are quantity times price', ({ lines }) =>
    lines.some(({ quantity, price, per, amount }) => {
      return per.n > 0n && compare(absolute(subtract(exactAmount(quantity, price, per), amount)), slack) > 0
    }),
  ),
  rule(r('121'), 'lines', 'prices per a quantity above 0', ({ lines }) => lines.some(({ per }) => per.n <= 0n)),
  rule('PEPPOL-EN16931-F001', 'date', 'days as YYYY-MM-DD', ({ date, dueDate, periodStart }) =>
    [date, dueDate, periodStart].some(day => day !== null && parseDay(day) === null),
  ),
  rule('PEPPOL-EN16931-P0100', 'invoiceCode', 'a type of invoice that Peppol takes, such as 380', document => {
    return !document.isCredit && !peppolInvoiceCodes.has(document.typeCode)
  }),
  rule('PEPPOL-EN16931-P0101', 'invoiceCode', 'a type of credit note that Peppol takes, such as 381', document => {
    return document.isCredit && !peppolCreditCodes.has(document.typeCode)
  }),
  ...reasonCategories.map(([id, code, category]) =>
    rule(id, 'tax.exemptionCode', `${code} with category ${category} alone`, ({ taxes }) =>
      taxes.some(each => each.exemptionCode === code && each.category !== category),
    ),
  ),
  ...germanRules,
]
