// Kept invoice lines as a person in the workspace sees them: the newest first, each checked against the prices of today, with the
// reason of a difference. A supplier sees its own lines. Checks take time, so a page looks through so many lines and no more, and
// says where the next one goes on.

import { LineChecker } from '../../core/invoices/check.ts'
import { type PricedRow, verdictOf } from '../../core/invoices/check-row.ts'
import { type InvoiceLine, readLine } from '../../core/invoices/invoice-line.ts'
import { keptStateOf } from '../../core/invoices/line-state.ts'
import { numberOf } from '../../core/prices/agreement.ts'
import { Refusal } from '../../core/refusal.ts'
import { dayOfInstant, type Instant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import { moneyOfPart } from '../../read/agreements/party-money.ts'
import type { CachedIndex } from '../../read/lists/cached-index.ts'
import {
  countKeptLines,
  type LineFilter,
  loadKeptLines,
  loadLineSuppliers,
  type StoredInvoiceLine,
} from '../../storage/agreements/stored-lines.ts'
import { withWorkspace } from '../../storage/postgres/database.ts'
import { isIdentifier } from '../../storage/postgres/identifier.ts'
import { todayOf } from '../agreements/opened-agreement.ts'
import type { InvoiceLineListRequest } from '../calls/invoice-calls.ts'
import type { InvoiceLineList, InvoiceLineView } from '../shapes/invoices.ts'
import type { Seat } from '../sight/seat.ts'
import type { ViewContext } from '../sight/view-parts.ts'
import { type Sight, sightOf } from '../sight/visibility.ts'

export async function listKeptInvoices(
  parts: ViewContext,
  seat: Seat,
  query: InvoiceLineListRequest,
): Promise<InvoiceLineList> {
  const { after = null, state, period } = query
  if (after !== null && !isIdentifier('inl', after)) throw new Refusal('invalid', 'after must be the id of a line')
  const kept = new InvoiceLines(parts, seat, await parts.library.index(seat.workspace.id))
  const filter = kept.filterOf(query)
  const rows: InvoiceLineView[] = []
  let [next, looked]: [string | null, number] = [after, 0]
  while (rows.length < limits.keptLines.page && looked < limits.keptLines.looked) {
    const lines = await kept.read(filter, next, limits.keptLines.page)
    looked += lines.length
    for (const row of await kept.check(lines))
      if ((state === undefined || row.state === state) && (period === undefined || row.check.period === period))
        rows.push(row)
    next = lines.length < limits.keptLines.page ? null : lines.at(-1)!.id
    if (next === null) break
  }
  const about = after === null ? await kept.about(filter, next === null ? looked : null) : null
  return { rows, next, looked, ...(about ?? { total: null, suppliers: null }) }
}

/** One line, with its counterpart that undoes it or that it undoes. */
export async function showKeptLine(
  parts: ViewContext,
  seat: Seat,
  id: string,
): Promise<{ readonly line: InvoiceLineView; readonly other: InvoiceLineView | null }> {
  const kept = new InvoiceLines(parts, seat, await parts.library.index(seat.workspace.id))
  const find = async (wanted: string | null) =>
    wanted === null || !isIdentifier('inl', wanted)
      ? null
      : ((await kept.check(await kept.read({ ...kept.filterOf({}), id: wanted }, null, 1)))[0] ?? null)
  const line = await find(id)
  if (line === null) throw new Refusal('not-found', 'there is no such line')
  return { line, other: await find(line.reversedBy ?? line.reverses) }
}

class InvoiceLines {
  readonly #parts: ViewContext
  readonly #seat: Seat
  readonly #index: CachedIndex
  readonly #sights = new Map<string, Sight | null>()

  constructor(parts: ViewContext, seat: Seat, index: CachedIndex) {
    this.#parts = parts
    this.#seat = seat
    this.#index = index
  }

  /** Filter for the database; the other conditions depend on checks. */
  filterOf({ q, supplier, agreement }: Pick<InvoiceLineListRequest, 'q' | 'supplier' | 'agreement'>): LineFilter {
    const { agreements } = this.#index
    const named = agreement === undefined ? agreements : agreements.filter(({ slug }) => slug === agreement)
    const isAll = agreement === undefined && this.#seat.role !== 'supplier'
    const text = q?.trim() ?? ''
    return {
      agreementIds: isAll ? null : named.filter(({ id }) => this.#sightOf(id) !== null).map(({ id }) => id),
      suppliers: supplier === undefined ? null : [supplier],
      search: text === '' ? null : this.#searchFor(text),
    }
  }

  #searchFor(text: string): NonNullable<LineFilter['search']> {
    const wanted = text.toLowerCase()
    const isNamed = (name: string) => name.toLowerCase().includes(wanted)
    const agreements = this.#index.agreements.filter(
      ({ slug, states }) => isNamed(slug) || isNamed(states.at(-1)?.name ?? ''),
    )
    const companies = this.#index
      .identity!.companiesAt(null)
      .filter(({ slug, names }) => [slug, ...names].some(isNamed))
    return { text, agreementIds: agreements.map(({ id }) => id), suppliers: companies.map(({ slug }) => slug) }
  }

  #sightOf(id: string): Sight | null {
    const known = this.#sights.get(id)
    if (known !== undefined) return known
    const agreement = this.#index.findAgreement(id)
    const sight = agreement === undefined ? null : sightOf(this.#seat, agreement)
    this.#sights.set(id, sight)
    return sight
  }

  read(filter: LineFilter, after: string | null, most: number): Promise<readonly StoredInvoiceLine[]> {
    const { id } = this.#seat.workspace
    return withWorkspace(this.#parts.installation.sql, id, tx => loadKeptLines(tx, id, filter, { after, most }))
  }

  /** Number of lines (`all`, if that is known), and their suppliers; null for a supplier. */
  async about(filter: LineFilter, all: number | null): Promise<Pick<InvoiceLineList, 'total' | 'suppliers'>> {
    const { id } = this.#seat.workspace
    // The database does not know which lines of an agreement are a supplier's own.
    if (this.#seat.role === 'supplier') return { total: null, suppliers: null }
    return withWorkspace(this.#parts.installation.sql, id, async tx => ({
      total: all ?? (await countKeptLines(tx, id, filter)),
      suppliers: (await loadLineSuppliers(tx, id)).map(slug => ({ value: slug, label: this.#nameOf(slug) })),
    }))
  }

  #nameOf(supplier: string): string {
    return this.#index.identity!.companiesAt(null).find(({ slug }) => slug === supplier)?.names[0] ?? supplier
  }

  /** Lines visible to the person, each with its verdict. */
  async check(lines: readonly StoredInvoiceLine[]): Promise<readonly InvoiceLineView[]> {
    const own = await this.#ownOf(lines)
    const rows = new Map<string, InvoiceLineView>()
    // A former supplier sees its agreements as they last stood.
    const moments = Map.groupBy(own, ({ agreementId }) => this.#sightOf(agreementId)!.knownAt)
    for (const [knownAt, some] of moments) for (const row of await this.#checkAt(some, knownAt)) rows.set(row.id, row)
    return own.map(({ id }) => rows.get(id)!)
  }

  async #ownOf(lines: readonly StoredInvoiceLine[]): Promise<readonly StoredInvoiceLine[]> {
    if (this.#seat.role !== 'supplier') return lines
    const own = new Set<string>()
    for (const [agreementId, some] of Map.groupBy(lines, ({ agreementId }) => agreementId)) {
      const sight = this.#sightOf(agreementId)
      const cached = sight === null ? null : await this.#parts.library.agreement(this.#seat.workspace.id, agreementId)
      if (sight === null || cached === null) continue
      const { snapshot } = cached.partOf(sight.tenure)
      const standing = snapshot.at(sight.knownAt)
      if (standing === null) continue
      const money = { lines: some, quantities: [], units: [] }
      for (const { id } of sight.tenure?.isWhole === false ? moneyOfPart(money, snapshot, standing).lines : some)
        own.add(id)
    }
    const isBy = ({ agreementId, importedAt }: StoredInvoiceLine) => {
      const { knownAt } = this.#sightOf(agreementId)!
      return knownAt === null || importedAt <= knownAt
    }
    return lines.filter(line => own.has(line.id) && isBy(line))
  }

  /** Newest agreed correction of each line, by the line's id. */
  async #correctedBy(
    lines: readonly StoredInvoiceLine[],
    knownAt: Instant | null,
  ): Promise<ReadonlyMap<string, string>> {
    const corrected = new Map<string, string>()
    for (const agreementId of new Set(lines.map(({ agreementId }) => agreementId))) {
      const cached = await this.#parts.library.agreement(this.#seat.workspace.id, agreementId)
      const standing = cached?.partOf(this.#sightOf(agreementId)!.tenure).snapshot.at(knownAt)
      for (const { id, kept } of standing?.corrections ?? [])
        for (const line of kept.lineIds) if (line !== null) corrected.set(line, id)
    }
    return corrected
  }

  async #checkAt(lines: readonly StoredInvoiceLine[], knownAt: Instant | null): Promise<InvoiceLineView[]> {
    const today = todayOf(this.#parts)
    const until = knownAt === null ? today : Math.min(today, dayOfInstant(knownAt))
    const billed = lines.map(asBilled)
    const partOf = (id: string) => this.#sightOf(id)?.tenure
    const { prices } = this.#parts.library
    const ground = await prices.checkGround(this.#seat.workspace.id, billed, { knownAt, until }, partOf)
    const checker = new LineChecker(ground)
    const corrected = await this.#correctedBy(lines, knownAt)
    return lines.map((line, i) => {
      const check = checker.check(billed[i]!)
      const { periods } = ground.book.open(line.agreementId)?.agreement ?? { periods: [] }
      const agreed = check.status === 'AGREED' ? periods.findLast(each => each.period === check.period) : undefined
      const { id, supplier, number, fields, importedAt, importedBy, reverses, reversedBy } = line
      return {
        id,
        supplier,
        supplierName: this.#nameOf(supplier),
        invoice: number,
        line: line.line,
        date: fields.date,
        quantity: fields.quantity,
        unit: fields.unit,
        kind: fields.kind,
        importedAt,
        reverses,
        reversedBy,
        // A supplier does not see the buyer's people.
        importedBy: this.#seat.role === 'supplier' ? null : importedBy,
        check,
        ...stateOf(check, line, corrected.get(line.id) ?? null),
        receiptHash: agreed === undefined ? null : (numberOf(agreed)?.receiptHash ?? null),
      }
    })
  }
}

/** The line as it was billed, checked under its agreement, whoever is its supplier now. */
function asBilled(kept: StoredInvoiceLine, place: number): InvoiceLine {
  const { number, line, supplier, agreementId: agreement, fields, importedAt: keptAt } = kept
  const isNote = fields.kind === 'CORRECTION'
  const own = { ...fields, invoice: number, line, agreement, supplier: isNote ? supplier : null }
  return { ...readLine(place, own), keptAt }
}

/** A line billed before a correction was agreed is not wrong: the difference is in the correction. */
function stateOf(
  check: PricedRow,
  { reverses, reversedBy }: Pick<StoredInvoiceLine, 'reverses' | 'reversedBy'>,
  correction: string | null,
): Pick<InvoiceLineView, 'state' | 'correction'> {
  if (reverses !== null || reversedBy !== null) return { state: 'reversed', correction: null }
  const state = keptStateOf(verdictOf(check))
  if (state === 'wrong' && correction !== null && check.reason?.code === 'BEFORE_CORRECTION')
    return { state: 'corrected', correction }
  return { state, correction: null }
}
