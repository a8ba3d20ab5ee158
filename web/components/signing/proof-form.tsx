// Signers prove again who they are: with a passkey that signs the hash, or with the password.
import { Button, PasswordInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { challengeOf } from '../../../src/core/receipt/party-signature.ts'
import type { AssertionView } from '../../../src/http/console/wire/factor-calls.ts'
import { LoadingRows, Trouble } from '../page/page.tsx'
import { isAhead, usablePasskeys, useFactors } from './factors.ts'
import { answerWithPasskey, requestSignature } from './passkey.ts'
import classes from './sign-panel.module.css'
import { SignerNote, useSigner } from './signer-note.tsx'

/** The proof of who signs: nothing more, the password, or a passkey that signs the hash. */
export type Proof = { readonly password: string | null } | { readonly passkey: () => Promise<AssertionView> }

interface ProofFormProps {
  readonly words: string
  readonly isSigning: boolean
  /** The hash of what is signed; null if only a password can be used. */
  readonly hash: string | null
  readonly sign: (proof: Proof) => Promise<boolean>
  readonly close: () => void
}

export function ProofForm({ words, isSigning, hash, sign, close }: ProofFormProps) {
  const { data: factors, error } = useFactors()
  const signer = useSigner()
  const [password, setPassword] = useState('')
  const [wantsPassword, setWantsPassword] = useState(false)
  if (factors === undefined || signer.data === undefined) {
    const trouble = error ?? signer.error
    return trouble === null ? <LoadingRows rows={1} /> : <Trouble error={trouble} />
  }
  const origin = signer.data
  const passkeys = usablePasskeys(factors)
  if (hash === null && factors.wantsPasskey)
    return <p>You have chosen to use passkeys only: sign one agreement at a time, on its own page.</p>
  const byPasskey = hash !== null && (factors.wantsPasskey || (passkeys.length > 0 && !wantsPassword))
  const isKnown = isAhead(factors.passwordUntil)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const answer = (of: string) => answerWithPasskey(requestSignature(challengeOf(of, origin), passkeys))
    // What is recorded may have changed since it was shown: then it is shown again.
    const ask = byPasskey && hash !== null ? sign({ passkey: () => answer(hash) }) : null
    if (ask !== null) void ask.finally(() => signer.refetch())
    else void sign({ password: isKnown ? null : password }).then(isHeard => isHeard && setPassword(''))
  }
  return (
    <form onSubmit={submit} className={classes.proof}>
      {byPasskey && (
        <p>
          {factors.wantsPasskey && passkeys.length === 0
            ? (factors.whyNoPasskeys ?? 'None of your passkeys is for this address.')
            : 'Your passkey signs exactly this, with what is recorded about you. Anybody can check it.'}
        </p>
      )}
      {!byPasskey && !isKnown && (
        <PasswordInput
          label="Your password"
          description="Asked for at most once every five minutes, so that nobody else signs in your name"
          autoComplete="current-password"
          required
          data-autofocus
          value={password}
          onChange={event => setPassword(event.currentTarget.value)}
        />
      )}
      <SignerNote origin={origin} />
      <div className={classes.actions}>
        {hash !== null && passkeys.length > 0 && !factors.wantsPasskey && (
          <Button variant="subtle" className={classes.other} onClick={() => setWantsPassword(byPasskey)}>
            {byPasskey ? 'Use the password instead' : 'Use a passkey instead'}
          </Button>
        )}
        <Button variant="default" onClick={close}>
          Not now
        </Button>
        <Button
          type="submit"
          loading={isSigning}
          disabled={byPasskey && passkeys.length === 0}
          data-autofocus={byPasskey || isKnown || undefined}
        >
          {byPasskey ? `${words} with your passkey` : words}
        </Button>
      </div>
    </form>
  )
}
