// Signs the shown things, piece by piece, with one proof of who signs.
import { useRef, useState } from 'react'
import { signedHashOf } from '../../../../src/core/receipt/party-signature.ts'
import type { AskedSigning } from '../../../../src/views/calls/inbox-calls.ts'
import type { ChangeRow, CorrectionRow, SignedSome } from '../../../../src/views/shapes/inbox.ts'
import { ApiFailure, api } from '../../../api.ts'
import { type Batch, makeBatch } from '../../../components/signing/batch.ts'
import { type Signing, useSigning } from '../../../components/signing/use-signing.ts'
import { textBounds } from '../../../components/words/text-bounds.ts'
import { useSession, useWorkspace, type Workspace } from '../../../session.ts'
import { begunRun, goOn, type Piece, piecesOf, rememberRun, rowsOf, type SigningRun } from './signing-run.ts'
import type { AskedToSign } from './use-to-sign.ts'

interface ManySigning {
  /** Run; null before it has begun. */
  readonly run: SigningRun | null
  /** Hash that a passkey signs; null if only a password can be used. */
  readonly hash: string | null
  readonly signing: Signing
  /** Cancels after the piece under way. */
  readonly cancel: () => void
}

interface RunEvents {
  /** Called after each piece, with the keys of the rows that were signed. */
  readonly signed: (keys: ReadonlySet<string>) => void
  readonly ended: (run: SigningRun) => void
}

/** `isReady`: everything that is signed is there. */
export function useManySigning(asked: AskedToSign, isReady: boolean, { signed, ended }: RunEvents): ManySigning {
  const workspace = useWorkspace()
  const personId = useSession()?.person.id ?? ''
  const [run, setRun] = useState<SigningRun | null>(null)
  const isCancelled = useRef(false)
  const batch = useBatch(asked, isReady)
  const report = (now: SigningRun) => {
    rememberRun(workspace.slug, personId, now)
    setRun(now)
  }
  const signing = useSigning({
    ...(batch === null ? {} : { batch, asked: askedOf(asked) }),
    send: async (_proof, batchId) => {
      isCancelled.current = false
      const from = run ?? begunRun(piecesOf(asked.agreements, asked.corrections, asked.changes))
      const after = await goOn(from, {
        send: async piece => {
          const answer = await sendPiece(workspace, piece, batch, batchId)
          const refused = new Set(answer.refused.map(({ slug }) => slug))
          signed(new Set(rowsOf(piece).flatMap(({ slug, key }) => (refused.has(slug) ? [] : [key]))))
          return answer
        },
        report: now => {
          if (now.done > 0) report(now)
        },
        isCancelled: () => isCancelled.current,
      })
      // Without any signature the dialog stays as it is and says why.
      if (after.stopped !== null && after.done === from.done) throw after.stopped
      return after
    },
    done: ended,
  })
  const cancel = () => {
    isCancelled.current = true
  }
  return { run, hash: batch?.hash ?? null, signing, cancel }
}

/** Request as data, for a person who signs by their provider. */
function askedOf({ agreements, corrections, changes }: AskedToSign): AskedSigning {
  const byId = ({ id, hash, as }: CorrectionRow | ChangeRow) => ({ id, hash, party: as! })
  return {
    agreements: agreements.map(({ slug, as, periods }) => ({
      slug,
      party: as,
      periods: periods.map(({ period, hash }) => ({ period, hash })),
    })),
    corrections: corrections.map(byId),
    changes: changes.map(byId),
  }
}

/** Batch that one touch of a passkey signs, up to a bound. Drawn once, when everything is there: the salts must stay. */
function useBatch({ agreements, corrections, changes }: AskedToSign, isReady: boolean): Batch | null {
  const made = useRef<Batch | null>(null)
  const count = agreements.length + corrections.length + changes.length
  if (made.current === null && isReady && count > 0 && count <= textBounds.batchEntries) {
    const hashes = agreements.map(({ periods }) => signedHashOf(periods))
    made.current = makeBatch([...hashes, ...[...corrections, ...changes].map(({ hash }) => hash)])
  }
  return made.current
}

async function sendPiece(
  workspace: Workspace,
  piece: Piece,
  batch: Batch | null,
  batchId: string | undefined,
): Promise<SignedSome> {
  if (piece.kind === 'correction') return sendCorrection(workspace, piece.correction, batch, batchId)
  if (piece.kind === 'changes') return sendChanges(workspace, piece.changes, batch, batchId)
  return api.post(workspace.path('/sign-offs/sign'), {
    agreements: piece.agreements.map(({ slug, as, periods }) => ({
      slug,
      party: as,
      periods: periods.map(({ period, hash }) => ({ period, hash })),
      ...(batchId === undefined ? {} : { salt: batch!.saltOf(signedHashOf(periods)) }),
    })),
    ...(batchId === undefined ? {} : { batch: batchId }),
  })
}

/** Sends a correction; its refusal by the server keeps none of the others back. */
async function sendCorrection(
  { path }: Workspace,
  { id, hash, slug, name, as }: CorrectionRow,
  batch: Batch | null,
  batchId: string | undefined,
): Promise<SignedSome> {
  const proof = batchId === undefined ? {} : { batch: { id: batchId, salt: batch!.saltOf(hash) } }
  try {
    await api.post(path('/corrections/:id/sign', { id }), { party: as!, hash, ...proof })
    return { signed: [{ slug, periods: 1 }], refused: [] }
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.needs !== null || ![404, 409, 422].includes(error.status)) throw error
    return { signed: [], refused: [{ slug, name: `${name}, correction`, why: error.message }] }
  }
}

async function sendChanges(
  { path }: Workspace,
  changes: readonly ChangeRow[],
  batch: Batch | null,
  batchId: string | undefined,
): Promise<SignedSome> {
  const { signed, refused } = await api.post(path('/terms-changes/sign'), {
    changes: changes.map(({ id, hash, as }) => ({
      id,
      hash,
      party: as!,
      ...(batchId === undefined ? {} : { salt: batch!.saltOf(hash) }),
    })),
    ...(batchId === undefined ? {} : { batch: batchId }),
  })
  const rows = new Map(changes.map(row => [row.id, row]))
  return {
    signed: signed.map(({ slug }) => ({ slug, periods: 1 })),
    refused: refused.map(({ id, why }) => {
      const { slug, name } = rows.get(id)!
      return { slug, name: `${name}, change of terms`, why }
    }),
  }
}
