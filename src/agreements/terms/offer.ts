// One splice offered to many agreements: a proposal for each that reads the series, all under one offer, so that a party sees one
// list and signs once. An agreement that cannot get the offer is named with the reason and keeps none of the others back.

import { Refusal } from '../../core/refusal.ts'
import { limits } from '../../limits.ts'
import { loadReadersOf } from '../../storage/agreements/agreement-lists.ts'
import { loadAgreementHistories, loadAgreementsNamed } from '../../storage/agreements/agreements.ts'
import { makeOfferId } from '../../storage/agreements/terms-changes.ts'
import { appending, type OpenLog } from '../../storage/log/append.ts'
import { type Sql, type Transaction, withWorkspace } from '../../storage/postgres/database.ts'
import { openTerms, openTurn, prepareTerms, type TermsTurn } from './open-terms.ts'
import { eachOrRefusal, notRefused } from './outcomes.ts'
import type { ProposeRequest } from './propose.ts'
import { putAllForward } from './put-forward.ts'
import { type BuiltSplice, type SpliceWish, splice } from './splice.ts'

interface OfferRequest extends ProposeRequest {
  readonly wish: SpliceWish
  /** Ids or slugs; null for every agreement that reads the series. */
  readonly only: readonly string[] | null
}

/** One proposal for each agreement that reads the series; an agreement that cannot get one has a reason. */
export interface Offered {
  /** Id of the offer; null where nothing could be offered. */
  readonly offer: string | null
  readonly proposed: readonly {
    readonly slug: string
    readonly id: string
    readonly hash: string
    readonly warnings: readonly string[]
  }[]
  readonly refused: readonly { readonly slug: string; readonly why: string }[]
}

/**
 * Preview of an offer: how many agreements would get it, one of them as an example, and the agreements that cannot get it with
 * the reasons.
 */
interface OfferPreview {
  /** The first agreement that can get it. */
  readonly shown: (BuiltSplice & { readonly slug: string }) | null
  readonly count: number
  readonly refused: Offered['refused']
}

/** Computes the preview from the figures of now; nothing is stored. */
export async function previewOffer(
  sql: Sql,
  request: Pick<OfferRequest, 'workspaceId' | 'wish' | 'only' | 'hearer'>,
): Promise<OfferPreview> {
  let shown: OfferPreview['shown'] = null
  let count = 0
  const refused: Offered['refused'][number][] = []
  for (const piece of await piecesOf(sql, request)) {
    const outcomes = await appending(sql, request.workspaceId, async (tx, log) => {
      const { agreements, spliced } = await spliceAll(await openTurn(tx, log), request, piece)
      return agreements.map(({ slug }, i) => ({ slug, outcome: spliced[i]! }))
    })
    for (const { slug, outcome } of outcomes)
      if (outcome instanceof Refusal) refused.push(refusedAs(slug, outcome))
      else {
        count++
        shown ??= { slug, ...outcome.change }
      }
  }
  return { shown, count, refused }
}

/** Too much work for now is no reason of the agreement. */
function refusedAs(slug: string, outcome: Refusal): Offered['refused'][number] {
  if (outcome.kind === 'unavailable') throw outcome
  return { slug, why: outcome.message }
}

async function piecesOf(
  sql: Sql,
  { workspaceId, wish, only }: Pick<OfferRequest, 'workspaceId' | 'wish' | 'only'>,
): Promise<readonly (readonly string[])[]> {
  const ids = await withWorkspace(sql, workspaceId, async tx => {
    const readers = await loadReadersOf(tx, workspaceId, wish.old)
    if (only === null) return readers
    return (await loadAgreementsNamed(tx, workspaceId, only)).map(({ id }) => id)
  })
  if (ids.length > limits.batches.entries)
    throw new Refusal(
      'conflict',
      `${ids.length} agreements read ${wish.old}; at most ${limits.batches.entries} are offered at once, so name some of them`,
    )
  return Array.from({ length: Math.ceil(ids.length / limits.agreementsAtOnce) }, (_, i) =>
    ids.slice(i * limits.agreementsAtOnce, (i + 1) * limits.agreementsAtOnce),
  )
}

export async function offerSplices(sql: Sql, request: OfferRequest): Promise<Offered> {
  const { workspaceId } = request
  const offer = makeOfferId()
  const proposed: Offered['proposed'][number][] = []
  const refused: Offered['refused'][number][] = []
  for (const piece of await piecesOf(sql, request)) {
    const outcome = await appending(sql, workspaceId, (tx, log) => offerPiece(tx, log, request, piece, offer))
    proposed.push(...outcome.proposed)
    refused.push(...outcome.refused)
  }
  return { offer: proposed.length === 0 ? null : offer, proposed, refused }
}

async function spliceAll(
  turn: TermsTurn,
  { workspaceId, wish, hearer }: Pick<OfferRequest, 'workspaceId' | 'wish' | 'hearer'>,
  ids: readonly string[],
) {
  const agreements = await loadAgreementHistories(turn.tx, workspaceId, ids)
  const opened = await eachOrRefusal(agreements, kept => openTerms(turn, kept, hearer))
  await prepareTerms(turn, notRefused(opened), [wish.successor, ...wish.candidates.map(({ series }) => series)])
  const spliced = await eachOrRefusal(opened, async open => ({ kept: open.kept, change: await splice(open, wish) }))
  return { agreements, spliced }
}

async function offerPiece(
  tx: Transaction,
  log: OpenLog,
  request: OfferRequest,
  ids: readonly string[],
  offer: string,
): Promise<Pick<Offered, 'proposed' | 'refused'>> {
  const { by, inTheNameOf = by.who } = request
  const turn = await openTurn(tx, log)
  const { agreements, spliced } = await spliceAll(turn, request, ids)
  const warnings = new Map<string, readonly string[]>()
  const forwards = await eachOrRefusal(spliced, ({ kept, change: { warnings: told, ...change } }) => {
    warnings.set(kept.slug, told)
    return { kept, change }
  })
  const put = await putAllForward(turn, forwards, { by, inTheNameOf, offer, plannedBy: null })
  const proposed: Offered['proposed'][number][] = []
  const refused: Offered['refused'][number][] = []
  for (const [i, { slug }] of agreements.entries()) {
    const outcome = put[i]!
    if (!(outcome instanceof Refusal))
      proposed.push({ slug, id: outcome.id, hash: outcome.hash, warnings: warnings.get(slug)! })
    else refused.push(refusedAs(slug, outcome))
  }
  return { proposed, refused }
}
