// The product's ledger and the clerk's book over the same drawn history, at the end of every day: the accounts in each currency,
// which lines belong to which notes, and the name of every difference.
import type { BilledLine } from '../../src/core/invoices/billed-line.ts'
import type { LedgerEntry, LedgerFacts } from '../../src/core/invoices/ledger-facts.ts'
import { type Ratio, ratio } from '../../src/core/numbers/ratio.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { balancesOf, isBalanced, openLedger, type TrueUpLedger } from '../../src/core/true-up/ledger.ts'
import { Chance } from '../faults/chance.ts'
import { contractPrice, makeAgreement } from '../support/agreements/priced-agreement.ts'
import { type BillingBook, BillingClerk } from './billing-clerk.ts'
import { type BillingHistory, currencies, type DrawnLine, drawBilling, type Supplier } from './billing-history.ts'

const dayOf = (day: number) => `2024-02-${`${day + 1}`.padStart(2, '0')}`
const at = (day: number) => `${dayOf(day)}T12:00:00.000000Z`
const money = (cents: number): Ratio =>
  ratio(`${cents < 0 ? '-' : ''}${Math.floor(Math.abs(cents) / 100)}.${`${Math.abs(cents) % 100}`.padStart(2, '0')}`)
const centsOf = ({ n, d }: Ratio): number => Number((n * 100n) / d)
const whose = (supplier: Supplier) => ({ supplier, company: supplier === 'nobody' ? null : supplier })

/** One price, which is agreed from the beginning. */
const agreement = makeAgreement({ periods: [{ period: 'start', date: '2024-01-01' }], price: contractPrice('10.00') })

function lineOf(line: DrawnLine): BilledLine {
  const day = parseDay('2024-02-01')!
  return {
    id: line.id,
    ...whose(line.supplier),
    invoice: line.spelling,
    line: line.undoes ?? line.id,
    kind: line.isCorrection ? 'CORRECTION' : 'INVOICE',
    item: 'steel-brackets',
    quantity: ratio(`${line.pieces}`),
    day,
    serviceFrom: null,
    serviceTo: null,
    date: day,
    billed: money(line.cents),
    currency: line.currency,
    importedAt: at(line.day),
    reverses: line.undoes,
  }
}

function factsOf({ lines, notes, corrections }: BillingHistory): LedgerFacts {
  return {
    currency: 'EUR',
    lines: lines.map(lineOf),
    settled: [{ at: '2024-01-01T00:00:00.000000Z', agreement }],
    corrections: corrections.map(({ id, day, isWaiver, lines: own }) => ({
      id,
      agreedAt: at(day),
      isWaiver,
      currency: 'EUR',
      lines: own.map(({ item, cents }) => ({ lineId: null, item, period: 'start', amount: money(cents) })),
    })),
    billing: [],
    notes: notes.map(({ id, day, supplier, spelling, currency, cents }) => ({
      id,
      issuedAt: at(day),
      ...whose(supplier),
      number: spelling,
      currency,
      amount: money(cents),
    })),
  }
}

/** The product's ledger in the words of the clerk. */
function bookOf({ sums, otherSums, differences, notes, entries }: TrueUpLedger): BillingBook {
  const none = {
    ENTITLED: money(0),
    PROVISIONAL: money(0),
    BILLED: money(0),
    BILLING_DIFF: money(0),
    AGREED: money(0),
    WAIVED: money(0),
  }
  const book = (currency: string) => {
    const own = balancesOf({ sums: currency === 'EUR' ? sums : (otherSums.get(currency) ?? none) })
    return Object.fromEntries(Object.entries(own).map(([account, amount]) => [account, centsOf(amount)]))
  }
  return {
    accounts: Object.fromEntries(currencies.map(each => [each, book(each)])) as BillingBook['accounts'],
    named: differences.map(each => `${each.subject} ${each.code} ${each.currency} ${centsOf(each.amount)}`).sort(),
    matched: notes.map(({ note: { id }, lines }) => `${id}: ${[...lines].sort().join(' ')}`).sort(),
    corrected: entries.filter(({ event }) => event.startsWith('CORRECTION_')).length,
  }
}

/** The first difference between the two, in words; null where there is none. */
export function compareBilling(history: BillingHistory): string | null {
  const facts = factsOf(history)
  const books = new BillingClerk(history).keep()
  let posted: readonly LedgerEntry[] = []
  for (const [day, clerks] of books.entries()) {
    const ledger = openLedger(facts, at(day))
    if (!isBalanced(ledger)) return `day ${day}: the ledger does not balance, or a difference has no name`
    if (ledger.entries.some(({ legs }) => Object.keys(legs).length < 2)) return `day ${day}: a posting is empty`
    if (JSON.stringify(ledger.entries.slice(0, posted.length), asText) !== JSON.stringify(posted, asText))
      return `day ${day}: what was posted before has changed`
    posted = ledger.entries
    const products = bookOf(ledger)
    for (const part of ['accounts', 'named', 'matched', 'corrected'] as const) {
      const [left, right] = [clerks[part], products[part]].map(each => JSON.stringify(each))
      if (left !== right) return `day ${day}, ${part}: the clerk has ${left}, the product ${right}`
    }
  }
  return null
}

const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)

/** A history by its seed, and the first difference in it. */
export function compareBillingSeed(seed: number): string | null {
  const found = compareBilling(drawBilling(new Chance(seed)))
  return found === null ? null : `seed ${seed}: ${found}`
}
