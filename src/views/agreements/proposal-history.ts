// Every number proposed for a period with its cause and its signers, and the days on which an agreement's numbers could change:
// data for the timeline and the slider of the pages.

import { seriesOf } from '../../core/formula/check/check-inputs.ts'
import { decimalDifference } from '../../core/numbers/decimal-difference.ts'
import { formatRedacted } from '../../core/receipt/party-signature.ts'
import type { ReceiptBody } from '../../core/receipt/receipt.ts'
import { isBy } from '../../core/series/vintage.ts'
import { type Day, formatDay } from '../../core/time/day.ts'
import { startOfDay } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import { type Proposed, traceProposals } from '../../read/agreements/proposals.ts'
import type { Gathered } from '../../read/lists/agreement-series.ts'
import type { CachedIndex } from '../../read/lists/cached-index.ts'
import { findLastLook, rememberLook } from '../../storage/agreements/last-looks.ts'
import { figureView } from '../series/figure-view.ts'
import type {
  AgreementMoments,
  MomentDay,
  ProposalCausesView,
  ProposalEvent,
  ProposalHistory,
  ProposedEvent,
} from '../shapes/history.ts'
import type { Seat } from '../sight/seat.ts'
import type { ViewContext } from '../sight/view-parts.ts'
import { statesTold, visibleVersions } from '../sight/visibility.ts'
import { adjustmentsOf, type OpenedAgreement, openAgreement, readNames } from './opened-agreement.ts'
import { signatureView } from './period-row.ts'

type Opened = OpenedAgreement & { readonly index: CachedIndex }

export async function showHistory(
  parts: ViewContext,
  seat: Seat,
  slug: string,
  period: string,
): Promise<ProposalHistory> {
  const at = await openAgreement(parts, seat, slug)
  const { snapshot, sight } = at
  const { date, period: label } = adjustmentsOf(at).find(period, null)
  const names = await readNames(parts, seat)
  const gathered = await parts.library.gather(seat.workspace.id, snapshot, sight.knownAt)
  const { list, isCut } = traceProposals({
    snapshot,
    data: gathered.data,
    date,
    until: sight.knownAt,
    now: parts.now(),
    work: parts.bounds.work(),
    most: limits.proposals.moments,
    isSeen: at.isSeen,
  })
  const events: ProposalEvent[] = [
    ...list.map((proposed, i) => proposedEvent(at, proposed, list[i - 1], gathered, names)),
    ...signedEvents(at, label, names),
    ...settingEvents(seat, at, date),
    ...redactedEvents(at, label),
  ]
  return { events: events.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)), isCut }
}

function proposedEvent(
  at: Opened,
  { at: instant, reported, gap, causes }: Proposed,
  before: Proposed | undefined,
  gathered: Gathered,
  names: ReadonlyMap<string, string>,
): ProposedEvent {
  const figureNames = { index: at.index, gathered, people: names }
  const old = before?.reported ?? null
  const difference = (a: string | null | undefined, b: string | null | undefined) =>
    a == null || b == null ? null : decimalDifference(a, b)
  const view: ProposalCausesView = {
    isDate: causes.isDate,
    figures: causes.figures.slice(0, limits.causes.figures).map(figure => figureView(figure, figureNames)),
    moreFigures: Math.max(0, causes.figures.length - limits.causes.figures),
    versions: causes.versions.map(version => {
      const { createdBy } = at.snapshot.kept.versions.find(each => each.version === version)!
      return { version, createdBy: names.get(createdBy.toLowerCase()) ?? createdBy }
    }),
    signed: causes.signed,
  }
  return {
    kind: 'proposed',
    at: instant,
    number: reported,
    whyNot: gap?.sentence ?? null,
    points: difference(old?.adjustmentPct, reported?.adjustmentPct),
    money: difference(old?.price, reported?.price),
    causes: view,
  }
}

function signedEvents(
  { snapshot, standing }: OpenedAgreement,
  period: string,
  names: ReadonlyMap<string, string>,
): ProposalEvent[] {
  return standing.signOffs
    .filter(each => each.period === period)
    .map(signOff => {
      const kept = snapshot.kept.receipts.find(
        each => each.period === period && each.receiptHash === signOff.receiptHash,
      )
      const body = kept === undefined ? null : (JSON.parse(kept.receipt) as { readonly body: ReceiptBody }).body
      const { name, signedAt } = signatureView(signOff, names)
      return {
        kind: 'signed',
        at: signedAt,
        party: signOff.party,
        name,
        adjustmentPct: body?.result.adjustmentPct ?? null,
      }
    })
}

/** Events for the erasure of somebody who signed the period. */
function redactedEvents({ standing }: OpenedAgreement, period: string): ProposalEvent[] {
  return standing.signOffs
    .filter(each => each.period === period)
    .flatMap(({ party, signedBy, given: { redacted } }) => {
      if (redacted === undefined) return []
      return [
        { kind: 'setting', at: redacted.at, words: `${signedBy}, for the ${party}, was ${formatRedacted(redacted)}.` },
      ]
    })
}

/** Changes of status and of the parties, from the period's date on. */
function settingEvents(seat: Seat, { snapshot, sight, isSeen }: OpenedAgreement, date: Day): ProposalEvent[] {
  const states = statesTold(seat, snapshot.kept.states)
  return states.flatMap((state, i): ProposalEvent[] => {
    const before = states[i - 1]
    const { recordedAt } = state
    if (before === undefined || recordedAt < startOfDay(date) || !isBy(recordedAt, sight.knownAt)) return []
    if (!isSeen(recordedAt)) return []
    const words = [
      before.status === state.status ? '' : `Status: ${before.status.toLowerCase()} → ${state.status.toLowerCase()}.`,
      JSON.stringify(before.parties) === JSON.stringify(state.parties) ? '' : 'The parties were changed.',
    ].filter(each => each !== '')
    return words.length === 0 ? [] : [{ kind: 'setting', at: recordedAt, words: words.join(' ') }]
  })
}

export async function showMoments(parts: ViewContext, seat: Seat, slug: string): Promise<AgreementMoments> {
  const { snapshot, sight, standing } = await openAgreement(parts, seat, slug)
  const visible = visibleVersions(seat, snapshot)
  const versions = standing.versions.filter(({ number }) => visible.has(number))
  const wanted = new Set(versions.flatMap(({ formula }) => seriesOf(formula.inputs).map(({ series }) => series)))
  const from = Math.min(...versions.map(({ formula }) => formula.contract.start))
  const data = await parts.library.data(seat.workspace.id, snapshot, sight.knownAt)
  const [published, recorded] = [new Days(from), new Days(from)]
  for (const [reference, { periods }] of data) {
    if (!wanted.has(reference)) continue
    for (const vintages of periods.values())
      for (const [i, { publishedAt, recordedAt }] of vintages.entries()) {
        if (recordedAt !== null && !isBy(recordedAt, sight.knownAt)) continue
        published.add(publishedAt, i > 0)
        if (recordedAt !== null) recorded.add(recordedAt, i > 0)
      }
  }
  for (const { recordedAt } of versions) recorded.add(recordedAt, true)
  for (const { signedAt } of standing.signOffs) recorded.add(signedAt, true)
  return { published: published.list(), recorded: recorded.list() }
}

class Days {
  readonly #from: string
  readonly #days = new Map<string, boolean>()

  constructor(from: Day) {
    this.#from = formatDay(from)
  }

  add(instant: string, isRevision: boolean): void {
    const day = instant.slice(0, 10)
    if (day >= this.#from) this.#days.set(day, isRevision || this.#days.get(day) === true)
  }

  list(): MomentDay[] {
    const days = [...this.#days].map(([day, isRevision]) => ({ day, isRevision }))
    return days.sort((a, b) => (a.day < b.day ? -1 : 1)).slice(-limits.proposals.days)
  }
}

/** Last look of the person who asks. */
export function readLastLook({ installation }: ViewContext, seat: Seat, { snapshot }: OpenedAgreement, period: string) {
  const looked = { personId: seat.person.id, agreementId: snapshot.id, period }
  return findLastLook(installation.sql, seat.workspace.id, looked)
}

/** Records that the person has seen the number on the page. */
export async function keepLook(
  parts: ViewContext,
  seat: Seat,
  slug: string,
  period: string,
  hash: string,
): Promise<void> {
  const at = await openAgreement(parts, seat, slug)
  const { period: label } = adjustmentsOf(at).find(period, null)
  const looked = { personId: seat.person.id, agreementId: at.snapshot.id, period: label }
  await rememberLook(parts.installation.sql, seat.workspace.id, looked, { at: parts.now(), hash })
}
