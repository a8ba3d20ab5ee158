// A note as a page to print: the same terms as in the electronic document, in the receiver's language.
import { minorUnits } from '../../core/numbers/money.ts'
import { equal, formatExact, formatFixed, one, type Ratio, ratio } from '../../core/numbers/ratio.ts'
import {
  formatPrintedDate,
  formatPrintedFigure,
  formatPrintedMoney,
  formatPrintedPercent,
} from '../print/print-figures.ts'
import type { PrintWords } from '../print/print-shape.ts'
import { printWords } from '../print/print-words.ts'
import type { PrintedSheet } from '../print/printed-sheet.ts'
import type { ProfileParty, SchemedId } from './billing-profile.ts'
import type { NoteDocument } from './note-document.ts'

export function noteSheet(document: NoteDocument): PrintedSheet {
  const { language, currency, number, date, isCredit, totals } = document
  const words = printWords[language]
  const money = (amount: Ratio) => formatPrintedMoney(formatFixed(amount, minorUnits(currency)), currency, language)
  const figure = (value: Ratio) => formatPrintedFigure(formatExact(value), language)
  return {
    language,
    title: `${isCredit ? words.creditNote : words.debitNote} ${number}`,
    under: document.note,
    sides: [
      { label: words.supplier, lines: partyLines(document.supplier, words) },
      { label: words.buyer, lines: partyLines(document.buyer, words) },
    ],
    facts: present([
      [words.number, number],
      [words.date, formatPrintedDate(date, language)],
      [words.buyerReference, document.buyerReference],
      [words.orderReference, document.orderReference],
      [words.corrects, document.corrected.join(', ')],
    ]),
    tables: [
      {
        title: null,
        columns: [
          { head: words.item },
          { head: words.description },
          ...[words.quantity, words.price, words.amount].map(head => ({ head, isRight: true as const })),
        ],
        rows: document.lines.map(line => [
          line.item,
          line.text,
          figure(line.quantity),
          `${formatPrintedMoney(wholePrice(line.price, currency), currency, language)}${equal(line.per, one) ? '' : ` ${words.per} ${figure(line.per)}`}`,
          money(line.amount),
        ]),
      },
    ],
    totals: [
      { label: words.net, value: money(totals.exclusive) },
      ...document.taxes.map(({ rate, amount }) => ({
        label: rate === null ? words.noTax : words.tax(formatPrintedPercent(formatExact(rate), language)),
        value: money(amount),
      })),
      { label: isCredit ? words.totalBack : words.totalDue, value: money(totals.payable) },
    ],
    remarks: present([
      ...document.taxes.map(({ exemption }) => [words.noTax, exemption] as const),
      [words.dueBy, document.dueDate === null ? null : formatPrintedDate(document.dueDate, language)],
      [words.terms, document.terms],
      // Nobody pays a credit to the account of the supplier.
      ...(isCredit || document.payment === null
        ? []
        : ([
            [words.account, document.payment.account],
            [words.bic, document.payment.bic],
            [words.holder, document.payment.holder],
          ] as const)),
    ]),
    signatures: [],
  }
}

/** A price with at least the decimals of its currency. */
function wholePrice(price: Ratio, currency: string): string {
  const fixed = formatFixed(price, minorUnits(currency))
  return equal(ratio(fixed), price) ? fixed : formatExact(price)
}

function partyLines(party: ProfileParty, words: PrintWords): readonly string[] {
  const { contact } = party
  const labelled = (label: string, value: string | null) => (value === null ? null : `${label}${words.colon} ${value}`)
  const place = [party.zip, party.city].filter(each => each !== null).join(' ')
  return [
    party.name,
    party.street,
    party.street2,
    place,
    [party.region, party.country].filter(each => each !== null).join(', '),
    labelled(words.vat, party.vat),
    labelled(words.taxNumber, party.taxNumber),
    labelled(words.registration, written(party.id)),
    labelled(words.identifier, written(party.identifier)),
    contact === null
      ? null
      : labelled(words.contact, [contact.name, contact.phone, contact.email].filter(each => each !== null).join(', ')),
  ].filter(line => line !== null && line !== '') as readonly string[]
}

function written(id: SchemedId | null): string | null {
  return id === null ? null : id.id
}

function present(facts: readonly (readonly [label: string, value: string | null])[]): PrintedSheet['facts'] {
  return facts.flatMap(([label, value]) => (value === null || value === '' ? [] : [{ label, value }]))
}
