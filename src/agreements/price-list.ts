// Applying price lists to agreements: a first list, a new version if it differs, a proposal where both have to agree, or
// nothing. All problems of all lists are reported at once, and then nothing is written.

import { checkDocument } from '../core/formula/check/check.ts'
import type { PricedAgreement } from '../core/prices/agreement.ts'
import { compareLists, type ListComparison } from '../core/prices/list-changes.ts'
import { checkList } from '../core/prices/list-check.ts'
import { type ListStart, resolveStart } from '../core/prices/list-start.ts'
import type { PlacedRow } from '../core/prices/list-table.ts'
import { contentOf, type ListRow, makePriceList, startLabel } from '../core/prices/price-list.ts'
import { Refusal } from '../core/refusal.ts'
import type { RowProblem } from '../core/series/table-problems.ts'
import { type Day, formatDay, parseDay } from '../core/time/day.ts'
import type { Library } from '../read/library.ts'
import { type AgreementHistory, loadAgreementHistory } from '../storage/agreements/agreements.ts'
import { keepPriceList, loadNewestList, type NewestList } from '../storage/agreements/price-lists.ts'
import { appending, type OpenLog } from '../storage/log/append.ts'
import { type Sql, type Transaction, withWorkspace } from '../storage/postgres/database.ts'
import { type Actor, noteActivity } from '../storage/workspaces/activity.ts'
import { signedDates, supplierSince } from './signed-dates.ts'
import { listWaitsForConsent } from './terms/consent.ts'
import { changeList } from './terms/list-change.ts'
import { openTerms, openTurn } from './terms/open-terms.ts'
import { putForward } from './terms/put-forward.ts'

interface ListRequest {
  readonly workspaceId: string
  /** Slug or id. */
  readonly agreement: string
  readonly rows: readonly PlacedRow[]
  /** Problems in the rest of the file: they refuse it, together with the problems of these rows. */
  readonly problems?: readonly RowProblem[]
  /** The period from which it governs: `start` or a label; null: the first one that nobody has signed. */
  readonly from: string | null
  readonly today: Day
  readonly by: Actor
  /** Why, where both have to agree. */
  readonly reason?: string
}

interface AppliedList {
  /** `proposed`: both have to sign it; the version is the one that governs until then. */
  readonly outcome: 'created' | 'new version' | 'unchanged' | 'proposed'
  /** The slug. */
  readonly agreement: string
  /** Version number; null for an agreement without a price list. */
  readonly version: number | null
  readonly items: number
  /** The change of terms that waits for both. */
  readonly proposal: string | null
}

export interface RefusedRows {
  readonly outcome: 'refused'
  readonly problems: readonly RowProblem[]
}

interface PreviewedList extends ListComparison, Pick<AppliedList, 'outcome' | 'agreement' | 'items'> {
  readonly from: string
  readonly consent: ListStart['consent']
}

/** Shows what applying the list would do; nothing is written. */
export async function previewPriceList(
  sql: Sql,
  library: Library,
  request: Omit<ListRequest, 'by'>,
): Promise<PreviewedList | RefusedRows> {
  const checked = await checkRequest(sql, library, request)
  if ('problems' in checked) return checked
  const { agreement, start, newest, isSame } = checked
  const { rows } = request
  const fresh = start.consent !== null ? 'proposed' : newest === null ? 'created' : 'new version'
  return {
    ...compareLists(agreement, rows, start),
    outcome: isSame ? 'unchanged' : fresh,
    agreement: agreement.slug,
    from: start.from,
    consent: isSame ? null : start.consent,
    items: makePriceList(rows).items.length,
  }
}

interface Placed {
  readonly start: ListStart
  readonly newest: NewestList | null
  /** Whether the newest version says the same and governs from then on already. */
  readonly isSame: boolean
}

interface Checked extends Placed {
  readonly agreement: PricedAgreement
}

/** The agreement and the date from which the list governs, or all problems of its rows. */
async function checkRequest(
  sql: Sql,
  library: Library,
  request: Omit<ListRequest, 'by'>,
): Promise<Checked | RefusedRows> {
  const { workspaceId, agreement: slug, rows, problems: read = [], today } = request
  const pricing = await library.prices.pricing(workspaceId, slug, { knownAt: null, until: today })
  if (pricing === null) throw new Refusal('not-found', `there is no agreement "${slug}"`)
  const { agreement } = pricing
  const placed = await withWorkspace(sql, workspaceId, async tx =>
    placeList(tx, (await loadAgreementHistory(tx, workspaceId, agreement.id))!, agreement, request),
  )
  const problems = [...read, ...checkList(rows, agreement, placed.start)].sort((a, b) => a.line - b.line)
  return problems.length > 0 ? { outcome: 'refused', problems } : { ...placed, agreement }
}

/** Finds the date from which the list governs, by what is signed inside the transaction. */
async function placeList(
  tx: Transaction,
  kept: AgreementHistory,
  agreement: PricedAgreement,
  { from, rows }: Pick<ListRequest, 'from' | 'rows'>,
): Promise<Placed> {
  const newest = await loadNewestList(tx, kept.workspaceId, kept.id)
  const isRepeated =
    newest !== null &&
    newest.seq >= supplierSince(kept) &&
    newest.listRows === JSON.stringify(contentOf(rows)) &&
    !listWaitsForConsent(kept)
  const starts = agreement.periods.filter(({ period }) => period === startLabel)
  const governsFrom = newest === null ? null : parseDay(newest.fromDate)!
  if (isRepeated && from === null && governsFrom! >= starts.at(-1)!.date) {
    const same = { from: newest.fromPeriod, fromDate: governsFrom!, consent: null, ownPriceUntil: null }
    return { start: same, newest, isSame: true }
  }
  const place = { from, signed: signedDates(kept), needsBoth: needsBoth(kept), isFirst: kept.lists.length === 0 }
  const start = resolveStart(agreement, place)
  const since = starts.findLast(({ date }) => date <= start.fromDate)!.date
  const isSame = isRepeated && governsFrom! <= start.fromDate && governsFrom! >= since
  return { start, newest, isSame }
}

export async function applyPriceList(
  sql: Sql,
  library: Library,
  request: ListRequest,
): Promise<AppliedList | RefusedRows> {
  const [applied] = await applyPriceLists(sql, library, [request])
  return applied!
}

/** Applies several lists of one workspace, all or none: where one is refused, the others have no answer. */
export async function applyPriceLists(
  sql: Sql,
  library: Library,
  requests: readonly ListRequest[],
): Promise<readonly (AppliedList | RefusedRows | null)[]> {
  const ready: ReadyList[] = []
  const refused: (RefusedRows | null)[] = []
  for (const request of requests) {
    const checked = await checkRequest(sql, library, request)
    if ('problems' in checked) refused.push(checked)
    else {
      ready.push({ ...checked, request })
      refused.push(null)
    }
  }
  if (ready.length < requests.length || requests.length === 0) return refused
  return appending(sql, requests[0]!.workspaceId, async (tx, log) => {
    const applied: AppliedList[] = []
    for (const each of ready) applied.push(await applyChecked(tx, log, each))
    return applied
  })
}

interface ReadyList extends Checked {
  readonly request: ListRequest
}

async function applyChecked(tx: Transaction, log: OpenLog, { agreement, request }: ReadyList): Promise<AppliedList> {
  const kept = (await loadAgreementHistory(tx, log.scope, agreement.id))!
  const { rows, by, reason = 'a new price list' } = request
  const { start, newest, isSame } = await placeList(tx, kept, agreement, request)
  // Somebody may have signed since it was checked.
  const [problem] = checkList(rows, agreement, start)
  if (problem !== undefined)
    throw new Refusal(
      'conflict',
      `line ${problem.line}, ${problem.column}: ${problem.message}; it was signed meanwhile`,
    )
  const items = makePriceList(rows).items.length
  const said = { agreement: kept.slug, version: newest?.version ?? null, items, proposal: null }
  if (isSame) return { ...said, outcome: 'unchanged' }
  if (start.consent === null) return keepList(tx, log, { agreement: kept, rows, start, by, proposal: null })
  const open = openTerms(await openTurn(tx, log), kept)
  const change = changeList(open, { agreement, rows, start, reason })
  const { id } = await putForward(open, change, { by, inTheNameOf: by.who, offer: null, plannedBy: null })
  return { ...said, outcome: 'proposed', proposal: id }
}

interface ListToKeep {
  readonly agreement: { readonly id: string; readonly slug: string }
  readonly rows: readonly ListRow[]
  readonly start: Pick<ListStart, 'from' | 'fromDate' | 'ownPriceUntil'>
  readonly by: Actor
  /** The change of terms that both signed; null where one side applies it alone. */
  readonly proposal: string | null
}

/** Stores a list that was found to fit its agreement. */
export async function keepList(
  tx: Transaction,
  log: OpenLog,
  { agreement: { id, slug }, rows, start, by, proposal }: ListToKeep,
): Promise<AppliedList & { readonly version: number }> {
  const { keys, items } = makePriceList(rows)
  const { from: fromPeriod, fromDate, ownPriceUntil: until } = start
  const version = await keepPriceList(tx, log, id, {
    fromPeriod,
    fromDate: formatDay(fromDate),
    ownPriceUntil: until === null ? null : formatDay(until),
    rows: contentOf(rows),
    keys,
    items: items.length,
    createdBy: by.who,
    proposal,
  })
  const outcome = version === 1 ? 'created' : 'new version'
  const what = `price list ${outcome}`
  await noteActivity(tx, log.scope, { ...by, act: 'prices.change', what, subject: `${slug} ${version}` })
  return { outcome, version, agreement: slug, items: items.length, proposal }
}

/** Whether the contract leaves every change to both. */
export function needsBoth({ versions }: Pick<AgreementHistory, 'versions'>): boolean {
  return checkDocument(versions.at(-1)!.documentText).formula?.contract.change === 'BOTH'
}
