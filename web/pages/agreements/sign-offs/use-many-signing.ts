// Signs what was shown, piece by piece, with one proof of who signs.
import { useRef, useState } from 'react'
import { signedHashOf } from '../../../../src/core/receipt/party-signature.ts'
import type { AssertionView } from '../../../../src/views/calls/factor-calls.ts'
import type { AgreementToSign, SignedSome } from '../../../../src/views/shapes/inbox.ts'
import { ApiFailure, api } from '../../../api.ts'
import { type Signing, useSigning } from '../../../components/signing/use-signing.ts'
import { useSession, useWorkspace, type Workspace } from '../../../session.ts'
import { begunRun, goOn, type Piece, piecesOf, rememberRun, type SigningRun } from './signing-run.ts'
import type { AskedToSign } from './use-to-sign.ts'

interface ManySigning {
  /** Null before it has begun. */
  readonly run: SigningRun | null
  /** What a passkey signs; null if only a password can be used. */
  readonly hash: string | null
  readonly signing: Signing
  /** After the piece that is under way. */
  readonly cancel: () => void
}

export function useManySigning(asked: AskedToSign, ended: (run: SigningRun) => void): ManySigning {
  const workspace = useWorkspace()
  const personId = useSession()?.person.id ?? ''
  const [run, setRun] = useState<SigningRun | null>(null)
  const isCancelled = useRef(false)
  const report = (now: SigningRun) => {
    rememberRun(workspace.slug, personId, now)
    setRun(now)
  }
  const signing = useSigning({
    send: async proof => {
      isCancelled.current = false
      const from = run ?? begunRun(piecesOf(asked.agreements, asked.corrections))
      const after = await goOn(from, {
        send: piece => sendPiece(workspace, piece, proof.passkey),
        report: now => {
          if (now.done > 0) report(now)
        },
        isCancelled: () => isCancelled.current,
      })
      // Nothing was signed: the dialog stays as it is and says why.
      if (after.stopped !== null && after.done === from.done) throw after.stopped
      return after
    },
    done: ended,
  })
  return { run, hash: hashOf(asked), signing, cancel: () => (isCancelled.current = true) }
}

/** One passkey answers for one hash: that of one agreement or of one correction. */
function hashOf({ agreements, corrections }: AskedToSign): string | null {
  if (agreements.length + corrections.length !== 1) return null
  return agreements.length === 1 ? signedHashOf(agreements[0]!.periods) : corrections[0]!.hash
}

async function sendPiece(workspace: Workspace, piece: Piece, passkey: AssertionView | undefined): Promise<SignedSome> {
  if (piece.kind === 'correction') return sendCorrection(workspace, piece, passkey)
  const [first, ...others] = piece.agreements
  if (passkey !== undefined && others.length === 0) return sendByPasskey(workspace, first!, passkey)
  return api.post(workspace.path('/sign-offs/sign'), {
    agreements: piece.agreements.map(({ slug, as, periods }) => ({ slug, party: as, periods: periods.map(seenOf) })),
  })
}

function seenOf({ period, hash }: { readonly period: string; readonly hash: string }) {
  return { period, hash }
}

async function sendByPasskey(
  { path }: Workspace,
  { slug, as: party, periods }: AgreementToSign,
  passkey: AssertionView,
): Promise<SignedSome> {
  const place = { slug, period: periods.at(-1)!.period }
  await api.post(path('/formulas/:slug/periods/:period/sign', place), { party, periods: periods.map(seenOf), passkey })
  return { signed: [{ slug, periods: periods.length }], refused: [] }
}

/** What the server does not accept of one correction keeps none of the others back. */
async function sendCorrection(
  { path }: Workspace,
  { correction }: Extract<Piece, { kind: 'correction' }>,
  passkey: AssertionView | undefined,
): Promise<SignedSome> {
  const { id, hash, slug, name } = correction
  const body = { party: correction.as!, hash, ...(passkey === undefined ? {} : { passkey }) }
  try {
    await api.post(path('/corrections/:id/sign', { id }), body)
    return { signed: [{ slug, periods: 1 }], refused: [] }
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.needs !== null || ![404, 409, 422].includes(error.status)) throw error
    return { signed: [], refused: [{ slug, name: `${name}, correction`, why: error.message }] }
  }
}
