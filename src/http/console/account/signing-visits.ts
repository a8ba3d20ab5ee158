// Signatures by the identity provider of the signer's company: the list to sign is stored here during the visit, and everything
// that this one sign-in signs is listed in the nonce of the returned token (decision 0736).
import { randomBytes } from 'node:crypto'
import {
  checkProviderProof,
  instantOfSeconds,
  mostSignOffAgeSeconds,
  type ProviderProof,
  signOffNonce,
} from '../../../core/identity/provider-signature.ts'
import { batchEntry, challengeOf, hashOfBatch, signedHashOf } from '../../../core/receipt/party-signature.ts'
import type { SignerOrigin } from '../../../core/receipt/signer-origin.ts'
import { Refusal } from '../../../core/refusal.ts'
import { instantOfMicros, microsOf } from '../../../core/time/instant.ts'
import type { Begun, CheckedToken } from '../../../identity/authorisation.ts'
import type { Identity } from '../../../identity/identity-connections.ts'
import { identityLimits } from '../../../identity/identity-limits.ts'
import { IdentityRefused } from '../../../identity/identity-refusal.ts'
import { limits } from '../../../limits.ts'
import { AwaitedSignings } from '../../../storage/agreements/pending-signings.ts'
import { findProvider } from '../../../storage/identity/providers.ts'
import { loadIdentities, loadSignerOrigin } from '../../../storage/people/signers.ts'
import { withWorkspace } from '../../../storage/postgres/database.ts'
import type { AskedSigning } from '../../../views/calls/inbox-calls.ts'
import type { SigningVisit } from '../../../views/shapes/inbox.ts'
import type { Seat } from '../../../views/sight/seat.ts'
import { ConsoleAnswer, type ConsoleParts, type ConsoleRequestOf } from '../frame/route.ts'
import { formatRequestCookie } from '../frame/session-cookie.ts'

/** A stored request to sign. */
interface PendingSigning {
  readonly asked: AskedSigning
  /** Salts that hide each thing in the list, by its signed hash. */
  readonly salts: Readonly<Record<string, string>>
  /** Ascending. */
  readonly entries: readonly string[]
  readonly random: string
  readonly origin: SignerOrigin
}

/** Signable things of now, with the token that proves them. */
export interface ProvenAsking extends PendingSigning {
  readonly provider: ProviderProof
}

export async function beginVisit(
  parts: ConsoleParts,
  { authorisation, secrets }: Identity,
  { seat, body }: ConsoleRequestOf<'POST /sign-offs/visits'>,
): Promise<ConsoleAnswer<SigningVisit>> {
  const { workspace, person } = seat
  const { returnTo, ...asked } = body
  const { origin, providerId } = await readSigner(parts, seat)
  const provider = providerId === null ? null : await findProvider(parts.installation.sql, providerId, secrets)
  if (provider === null) throw new Refusal('conflict', 'your account is not linked to an identity provider')
  const salts = Object.fromEntries(hashesOf(asked).map(hash => [hash, randomBytes(16).toString('hex')]))
  const entries = Object.entries(salts)
    .map(([hash, salt]) => batchEntry(hash, salt))
    .sort()
  if (entries.length === 0) throw new Refusal('invalid', 'there is nothing to sign')
  if (entries.length > limits.batches.entries)
    throw new Refusal('invalid', `at most ${limits.batches.entries} are signed at once, got ${entries.length}`)
  const random = randomBytes(32)
  const kept: PendingSigning = { asked, salts, entries, random: random.toString('base64url'), origin }
  const until = instantOfMicros(microsOf(parts.now()) + mostSignOffAgeSeconds * 1_000_000)
  const id = await new AwaitedSignings(parts.installation).add(
    workspace.id,
    { personId: person.id, asked: JSON.stringify(kept) },
    until,
  )
  const started = await authorisation.start(provider, {
    purpose: 'sign-off',
    providerId: provider.id,
    scope: 'openid',
    prompt: 'login',
    returnTo,
    maxAgeSeconds: 0,
    mostAgeSeconds: mostSignOffAgeSeconds,
    nonce: signOffNonce(random, challengeOf(hashOfBatch(entries), origin)),
    carried: { workspaceId: workspace.id, id },
  })
  const cookie = formatRequestCookie(started.cookie, identityLimits.requestSeconds)
  return new ConsoleAnswer({ body: { url: started.url }, cookies: [cookie] })
}

/** Signed hash of each thing; a thing listed twice has one. */
function hashesOf({ agreements = [], corrections = [], changes = [], proposals = [] }: AskedSigning): string[] {
  const lists = agreements.map(({ periods }) => signedHashOf(periods))
  return [...lists, ...[...corrections, ...changes, ...proposals].map(({ hash }) => hash)]
}

function readSigner({ installation: { sql }, seal }: ConsoleParts, { workspace, person }: Seat) {
  return withWorkspace(sql, workspace.id, async tx => {
    const origin = await loadSignerOrigin(tx, workspace.id, person.id, seal.rows)
    if (origin === null) throw new Refusal('not-found', 'you are no longer in this workspace')
    const [identity] = await loadIdentities(tx, workspace.id, person.id)
    return { origin, providerId: identity?.providerId ?? null }
  })
}

/**
 * Stores the proof of a returned visit beside the list, and returns the list's id; nothing is signed before the page of the same
 * person asks for it.
 */
export async function keepProof(parts: ConsoleParts, begun: Begun, token: CheckedToken): Promise<string> {
  const signings = new AwaitedSignings(parts.installation)
  const { workspaceId, id } = begun.carried as { readonly workspaceId: string; readonly id: string }
  const awaited = await signings.find(workspaceId, id)
  if (awaited === null || awaited.proof !== null) throw tooLate()
  const { entries, random, origin } = JSON.parse(awaited.asked) as PendingSigning
  const { issuer, subject, clientId, discovery, checkedAt, key, raw } = token
  if (origin.identities?.some(each => each.issuer === issuer && each.subject === subject) !== true)
    throw new IdentityRefused(
      'place',
      'you signed in at the provider as somebody else; nothing was signed',
      'forbidden',
    )
  const expiresAt = instantOfSeconds(token.expiresAt)
  const proof: ProviderProof = { issuer, subject, discovery, clientId, checkedAt, expiresAt, token: raw, random, key }
  // A stored proof has to convince anybody who checks it later, without this server.
  const challenge = challengeOf(hashOfBatch(entries), origin)
  const problem = await checkProviderProof(crypto.subtle, proof, challenge, checkedAt)
  if (problem !== null) throw new IdentityRefused('token', `${problem}; nothing was signed`, 'forbidden')
  if (!(await signings.addProof(workspaceId, id, awaited.personId, JSON.stringify(proof)))) throw tooLate()
  return id
}

function tooLate(): IdentityRefused {
  return new IdentityRefused(
    'start',
    'what you wanted to sign is no longer kept here; nothing was signed. Begin again',
    'conflict',
  )
}

/** Takes a proven list, once. Refuses one that is not this person's, or has no proof yet. */
export async function takeProven(parts: ConsoleParts, { workspace, person }: Seat, id: string): Promise<ProvenAsking> {
  const taken = await new AwaitedSignings(parts.installation).take(workspace.id, id, person.id)
  if (taken?.proof == null) throw new Refusal('conflict', tooLate().message)
  return { ...(JSON.parse(taken.asked) as PendingSigning), provider: JSON.parse(taken.proof) as ProviderProof }
}
