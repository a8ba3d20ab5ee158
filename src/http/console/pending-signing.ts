// Signs the list that somebody requested before they went to their identity provider: exactly that, once, as the one list that its
// token covers. Each agreement, correction and change of terms is signed or refused by itself, by the routes that sign any list.
import { signedHashOf } from '../../core/receipt/party-signature.ts'
import { Refusal } from '../../core/refusal.ts'
import { openIdentity } from '../../identity/identity-connections.ts'
import { limits } from '../../limits.ts'
import { insertBatch } from '../../storage/agreements/signing-batches.ts'
import { withWorkspace } from '../../storage/postgres/database.ts'
import type { VisitOutcome } from '../../views/shapes/inbox.ts'
import { beginVisit, type ProvenAsking, takeProven } from './account/signing-visits.ts'
import { signMany } from './agreements/signing.ts'
import { signManyChanges } from './agreements/terms-routes.ts'
import { type ConsoleParts, type ConsoleRequestOf, type ConsoleRoute, route } from './frame/route.ts'
import { proposeMany, signCorrectionShown } from './true-up/true-up-routes.ts'

type SignRequest = ConsoleRequestOf<'POST /sign-offs/visits/:id/sign'>

export function askedSigningRoutes(parts: ConsoleParts): readonly ConsoleRoute[] {
  const identity = openIdentity(parts, () => performance.now())
  return [
    route('POST /sign-offs/visits', { answer: request => beginVisit(parts, identity, request) }),
    // `isUnproven`: it begins in a worker, since it cannot be answered again elsewhere when it turns out heavy.
    route('POST /sign-offs/visits/:id/sign', { isUnproven: true, answer: request => signAsked(parts, request) }),
  ]
}

async function signAsked(parts: ConsoleParts, request: SignRequest): Promise<VisitOutcome> {
  const { seat, params } = request
  const proven = await takeProven(parts, seat, params.id)
  const { entries, provider, origin, salts } = proven
  const kept = { personId: seat.person.id, entries, passkey: null, provider, origin }
  const batch = await withWorkspace(parts.installation.sql, seat.workspace.id, tx =>
    insertBatch(tx, seat.workspace.id, kept),
  )
  const outcomes: VisitOutcome[] = []
  for (const sign of [signAgreements, signCorrections, signChanges, proposeAndSign])
    outcomes.push(await sign(parts, request, proven, batch, hash => salts[hash]!))
  return {
    signed: outcomes.reduce((sum, { signed }) => sum + signed, 0),
    refused: outcomes.flatMap(({ refused }) => refused),
  }
}

type SignSome = (
  parts: ConsoleParts,
  request: SignRequest,
  proven: ProvenAsking,
  batch: string,
  saltOf: (hash: string) => string,
) => Promise<VisitOutcome>

const signAgreements: SignSome = async (parts, { seat }, { asked: { agreements = [] } }, batch, saltOf) => {
  let signed = 0
  const refused: VisitOutcome['refused'][number][] = []
  for (let from = 0; from < agreements.length; from += limits.agreementsAtOnce) {
    const some = agreements.slice(from, from + limits.agreementsAtOnce)
    const salted = some.map(each => ({ ...each, salt: saltOf(signedHashOf(each.periods)) }))
    const outcome = await signMany(parts, { seat, body: { agreements: salted, batch } })
    signed += outcome.signed.length
    refused.push(...outcome.refused.map(({ name, why }) => ({ name, why })))
  }
  return { signed, refused }
}

const signCorrections: SignSome = async (parts, request, { asked: { corrections = [] } }, batch, saltOf) => {
  let signed = 0
  const refused: VisitOutcome['refused'][number][] = []
  for (const { id, party, hash } of corrections) {
    const body = { party, hash, batch: { id: batch, salt: saltOf(hash) } }
    try {
      await signCorrectionShown(parts, { ...request, params: { id }, body })
      signed++
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error
      refused.push({ name: id, why: error.message })
    }
  }
  return { signed, refused }
}

const signChanges: SignSome = async (parts, { seat }, { asked: { changes = [] } }, batch, saltOf) => {
  if (changes.length === 0) return { signed: 0, refused: [] }
  const salted = changes.map(each => ({ ...each, salt: saltOf(each.hash) }))
  const { signed, refused } = await signManyChanges(parts, { seat, body: { changes: salted, batch } })
  return { signed: signed.length, refused: refused.map(({ id, why }) => ({ name: id, why })) }
}

const proposeAndSign: SignSome = async (parts, { seat }, { asked: { proposals = [] } }, batch, saltOf) => {
  if (proposals.length === 0) return { signed: 0, refused: [] }
  const agreements = proposals.map(each => ({ ...each, salt: saltOf(each.hash) }))
  const { proposed, failed } = await proposeMany(parts, { seat, body: { agreements, batch } })
  return { signed: proposed.length, refused: failed.map(({ slug, why }) => ({ name: slug, why })) }
}
