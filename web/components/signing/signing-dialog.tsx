// Dialog before any signature: the text to sign, the record of the signer, and the proof of who signs.

import type { ReactNode } from 'react'
import type { SignKind } from '../../../src/core/parties.ts'
import { challengeOf } from '../../../src/core/receipt/party-signature.ts'
import { formatDate } from '../../../src/core/text/words.ts'
import type { Party } from '../../../src/views/shapes/agreements.ts'
import type { Signatures } from '../../../src/views/shapes/signatures.ts'
import { useSession } from '../../session.ts'
import { formatSigner, otherParty } from '../agreements/sign-state.tsx'
import { Dialog } from '../dialog/dialog.tsx'
import { LoadingRows, Trouble } from '../page/page.tsx'
import { ConfirmForm } from './confirm-form.tsx'
import { answerWithPasskey, requestSignature } from './passkey.ts'
import classes from './sign-panel.module.css'
import { SignerNote, useSigner } from './signer-note.tsx'
import type { Signing, SigningProof } from './use-signing.ts'

interface SigningFootProps {
  readonly words: string
  /** Hash to sign; null if only a password can be used. */
  readonly hash: string | null
  readonly signing: Signing
  /** The ways in which the contract may be signed; left out: any. */
  readonly signWith?: readonly SignKind[] | undefined
  readonly close: () => void
}

interface SigningDialogProps extends SigningFootProps {
  readonly title: string
  readonly size?: number
  /** The text to sign. */
  readonly children: ReactNode
}

export function SigningDialog({ title, size = 520, close, children, ...foot }: SigningDialogProps) {
  return (
    <Dialog onClose={close} title={title} size={size}>
      <div className={classes.dialog}>
        {children}
        <SigningFoot {...foot} close={close} />
      </div>
    </Dialog>
  )
}

/** The proof of who signs. It stays in view, however long the list above it is. */
export function SigningFoot({ words, hash, signing, signWith, close }: SigningFootProps) {
  const { data: origin, error, refetch } = useSigner()
  const submit = async (proof: SigningProof) => {
    const isHeard = await signing.sign(proof)
    // The record of the signer may have changed since it was shown: then it is shown again.
    if ('passkey' in proof) void refetch()
    return isHeard
  }
  if (origin === undefined) return error === null ? <LoadingRows rows={1} /> : <Trouble error={error} />
  return (
    <>
      <SignerNote origin={origin} />
      <div className={classes.foot}>
        {signing.error !== null && <Trouble error={signing.error} />}
        <ConfirmForm
          words={words}
          passkeyWords="Your passkey signs exactly this, together with the record about you. Anybody can check the signature."
          askPasskey={
            hash === null ? null : passkeys => answerWithPasskey(requestSignature(challengeOf(hash, origin), passkeys))
          }
          provider={signing.byProvider ? (origin.identities?.[0]?.issuer ?? null) : null}
          signWith={signWith}
          isPending={signing.isSigning}
          submit={submit}
          close={close}
        />
      </div>
    </>
  )
}

export interface SignedFact {
  readonly label: string
  readonly value: ReactNode
  readonly isNumber?: boolean
}

interface SignedFactsProps {
  readonly facts: readonly SignedFact[]
  readonly party: Party
  readonly signatures: Signatures
}

/** The text to sign, the signer, and whether the other side has signed. */
export function SignedFacts({ facts, party, signatures }: SignedFactsProps) {
  const person = useSession()?.person
  const other = otherParty[party]
  const theirs = signatures[other]
  const all: readonly SignedFact[] = [
    ...facts,
    { label: 'Signed by', value: `${person?.name}, ${person?.email}` },
    {
      label: `The ${other}`,
      value:
        theirs === null ? 'has not signed yet' : `${formatSigner(theirs)} signed on ${formatDate(theirs.signedAt)}`,
    },
  ]
  return (
    <dl className={classes.asked}>
      {all.map(({ label, value, isNumber = false }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className={isNumber ? classes.number : undefined}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
