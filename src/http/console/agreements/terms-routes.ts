// Console routes about changes of terms. `agreements` makes the changes; these routes check who may make them.

import { whyNotAs } from '../../../agreements/parties.ts'
import { offerSplices, previewOffer } from '../../../agreements/terms/offer.ts'
import { previewSplice, proposeAmendment, proposeSplice } from '../../../agreements/terms/propose.ts'
import { refuseChange } from '../../../agreements/terms/refuse-change.ts'
import { type SignChangeRequest, signChange, signChanges } from '../../../agreements/terms/sign-change.ts'
import type { SpliceWish } from '../../../agreements/terms/splice.ts'
import { readSpliceBody } from '../../../core/index-changes/splice-schema.ts'
import { Refusal } from '../../../core/refusal.ts'
import { writers } from '../../../core/roles.ts'
import { rewrittenByWaiting } from '../../../ingest/quarantine-sample.ts'
import { pastedWords } from '../../../views/agreements/agreement-saving.ts'
import { openAgreement } from '../../../views/agreements/opened-agreement.ts'
import { partyOf } from '../../../views/agreements/signing-view.ts'
import {
  listTermsChanges,
  openTermsChange,
  openTermsChanges,
  showTermsChange,
  whyNotPropose,
} from '../../../views/agreements/terms-changes.ts'
import type { SpliceWanted } from '../../../views/calls/index-change-calls.ts'
import {
  namedCandidates,
  showIndexChanges,
  showSeriesIndexChanges,
  showSuccessors,
} from '../../../views/index-changes.ts'
import type { WaitingAnswers } from '../../../views/index-facts.ts'
import type { TermsSigned } from '../../../views/shapes/index-changes.ts'
import { actorOf, type Seat } from '../../../views/sight/seat.ts'
import { hearerOf, signatoryOf } from '../../../views/sight/visibility.ts'
import { type ConsoleParts, type ConsoleRequestOf, type ConsoleRoute, created, route } from '../frame/route.ts'
import { prove, proveMany } from './signing.ts'
import { withSlips } from './slips.ts'

export function termsRoutes(parts: ConsoleParts): readonly ConsoleRoute[] {
  const { sql } = parts.installation
  const waiting: WaitingAnswers = ids => rewrittenByWaiting(sql, ids)
  return [
    route('GET /index-changes', { answer: ({ seat }) => showIndexChanges(parts, seat, waiting) }),
    route('GET /series/:id/index-changes', {
      answer: ({ seat, params }) => showSeriesIndexChanges(parts, seat, params.id, waiting),
    }),
    route('GET /series/:id/successors', {
      answer: ({ seat, params }) => showSuccessors(parts, seat, params.id, waiting),
    }),
    route('GET /terms-changes', { answer: ({ seat, query }) => listTermsChanges(parts, seat, query) }),
    route('GET /terms-changes/:id', { answer: ({ seat, params }) => showTermsChange(parts, seat, params.id) }),
    route('POST /agreements/:slug/amendments', {
      isUnproven: true,
      async answer({ seat, params, body }) {
        const request = await proposing(parts, seat, params.slug)
        const { text, words, reason } = body
        const wanted = { ...request, text, words: pastedWords(words), reason }
        const { hash: _hash, ...proposed } = await proposeAmendment(sql, wanted)
        await parts.catchUp()
        return created({ ...proposed, warnings: [] })
      },
    }),
    route('POST /agreements/:slug/splices/preview', {
      isUnproven: true,
      changesNothing: true,
      async answer({ seat, params, body }) {
        const request = await proposing(parts, seat, params.slug)
        const wish = await withCandidates(parts, seat, wishOf(body))
        const { hash, body: text, warnings } = await previewSplice(sql, { ...request, wish })
        return { hash, body: readSpliceBody(JSON.parse(text)), warnings }
      },
    }),
    route('POST /agreements/:slug/splices', {
      isUnproven: true,
      async answer({ seat, params, body }) {
        const request = await proposing(parts, seat, params.slug)
        const wish = await withCandidates(parts, seat, wishOf(body))
        const { hash: _hash, ...proposed } = await proposeSplice(sql, { ...request, wish })
        await parts.catchUp()
        return created(proposed)
      },
    }),
    route('POST /splices/offer/preview', {
      isUnproven: true,
      changesNothing: true,
      roles: writers,
      async answer({ seat, body }) {
        const { agreements: only = null, ...wanted } = body
        const request = { workspaceId: seat.workspace.id, hearer: hearerOf(seat) }
        const { shown, ...offer } = await previewOffer(sql, { ...request, wish: wishOf(wanted), only })
        if (shown === null) return { ...offer, slug: null, preview: null }
        const { slug, hash, body: text, warnings } = shown
        return { ...offer, slug, preview: { hash, body: readSpliceBody(JSON.parse(text)), warnings } }
      },
    }),
    route('POST /splices/offer', {
      isUnproven: true,
      roles: writers,
      async answer({ seat, body }) {
        const { agreements: only = null, ...wanted } = body
        const request = { workspaceId: seat.workspace.id, by: actorOf(seat), hearer: hearerOf(seat) }
        const offered = await offerSplices(sql, { ...request, wish: wishOf(wanted), only })
        await parts.catchUp()
        return created(offered)
      },
    }),
    route('POST /terms-changes/sign', {
      answer: request => withSlips(parts, request.seat, () => signManyChanges(parts, request)),
    }),
    route('POST /terms-changes/:id/sign', {
      answer: request =>
        withSlips(parts, request.seat, async () => {
          await signOne(parts, request)
          return showTermsChange(parts, request.seat, request.params.id)
        }),
    }),
    route('POST /terms-changes/:id/refuse', {
      async answer({ seat, params, body }) {
        const { kept } = await openTermsChange(parts, seat, params.id)
        const party = partyOf(seat, kept.states.at(-1)!)
        if (party === null)
          throw new Refusal('forbidden', 'only the buyer and the supplier of this agreement refuse a change of terms')
        await refuseChange(sql, {
          workspaceId: seat.workspace.id,
          id: params.id,
          hash: body.hash,
          reason: body.reason,
          party,
          email: seat.person.email,
          means: 'SESSION' as const,
          fromAddress: seat.fromAddress,
          hearer: hearerOf(seat),
        })
        await parts.catchUp()
        return showTermsChange(parts, seat, params.id)
      },
    }),
  ]
}

/** The agreement, for somebody who may propose other terms of it. */
async function proposing(parts: ConsoleParts, seat: Seat, slug: string) {
  const { snapshot } = await openAgreement(parts, seat, slug)
  const whyNot = whyNotPropose(seat, { kept: snapshot.whole.kept })
  if (whyNot !== null) throw new Refusal('forbidden', whyNot)
  return { workspaceId: seat.workspace.id, agreement: snapshot.id, by: actorOf(seat), hearer: hearerOf(seat) }
}

/** The wish; figures decide the fields left out. */
function wishOf({ ground, decimals, ...wanted }: SpliceWanted): SpliceWish {
  return {
    old: wanted.old,
    successor: wanted.successor,
    inputs: wanted.inputs ?? null,
    method: wanted.method,
    ground: { kind: ground.kind, event: ground.event ?? null, change: null, sentence: ground.sentence },
    direction: wanted.direction ?? null,
    window: wanted.window ?? null,
    point: wanted.point ?? null,
    rounding: decimals === undefined ? null : { dp: decimals, mode: 'HALF_UP' },
    published: wanted.published ?? null,
    join: wanted.join ?? null,
    base: wanted.base ?? null,
    waitFinal: wanted.waitFinal ?? false,
    candidates: [],
  }
}

/** Number of other series that a proposal compares. */
const mostAlternatives = 3

/** Adds candidates: other series visible to the person that might take its place. */
async function withCandidates(parts: ConsoleParts, seat: Seat, wish: SpliceWish): Promise<SpliceWish> {
  const others = (await namedCandidates(parts, seat, wish.old)).filter(({ series }) => series !== wish.successor)
  return { ...wish, candidates: others.slice(0, mostAlternatives) }
}

async function signOne(
  parts: ConsoleParts,
  { seat, params, body, origin }: ConsoleRequestOf<'POST /terms-changes/:id/sign'>,
): Promise<void> {
  const { kept } = await openTermsChange(parts, seat, params.id)
  const whyNot = whyNotAs(body.party, signatoryOf(seat), kept.states.at(-1)!)
  if (whyNot !== null) throw new Refusal('forbidden', whyNot)
  const { batch, passkey, hash, party } = body
  const proof =
    batch === undefined
      ? await prove(parts, seat, origin, passkey, hash)
      : (await proveMany(parts, seat, batch.id))(params.id, hash, batch.salt)
  const request = { ...signerOf(seat), id: params.id, hash, party, proof }
  await signChange(parts.installation.sql, parts.seal, seat.workspace.id, request)
  await parts.catchUp()
}

function signerOf(seat: Seat): Pick<SignChangeRequest, 'email' | 'fromAddress' | 'hearer'> {
  return { email: seat.person.email, fromAddress: seat.fromAddress, hearer: hearerOf(seat) }
}

/** Signs many changes; a refused or invisible one keeps none of the others back. */
export async function signManyChanges(
  parts: ConsoleParts,
  { seat, body }: Pick<ConsoleRequestOf<'POST /terms-changes/sign'>, 'seat' | 'body'>,
): Promise<TermsSigned> {
  const proofOf = await proveMany(parts, seat, body.batch)
  const ids = body.changes.map(({ id }) => id)
  const find = await openTermsChanges(parts, seat, ids)
  const refused: TermsSigned['refused'][number][] = []
  const requests: SignChangeRequest[] = []
  for (const { id, party, hash, salt } of body.changes)
    try {
      const { kept } = find(id)
      const whyNot = whyNotAs(party, signatoryOf(seat), kept.states.at(-1)!)
      if (whyNot !== null) throw new Refusal('forbidden', whyNot)
      requests.push({ ...signerOf(seat), id, party, hash, proof: proofOf(id, hash, salt) })
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error
      refused.push({ id, why: error.message })
    }
  const outcomes = await signChanges(parts.installation.sql, parts.seal, seat.workspace.id, requests)
  await parts.catchUp()
  const signed: TermsSigned['signed'][number][] = []
  for (const [i, outcome] of outcomes.entries())
    if (outcome instanceof Refusal) refused.push({ id: requests[i]!.id, why: outcome.message })
    else signed.push({ id: outcome.id, slug: outcome.agreement, version: outcome.version })
  return { signed, refused }
}
