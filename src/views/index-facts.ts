// Facts and suspicions about indices for one person: published events, and suspects from the figures of the series that they see.

import { type IndexEvent, successorOf } from '../core/index-changes/index-event.ts'
import type { Rewritten } from '../core/index-changes/suspects.ts'
import { dayOfInstant } from '../core/time/instant.ts'
import { wellKnownSeries } from '../providers/catalogue/well-known.ts'
import type { ListedSuspect } from '../read/index-suspects.ts'
import type { CachedIndex } from '../read/lists/cached-index.ts'
import type { VisibleSeries } from '../storage/series/visible-series.ts'
import type { IndexFact, NamedIndex } from './shapes/index-changes.ts'
import type { Seat } from './sight/seat.ts'
import type { ViewContext } from './sight/view-parts.ts'

/** Answers that rewrite a series and wait for a decision, by series id: only the server knows where they are. */
export type WaitingAnswers = (seriesIds: readonly string[]) => Promise<ReadonlyMap<string, readonly Rewritten[]>>

interface FactsWanted {
  readonly index: CachedIndex
  /** Requested series. */
  readonly series: readonly VisibleSeries[]
  /** All visible series: only these are compared. */
  readonly among: readonly VisibleSeries[]
  readonly waiting: WaitingAnswers
}

/** Facts by series id; series without any are left out. */
export async function readIndexFacts(
  parts: ViewContext,
  seat: Seat,
  { index, series, among, waiting }: FactsWanted,
): Promise<ReadonlyMap<string, readonly IndexFact[]>> {
  const { library } = parts
  const workspaceId = seat.workspace.id
  const events = await library.indexEvents.ofSeries(workspaceId, series)
  const suspects = await library.suspects.list(workspaceId, {
    today: dayOfInstant(parts.now()),
    series,
    among,
    waiting: await waiting(series.map(({ id }) => id)),
    known: wellKnownSeries.map(({ provider, code }) => `${provider}/${code}`),
  })
  const suspected = Map.groupBy(suspects, each => each.series)
  const facts = new Map<string, readonly IndexFact[]>()
  for (const each of series) {
    const own = suspected.get(`${each.provider}/${each.code}`) ?? []
    const known = (events.get(each.id) ?? []).map(event => factOfEvent(index, each, event, own))
    const rest = own.filter(({ kind }) => !known.some(fact => fact.kind === kind))
    const all = [...known, ...rest.map(suspect => factOfSuspect(index, suspect))]
    if (all.length > 0) facts.set(each.id, all)
  }
  return facts
}

/** An event, with matching evidence from stored figures. */
function factOfEvent(
  index: CachedIndex,
  series: VisibleSeries,
  event: IndexEvent,
  suspects: readonly ListedSuspect[],
): IndexFact {
  const { id, kind, day, sentence, source, coefficient } = event
  const code = successorOf(event, series.code)
  return {
    ground: 'EVENT' as const,
    kind,
    id,
    day,
    sentence,
    source,
    coefficient,
    evidence: suspects.filter(each => each.kind === kind).flatMap(({ evidence }) => evidence),
    successor: code === null ? null : nameIndex(index, `${series.provider}/${code}`),
  }
}

function factOfSuspect(index: CachedIndex, { kind, sentence, evidence, successor }: ListedSuspect): IndexFact {
  return {
    ground: 'SUSPECT' as const,
    kind,
    id: null,
    day: null,
    sentence,
    evidence,
    source: null,
    coefficient: null,
    successor: successor === null ? null : nameIndex(index, successor),
  }
}

export function nameIndex(index: CachedIndex, reference: string): NamedIndex {
  const series = index.findByReference(reference)
  const known = wellKnownSeries.find(({ provider, code }) => `${provider}/${code}` === reference)
  return {
    id: series?.id ?? null,
    reference,
    name: series?.metadata.at(-1)?.name ?? known?.name ?? reference,
  }
}
