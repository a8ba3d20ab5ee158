// Instant of the newest thing that an agreement's numbers can depend on: results are the same at every later cut.
import type { Instant } from '../../core/time/instant.ts'
import type { AgreementSnapshot } from '../agreements/agreement-snapshot.ts'
import type { CachedIndex } from './cached-index.ts'
import type { Moments } from './cached-moment.ts'

export interface KnowsMoments {
  index(workspaceId: string): CachedIndex | Promise<CachedIndex>
  readonly moments: Moments
}

/** `more` are instants of other inputs, such as price lists. */
export async function touchedAt(
  library: KnowsMoments,
  workspaceId: string,
  { kept, references }: AgreementSnapshot,
  more: readonly Instant[] = [],
): Promise<Instant> {
  const index = await library.index(workspaceId)
  const moment = await library.moments.of(workspaceId)
  const series = references.map(reference => index.findByReference(reference)).filter(each => each !== undefined)
  const ids = series.map(({ id }) => id)
  const updates = await library.moments.updates(moment, ids)
  const rows = [...kept.states, ...kept.versions, ...kept.receipts, ...series.flatMap(({ metadata }) => metadata)]
  const instants = [
    index.identity!.changedAt,
    ...rows.map(({ recordedAt }) => recordedAt),
    ...kept.signOffs.map(({ signedAt }) => signedAt),
    ...kept.corrections.flatMap(({ signatures }) => signatures.map(({ signedAt }) => signedAt)),
    ...updates.values(),
    ...more,
  ]
  return instants.sort().at(-1)!
}
