// Changes of terms in a person's agreements, with the actions they may take on each.

import { whyNotAs } from '../../agreements/parties.ts'
import { whyNotForSide } from '../../agreements/signable.ts'
import { whyNotNow } from '../../agreements/status-words.ts'
import { agreedWithoutThem, madeOf } from '../../agreements/terms/consent.ts'
import { whyNotChange } from '../../agreements/terms/sign-change.ts'
import { checkDocument } from '../../core/formula/check/check.ts'
import { documentDifferences } from '../../core/formula/document-differences.ts'
import { type AmendmentBody, readAmendmentBody } from '../../core/index-changes/amendment.ts'
import { readSpliceBody, type SpliceBody } from '../../core/index-changes/splice-schema.ts'
import { spliceWarnings } from '../../core/index-changes/splice-warnings.ts'
import { parties as partyNames } from '../../core/parties.ts'
import { readListBody } from '../../core/prices/list-amendment.ts'
import { formatBetween } from '../../core/receipt/party-words.ts'
import { Refusal } from '../../core/refusal.ts'
import { writers } from '../../core/roles.ts'
import { newest, selectVintage } from '../../core/series/vintage.ts'
import { formatPeriod } from '../../core/time/period.ts'
import { openStates } from '../../core/true-up/proposal-state.ts'
import { limits } from '../../limits.ts'
import { stateOfChange } from '../../read/agreements/terms-state.ts'
import { summarizeChange } from '../../read/agreements/terms-view.ts'
import { historyOf } from '../../read/index-suspects.ts'
import type { FoundChange } from '../../read/terms-changes.ts'
import { loadWords } from '../../storage/agreements/agreements.ts'
import type { ChangeTexts } from '../../storage/agreements/terms-changes.ts'
import { withWorkspace } from '../../storage/postgres/database.ts'
import type { TermsListWanted } from '../calls/index-change-calls.ts'
import type { SplicedLine, TermsChangeList, TermsChangePage, TermsChangeRow } from '../shapes/index-changes.ts'
import type { Seat } from '../sight/seat.ts'
import type { ViewContext } from '../sight/view-parts.ts'
import { findVisible, hearerOf, partsSeen, readersOf, signatoryOf } from '../sight/visibility.ts'
import { noSuchAgreement, readNames } from './opened-agreement.ts'
import { signatureView } from './period-row.ts'
import { type AsSigner, readAsSigner } from './signer-check.ts'
import { acceptedWays, partyOf } from './signing-view.ts'

export async function listTermsChanges(
  parts: ViewContext,
  seat: Seat,
  query: TermsListWanted,
): Promise<TermsChangeList> {
  const index = await parts.library.index(seat.workspace.id, { agreements: 'all' })
  const row = query.formula === undefined ? null : index.findAgreement(query.formula)
  if (row === undefined) throw noSuchAgreement()
  const { rows, next } = await parts.library.termsChanges.list(seat.workspace.id, {
    before: query.before ?? null,
    agreementIds: row === null ? null : [row.id],
    series: query.series ?? null,
    limit: limits.termsChanges.page,
    isWanted: ({ kept, change }) =>
      (query.kind === undefined || change.kind === query.kind) &&
      (query.state === undefined || stateOfChange(kept, change) === query.state),
    partOf: partsSeen(seat, index, 'all'),
  })
  const asSigner = await readAsSigner(parts, seat, rows.flatMap(signaturesOf))
  return { rows: rows.map(each => rowOf(seat, each, asSigner)), next }
}

/** A change. Refuses one that does not exist or is not visible to this person, with the same message. */
export async function openTermsChange(parts: ViewContext, seat: Seat, id: string): Promise<FoundChange & ChangeTexts> {
  const index = await parts.library.index(seat.workspace.id, { agreements: 'all' })
  const found = await parts.library.termsChanges.find(seat.workspace.id, id, partsSeen(seat, index, 'all'))
  if (found === null) throw noSuchChange()
  return found
}

/** Opens many changes at once, and returns a function that gives each, or refuses one that this person does not see. */
export async function openTermsChanges(
  parts: ViewContext,
  seat: Seat,
  ids: readonly string[],
): Promise<(id: string) => FoundChange> {
  const index = await parts.library.index(seat.workspace.id, { agreements: 'all' })
  const found = await parts.library.termsChanges.findMany(seat.workspace.id, ids, partsSeen(seat, index, 'all'))
  return id => {
    const change = found.get(id)
    if (change === undefined) throw noSuchChange()
    return change
  }
}

function noSuchChange(): Refusal {
  return new Refusal('not-found', 'there is no such change of terms')
}

export async function showTermsChange(parts: ViewContext, seat: Seat, id: string): Promise<TermsChangePage> {
  const found = await openTermsChange(parts, seat, id)
  const { kept, change } = found
  const names = await readNames(parts, seat)
  const asSigner = await readAsSigner(parts, seat, signaturesOf(found))
  const row = rowOf(seat, found, asSigner)
  const signatureOf = (party: (typeof partyNames)[number]) => {
    const given = change.signatures.find(each => each.party === party)
    return given === undefined ? null : signatureView(given, names)
  }
  const { refusal } = summarizeChange(kept, change)
  const body = bodyOf(found)
  return {
    change: row,
    body,
    document: found.document,
    differences: differencesIn(found),
    words: body.kind === 'AMENDMENT' ? await wordsIn(parts, seat, found, body) : null,
    lines: body.kind === 'SPLICE' ? await linesOf(parts, seat, body) : null,
    warnings: body.kind === 'SPLICE' ? spliceWarnings(body, []) : [],
    basis: change.basis,
    supersedes: change.supersedes,
    plannedBy: change.plannedBy,
    between: formatBetween(body),
    withoutYou: withoutYou(seat, found),
    signatures: { buyer: signatureOf('buyer'), supplier: signatureOf('supplier') },
    refusal,
    signing: {
      as: row.as,
      whyNot: row.as === null && openStates.includes(row.state) ? whyNotSign(seat, found, asSigner) : null,
      ...acceptedWays(found.kept.states.at(-1)!),
      mayCounter: whyNotPropose(seat, found) === null,
    },
  }
}

/** Words about terms that it made without the viewer: a formula version, a price list or billing terms. */
function withoutYou(seat: Seat, { kept, change }: FoundChange): string | null {
  const { made, states } = madeOf(kept)
  const terms = [...made.versions, ...made.lists, ...made.billing].find(({ proposal }) => proposal === change.id)
  return agreedWithoutThem(states, signatoryOf(seat), terms)?.words ?? null
}

function bodyOf({ change, body }: FoundChange & ChangeTexts): TermsChangePage['body'] {
  const value: unknown = JSON.parse(body)
  if (change.kind === 'SPLICE') return { kind: 'SPLICE', ...readSpliceBody(value) }
  if (change.kind === 'PRICE_LIST') return { kind: 'PRICE_LIST', ...readListBody(value) }
  return { kind: 'AMENDMENT', ...readAmendmentBody(value) }
}

function differencesIn({ kept, change, document }: FoundChange & ChangeTexts): TermsChangePage['differences'] {
  const before = kept.versions.find(({ version }) => version === change.basis)
  if (before === undefined || change.kind === 'PRICE_LIST') return []
  return documentDifferences(checkDocument(before.documentText).document, checkDocument(document).document)
}

async function wordsIn(
  { installation }: ViewContext,
  { workspace }: Seat,
  { kept, change }: FoundChange,
  { words }: AmendmentBody,
): Promise<TermsChangePage['words']> {
  if (words === undefined) return null
  const basis = [{ agreementId: kept.id, version: change.basis }]
  const [before] = await withWorkspace(
    installation.sql,
    workspace.id,
    tx => loadWords(tx, workspace.id, basis),
    'snapshot',
  )
  return { before: before?.words.sentences ?? [], after: words.after?.sentences ?? [] }
}

/** Number of a series' newest periods in a drawing. */
const mostPoints = 72

/** Points of both series. Both parties know the figures of the window; these continue around it. */
async function linesOf(
  { library }: ViewContext,
  seat: Seat,
  { old, new: successor }: SpliceBody,
): Promise<TermsChangePage['lines']> {
  const index = await library.index(seat.workspace.id)
  const readers = await readersOf(seat, library, index)
  const line = async (reference: string): Promise<SplicedLine> => {
    const series = index.findByReference(reference)
    if (series === undefined) return { id: null, points: [] }
    const { frequency, ordinals, periods } = await historyOf(library, seat.workspace.id, series)
    const points = ordinals.slice(-mostPoints).flatMap(ordinal => {
      const value = selectVintage(periods.get(ordinal)!, newest)?.value
      return value == null ? [] : [{ period: formatPeriod({ frequency, ordinal }), value }]
    })
    return { id: findVisible(seat, index, readers, series.id)?.id ?? null, points }
  }
  return { old: await line(old.series), new: await line(successor.series) }
}

function signaturesOf({ kept }: FoundChange): FoundChange['change']['signatures'] {
  return kept.changes.flatMap(({ signatures }) => signatures)
}

function rowOf(seat: Seat, found: FoundChange, asSigner: AsSigner): TermsChangeRow {
  const { kept, change } = found
  const { id, kind, hash, ground, effectiveFrom, series, offer, proposedBy } = change
  const { state, version } = summarizeChange(kept, change)
  const signedBy = partyNames.filter(party => change.signatures.some(each => each.party === party))
  const isOpen = openStates.includes(state)
  const waitsFor = isOpen ? partyNames.filter(party => !signedBy.includes(party)) : []
  const party = partyOf(seat, kept.states.at(-1)!)
  const canSign = party !== null && waitsFor.includes(party) && whyNotSign(seat, found, asSigner) === null
  return {
    id,
    kind,
    state,
    slug: kept.slug,
    name: nameIn(kept, change),
    hash,
    ground,
    effectiveFrom,
    series,
    offer,
    proposedBy,
    proposedAt: change.recordedAt,
    signedBy,
    waitsFor,
    as: canSign ? party : null,
    version,
  }
}

/** Name of the agreement when the change was proposed: a later name for others is not theirs. */
function nameIn({ states }: FoundChange['kept'], { seq }: FoundChange['change']): string {
  return (states.findLast(each => each.seq <= seq) ?? states[0]!).name
}

function whyNotSign(seat: Seat, { kept, change }: FoundChange, asSigner: AsSigner): string | null {
  const now = kept.states.at(-1)!
  const why = whyNotNow(kept.slug, now, hearerOf(seat))
  if (why !== null) return why
  const party = partyOf(seat, now)
  if (party === null) return whyNotAs('buyer', signatoryOf(seat), now)
  if (change.signatures.some(each => each.party === party)) return 'You have signed it for your side.'
  const signer = asSigner(party, now)
  return whyNotForSide(signer) ?? whyNotChange(signer, kept, change)
}

/** Why a person may not propose terms; null for either party and for editors of agreements. */
export function whyNotPropose(seat: Seat, { kept }: Pick<FoundChange, 'kept'>): string | null {
  const now = kept.states.at(-1)!
  if (writers.includes(seat.role) || partyOf(seat, now) !== null) return null
  return 'only the parties and those who edit agreements propose other terms'
}
