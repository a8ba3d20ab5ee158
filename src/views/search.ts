// Search: agreements, series and suppliers by words of their names, from the lists in memory; people by name or address; invoices
// and items by their beginning, each by one bounded query. Everybody finds the content of their pages, and nothing is opened but
// the ledger of a supplier's own agreements.

import { Refusal } from '../core/refusal.ts'
import { findWords } from '../core/text/find-words.ts'
import { limits } from '../limits.ts'
import { isWithin } from '../read/agreements/tenure.ts'
import type { CachedIndex } from '../read/lists/cached-index.ts'
import type { AgreementRecord } from '../storage/agreements/agreements.ts'
import { type FoundInvoice, searchInvoices, searchItems } from '../storage/agreements/search.ts'
import { listMembers } from '../storage/people/people.ts'
import { publicScope, withWorkspace } from '../storage/postgres/database.ts'
import { hasWords } from './agreements/agreement-list.ts'
import { adjustmentsOf, agreementsBySlug, moneyTime, openAgreement } from './agreements/opened-agreement.ts'
import type { SearchHits } from './shapes/agreements.ts'
import type { Seat } from './sight/seat.ts'
import { companyNames, supplierChoices } from './sight/sides.ts'
import type { ViewContext } from './sight/view-parts.ts'
import { readersOf, sightOf, stateFor, visibleSeries } from './sight/visibility.ts'

/** Shorter beginnings find too much to be useful. */
const shortestBeginning = 2

interface Finding {
  readonly parts: ViewContext
  readonly seat: Seat
  readonly index: CachedIndex
  /** Agreements that this person sees, by slug. */
  readonly rows: readonly AgreementRecord[]
  readonly text: string
  readonly words: readonly string[]
}

export async function find(parts: ViewContext, seat: Seat, text: string): Promise<SearchHits> {
  const { names: words, period } = findWords(text)
  const index = await parts.library.index(seat.workspace.id)
  const finding = { parts, seat, index, rows: agreementsBySlug(seat, index), text: text.trim(), words }
  const isNarrow = finding.text.length >= shortestBeginning
  const agreements = findAgreements(finding)
  return {
    agreements,
    periods: period === undefined ? [] : await findPeriods(finding, agreements, period.toUpperCase()),
    series: await findSeries(finding),
    suppliers: isNarrow ? await findSuppliers(finding) : [],
    people: isNarrow ? await findPeople(finding) : [],
    ...(isNarrow ? await findBegun(finding) : { invoices: [], items: [] }),
  }
}

function hasAll(words: readonly string[], ...texts: readonly string[]): boolean {
  const all = texts.join(' ').toLowerCase()
  return words.every(word => all.includes(word))
}

function findAgreements({ seat, rows, words }: Finding): SearchHits['agreements'] {
  const found = rows.values().filter(row => hasWords(seat, row, words))
  return [...found.take(limits.foundOfEach).map(row => named(seat, row))]
}

/** Periods that have a page: an agreement has the periods of its own calendar. */
async function findPeriods(
  { parts, seat }: Finding,
  agreements: SearchHits['agreements'],
  period: string,
): Promise<SearchHits['periods']> {
  const found: SearchHits['periods'][number][] = []
  for (const { slug, name } of agreements)
    try {
      adjustmentsOf(await openAgreement(parts, seat, slug)).find(period, null)
      found.push({ slug, name, period })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  return found
}

function named(seat: Seat, row: AgreementRecord): SearchHits['agreements'][number] {
  return { slug: row.slug, name: stateFor(seat, row)?.name ?? row.slug }
}

async function findSeries({ parts: { library }, seat, index, words }: Finding): Promise<SearchHits['series']> {
  const readers = seat.role === 'supplier' ? await readersOf(seat, library, index) : new Map()
  const found = visibleSeries(seat, index, readers)
    .values()
    .filter(({ provider, code, metadata }) => hasAll(words, metadata.at(-1)!.name, provider, code))
  return [
    ...found.take(limits.foundOfEach).map(({ id, owner, provider, code, metadata }) => {
      return { id, provider, code, name: metadata.at(-1)!.name, isFollowed: owner === publicScope }
    }),
  ]
}

async function findSuppliers({ seat, rows, index, words }: Finding): Promise<SearchHits['suppliers']> {
  if (words.length === 0) return []
  const choices = await supplierChoices(seat, rows, index)
  return choices.filter(({ value, label }) => hasAll(words, label, value)).slice(0, limits.foundOfEach)
}

/** Found people; a supplier finds those of its own company. */
async function findPeople({ parts, seat, index, words }: Finding): Promise<SearchHits['people']> {
  if (words.length === 0) return []
  const members = await listMembers(parts.installation.sql, seat.workspace.id)
  const nameOf = companyNames(index)
  return members
    .filter(({ company }) => seat.role !== 'supplier' || (company !== null && company === seat.company))
    .filter(({ name, email }) => hasAll(words, name, email))
    .slice(0, limits.foundOfEach)
    .map(({ name, email, company }) => ({ name, email, company: company === null ? null : nameOf(company) }))
}

async function findBegun(finding: Finding): Promise<Pick<SearchHits, 'invoices' | 'items'>> {
  const { parts, seat, rows, text } = finding
  const isSupplier = seat.role === 'supplier'
  const search = {
    text,
    agreementIds: isSupplier ? rows.map(({ id }) => id) : null,
    // A supplier reads more, since some may belong to another supplier.
    most: isSupplier ? limits.foundOfEach * 4 : limits.foundOfEach,
  }
  const begun = await withWorkspace(parts.installation.sql, seat.workspace.id, async tx => ({
    invoices: await searchInvoices(tx, seat.workspace.id, search),
    items: await searchItems(tx, seat.workspace.id, search),
  }))
  const byId = new Map(rows.map(row => [row.id, row]))
  const items = begun.items.filter(({ agreementId: id, recordedAt }) => {
    const row = byId.get(id)
    const tenure = row === undefined ? undefined : sightOf(seat, row)?.tenure
    return row !== undefined && (tenure == null || isWithin(tenure, recordedAt))
  })
  const once = new Map(items.map(({ item, agreementId: id }) => [`${item}\n${id}`, { item, row: byId.get(id)! }]))
  return {
    invoices: await ownInvoices(finding, begun.invoices, byId),
    items: [...once.values()]
      .slice(0, limits.foundOfEach)
      .map(({ item, row }) => ({ item, agreement: named(seat, row) })),
  }
}

/** Invoices of this person: an invoice under an agreement of two suppliers belongs to one of them, as their ledger shows. */
async function ownInvoices(
  { parts, seat }: Finding,
  found: readonly FoundInvoice[],
  byId: ReadonlyMap<string, AgreementRecord>,
): Promise<SearchHits['invoices']> {
  const ledgers = new Map<string, ReadonlySet<string>>()
  const isOwn = async ({ agreementId: id, number }: FoundInvoice) => {
    const sight = sightOf(seat, byId.get(id)!)
    if (sight === null) return false
    if (sight.tenure === null) return true
    const known = ledgers.get(id)
    const time = moneyTime(parts, sight)
    const trueUp =
      known === undefined ? await parts.library.trueUps.of(seat.workspace.id, id, time, sight.tenure) : null
    const numbers = known ?? new Set(trueUp?.lines.map(({ invoice }) => invoice))
    ledgers.set(id, numbers)
    return numbers.has(number)
  }
  const own = new Map<string, SearchHits['invoices'][number]>()
  for (const invoice of found) {
    const { number, supplier, agreementId: id } = invoice
    if (own.size < limits.foundOfEach && byId.has(id) && (await isOwn(invoice)))
      own.set(`${supplier}\n${number}\n${id}`, { number, supplier, agreement: named(seat, byId.get(id)!) })
  }
  return [...own.values()]
}
