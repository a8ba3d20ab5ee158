// Signing from a page: the signature itself, given for exactly the displayed hashes, by a person who has confirmed who they are.
// The page before it is in signing-view.ts.

import { whyNotAs } from '../../../agreements/parties.ts'
import { type SignRequest, signEach, signPeriod } from '../../../agreements/sign.ts'
import type { SignerProof } from '../../../agreements/signable.ts'
import {
  batchEntry,
  challengeOf,
  hashOfBatch,
  isAscending,
  type PasskeyAssertion,
  signedHashOf,
} from '../../../core/receipt/party-signature.ts'
import { checkPasskey } from '../../../core/receipt/passkey-check.ts'
import type { SignerOrigin } from '../../../core/receipt/signer-origin.ts'
import { Refusal } from '../../../core/refusal.ts'
import { limits } from '../../../limits.ts'
import type { CachedIndex } from '../../../read/lists/cached-index.ts'
import { insertBatch, loadBatch } from '../../../storage/agreements/signing-batches.ts'
import { listPasskeys } from '../../../storage/people/passkeys.ts'
import { loadSecondFactors } from '../../../storage/people/second-factors.ts'
import { loadConfirmations } from '../../../storage/people/sessions.ts'
import { loadSignerOrigin } from '../../../storage/people/signers.ts'
import { type Transaction, withWorkspace } from '../../../storage/postgres/database.ts'
import { noSuchAgreement, openAgreement } from '../../../views/agreements/opened-agreement.ts'
import type { AssertionView } from '../../../views/calls/factor-calls.ts'
import type { SignManyRequest } from '../../../views/calls/inbox-calls.ts'
import type { OpenedBatch, SignedSome } from '../../../views/shapes/inbox.ts'
import type { Seat } from '../../../views/sight/seat.ts'
import {
  hearerOf,
  type Sight,
  sightOf,
  signatoryOf,
  stateFor,
  whyNotAsFormer,
} from '../../../views/sight/visibility.ts'
import { assertionOf, checkAssertion } from '../account/passkeys.ts'
import { askAgain } from '../account/second-factor.ts'
import type { ConsoleParts, ConsoleRequestOf } from '../frame/route.ts'

export async function sign(
  parts: ConsoleParts,
  { seat, params, body, origin }: ConsoleRequestOf<'POST /agreements/:slug/periods/:period/sign'>,
): Promise<void> {
  const { party, periods, passkey } = body
  const { snapshot, standing, sight } = await openAgreement(parts, seat, params.slug)
  refuseFormer(sight)
  const whyNot = whyNotAs(party, signatoryOf(seat), standing.state)
  if (whyNot !== null) throw new Refusal('forbidden', whyNot)
  const proof = await prove(parts, seat, origin, passkey, signedHashOf(periods))
  await signPeriod(parts.installation.sql, parts.seal, {
    workspaceId: seat.workspace.id,
    agreement: snapshot.id,
    period: params.period,
    party,
    email: seat.person.email,
    shown: periods,
    through: true,
    proof,
    fromAddress: seat.fromAddress,
    bounds: parts.bounds,
    hearer: hearerOf(seat),
  })
  await parts.catchUp()
}

export function refuseFormer(sight: Sight): void {
  const former = whyNotAsFormer(sight)
  if (former !== null) throw new Refusal('conflict', former)
}

/**
 * Signs periods of several agreements, each compared with the displayed hashes. An agreement is signed whole or not at all, and a
 * refused one keeps none of the others back (decision 0475).
 */
export async function signMany(
  parts: ConsoleParts,
  { seat, body }: Pick<ConsoleRequestOf<'POST /sign-offs/sign'>, 'seat' | 'body'>,
): Promise<SignedSome> {
  const { agreements } = body
  const slugs = agreements.map(({ slug }) => slug)
  const twice = slugs.find((slug, i) => slugs.indexOf(slug) !== i)
  if (twice !== undefined) throw new Refusal('invalid', `${twice} is listed twice`)
  const index = await parts.library.index(seat.workspace.id, { agreements: slugs })
  const proofOf = await proveMany(parts, seat, body.batch)
  const asked = agreements.map(each => whyNotMine(seat, index, each) ?? signRequestOf(parts, seat, each, proofOf))
  const requests = asked.flatMap(each => (each instanceof Refusal ? [] : each))
  const outcomes = await signEach(parts.installation.sql, parts.seal, seat.workspace.id, requests)
  await parts.catchUp()
  const signed: SignedSome['signed'][number][] = []
  const refused: SignedSome['refused'][number][] = []
  const turns = outcomes.values()
  for (const [i, each] of asked.entries()) {
    const outcome = each instanceof Refusal ? each : turns.next().value!
    const slug = slugs[i]!
    if (outcome instanceof Refusal) refused.push({ slug, name: nameOf(seat, index, slug), why: outcome.message })
    else signed.push({ slug, periods: outcome.added.length })
  }
  return { signed, refused }
}

type AskedAgreement = SignManyRequest['agreements'][number]

/** Why this person cannot sign one agreement of many; null if they can. */
function whyNotMine(seat: Seat, index: CachedIndex, { slug, party }: AskedAgreement): Refusal | null {
  const row = index.findAgreement(slug)
  const sight = row === undefined || row.slug !== slug ? null : sightOf(seat, row)
  const state = sight === null ? undefined : stateFor(seat, row!)
  if (sight === null || state === undefined) return noSuchAgreement()
  const whyNot = whyNotAsFormer(sight) ?? whyNotAs(party, signatoryOf(seat), state)
  return whyNot === null ? null : new Refusal('forbidden', whyNot)
}

function signRequestOf(
  parts: ConsoleParts,
  seat: Seat,
  { slug, party, periods, salt }: AskedAgreement,
  proofOf: ProofOf,
): SignRequest {
  return {
    workspaceId: seat.workspace.id,
    agreement: slug,
    period: periods.at(-1)!.period,
    party,
    email: seat.person.email,
    shown: periods,
    through: true,
    proof: proofOf(slug, signedHashOf(periods), salt),
    fromAddress: seat.fromAddress,
    bounds: parts.bounds,
    hearer: hearerOf(seat),
  }
}

/** Name of an agreement for this person. */
function nameOf(seat: Seat, index: CachedIndex, slug: string): string {
  const row = index.findAgreement(slug)
  return (row === undefined ? undefined : stateFor(seat, row)?.name) ?? slug
}

/** Stores a signature by one touch of a passkey: its list can be signed within minutes, in one piece or several. */
export async function openBatch(
  parts: ConsoleParts,
  { seat, body, origin }: ConsoleRequestOf<'POST /sign-offs/batch'>,
): Promise<OpenedBatch> {
  const { entries, passkey } = body
  if (!isAscending(entries)) throw new Refusal('invalid', 'the entries must ascend')
  const proof = await proveByPasskey(parts, seat, origin, passkey, hashOfBatch(entries))
  const batch = { personId: seat.person.id, entries, provider: null, ...proof }
  const { id: workspaceId } = seat.workspace
  const keep = (tx: Transaction) => insertBatch(tx, workspaceId, batch)
  return { id: await withWorkspace(parts.installation.sql, workspaceId, keep) }
}

/** Proof for a hash: the password covers all hashes, a batch those in its list. */
type ProofOf = (subject: string, hash: string, salt: string | undefined) => SignerProof

export async function proveMany(parts: ConsoleParts, seat: Seat, batchId: string | undefined): Promise<ProofOf> {
  if (batchId === undefined) {
    const proof = await proveByPassword(parts, seat)
    return () => proof
  }
  const wanted = { id: batchId, personId: seat.person.id, forSeconds: limits.batches.seconds }
  const batch = await loadBatch(parts.installation.sql, seat.workspace.id, wanted)
  if (batch === null)
    throw new Refusal('conflict', 'what you signed together is no longer kept here; nothing was signed. Try again')
  const { id, passkey, provider, origin } = batch
  const entries = new Set(batch.entries)
  return (subject, hash, salt) => {
    if (salt === undefined || !entries.has(batchEntry(hash, salt)))
      throw new Refusal('forbidden', `${subject} is not among what you signed together; nothing was signed`)
    const place = { id, salt, entries: batch.entries }
    if (passkey !== null) return { means: 'PASSKEY', passkey, origin, batch: place }
    return { means: 'PROVIDER', provider: provider!, origin, batch: place }
  }
}

/** Recorded facts about the signer: part of every signature of theirs. */
export async function originOf(
  { installation, seal }: ConsoleParts,
  { workspace, person }: Seat,
): Promise<SignerOrigin> {
  const read = withWorkspace(installation.sql, workspace.id, tx =>
    loadSignerOrigin(tx, workspace.id, person.id, seal.rows),
  )
  const found = await read
  if (found === null) throw new Refusal('not-found', 'you are no longer in this workspace')
  return found
}

/** Proof by the sent passkey over exactly this hash, else by the password that was typed a moment ago. */
export async function prove(
  parts: ConsoleParts,
  seat: Seat,
  origin: string,
  passkey: AssertionView | undefined,
  hash: string,
): Promise<SignerProof> {
  if (passkey === undefined) return proveByPassword(parts, seat)
  return { means: 'PASSKEY', ...(await proveByPasskey(parts, seat, origin, passkey, hash)), batch: null }
}

/** People who sign in with passkeys only also sign with one. */
async function proveByPassword({ installation }: ConsoleParts, { sessionId, person }: Seat): Promise<SignerProof> {
  const { wantsPasskey } = await loadSecondFactors(installation.sql, person.id)
  if (wantsPasskey) throw new Refusal('forbidden', 'you have chosen to use passkeys only; sign with your passkey')
  const { passwordUntil } = await loadConfirmations(installation.sql, sessionId)
  if (passwordUntil === null) throw askAgain()
  return { means: 'PASSWORD' }
}

/** The challenge is made of the signed hash and the signer: the passkey's answer says nothing about any other number. */
async function proveByPasskey(
  parts: ConsoleParts,
  seat: Seat,
  origin: string,
  given: AssertionView,
  hash: string,
): Promise<{ readonly passkey: PasskeyAssertion; readonly origin: SignerOrigin }> {
  const { sql } = parts.installation
  const passkey = (await listPasskeys(sql, seat.person.id)).find(({ credentialId }) => credentialId === given.id)
  const signer = await originOf(parts, seat)
  const expected = challengeOf(hash, signer)
  const isChallenge = (challenge: string) => challenge === Buffer.from(expected, 'hex').toString('base64url')
  const answered =
    passkey === undefined ? null : await checkAssertion(sql, { origin, given, passkey, isChallenge, needsUser: false })
  if (passkey === undefined || answered === null) throw notSigned()
  const assertion = assertionOf(given, passkey)
  // A stored signature has to convince anybody who checks it later, without this server.
  const { problem } = await checkPasskey(crypto.subtle, assertion, expected)
  if (problem !== null) throw notSigned()
  return { passkey: assertion, origin: signer }
}

function notSigned(): Refusal {
  return new Refusal('forbidden', 'the passkey does not sign what is shown here; nothing was signed. Try again')
}
