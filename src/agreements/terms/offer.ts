// One splice offered to many agreements: a proposal for each that reads the series, all under one offer, so that a party sees one
// list and signs once. What cannot be offered to an agreement is named with the reason and keeps none of the others back.

import { Refusal } from '../../core/refusal.ts'
import { limits } from '../../limits.ts'
import { readReadersOf } from '../../storage/agreements/agreement-lists.ts'
import { readAgreements, readAgreementsNamed } from '../../storage/agreements/agreements.ts'
import { makeOfferId } from '../../storage/agreements/terms-changes.ts'
import { appending, type OpenLog } from '../../storage/log/append.ts'
import { type Sql, type Transaction, withWorkspace } from '../../storage/postgres/database.ts'
import { openTerms, openTurn, prepareTerms } from './open-terms.ts'
import { eachOrRefusal, notRefused } from './or-refusal.ts'
import type { ProposeRequest } from './propose.ts'
import { putAllForward } from './put-forward.ts'
import { type SpliceWish, splice } from './splice.ts'

interface OfferRequest extends ProposeRequest {
  readonly wish: SpliceWish
  /** By id or slug; null: every agreement that reads the series. */
  readonly only: readonly string[] | null
}

/** One proposal for each agreement that reads the series; those that cannot be offered have a reason. */
export interface Offered {
  /** Null where nothing could be offered. */
  readonly offer: string | null
  readonly proposed: readonly {
    readonly slug: string
    readonly id: string
    readonly hash: string
    readonly warnings: readonly string[]
  }[]
  readonly refused: readonly { readonly slug: string; readonly why: string }[]
}

export async function offerSplices(sql: Sql, request: OfferRequest): Promise<Offered> {
  const { workspaceId, wish, only } = request
  const ids = await withWorkspace(sql, workspaceId, async tx => {
    const readers = await readReadersOf(tx, workspaceId, wish.old)
    if (only === null) return readers
    return (await readAgreementsNamed(tx, workspaceId, only)).map(({ id }) => id)
  })
  if (ids.length > limits.batches.entries)
    throw new Refusal(
      'conflict',
      `${ids.length} agreements read ${wish.old}; at most ${limits.batches.entries} are offered at once, so name some of them`,
    )
  const offer = makeOfferId()
  const proposed: Offered['proposed'][number][] = []
  const refused: Offered['refused'][number][] = []
  for (let from = 0; from < ids.length; from += limits.agreementsAtOnce) {
    const piece = ids.slice(from, from + limits.agreementsAtOnce)
    const outcome = await appending(sql, workspaceId, (tx, log) => offerPiece(tx, log, request, piece, offer))
    proposed.push(...outcome.proposed)
    refused.push(...outcome.refused)
  }
  return { offer: proposed.length === 0 ? null : offer, proposed, refused }
}

async function offerPiece(
  tx: Transaction,
  log: OpenLog,
  { workspaceId, wish, by, inTheNameOf = by.who, hearer }: OfferRequest,
  ids: readonly string[],
  offer: string,
): Promise<Pick<Offered, 'proposed' | 'refused'>> {
  const turn = await openTurn(tx, log)
  const agreements = await readAgreements(tx, workspaceId, ids)
  const opened = await eachOrRefusal(agreements, kept => openTerms(turn, kept, hearer))
  await prepareTerms(turn, notRefused(opened), [wish.successor, ...wish.candidates.map(({ series }) => series)])
  const warnings = new Map<string, readonly string[]>()
  const forwards = await eachOrRefusal(opened, async open => {
    const { warnings: told, ...change } = await splice(open, wish)
    warnings.set(open.kept.slug, told)
    return { kept: open.kept, change }
  })
  const put = await putAllForward(turn, forwards, { by, inTheNameOf, offer, plannedBy: null })
  const proposed: Offered['proposed'][number][] = []
  const refused: Offered['refused'][number][] = []
  for (const [i, { slug }] of agreements.entries()) {
    const outcome = put[i]!
    if (!(outcome instanceof Refusal))
      proposed.push({ slug, id: outcome.id, hash: outcome.hash, warnings: warnings.get(slug)! })
    else if (outcome.kind === 'unavailable') throw outcome
    else refused.push({ slug, why: outcome.message })
  }
  return { proposed, refused }
}
