// Form in which people prove again who they are: with a passkey, at their identity provider, or with the password, which is asked
// for at most once every few minutes.
import { Button, PasswordInput } from '@mantine/core'
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { formatSignKinds, type SignKind, signKinds } from '../../../src/core/parties.ts'
import type { AssertionView } from '../../../src/views/calls/factor-calls.ts'
import { useSession } from '../../session.ts'
import { LoadingRows, Trouble } from '../page/page.tsx'
import { isAhead, usablePasskeys, useFactors } from './factors.ts'
import classes from './sign-panel.module.css'
import type { SigningProof } from './use-signing.ts'

interface ConfirmFormProps {
  readonly words: string
  /** Words for the passkey's use here. */
  readonly passkeyWords: string
  /** Asks for one of these passkeys; null if none can be used. */
  readonly askPasskey: ((passkeys: readonly string[]) => Promise<AssertionView>) | null
  /** The address of the person's identity provider, where it can be used. */
  readonly provider?: string | null
  /** The ways that are accepted; left out: any. */
  readonly signWith?: readonly SignKind[] | undefined
  /** Whether a password given a few minutes ago is not enough. */
  readonly isAskedAgain?: boolean
  readonly isPending: boolean
  /** Returns whether the password was read, so that it is not kept. */
  readonly submit: (proof: SigningProof) => Promise<boolean>
  readonly close: () => void
}

const otherWords: Readonly<Record<SignKind, string>> = {
  passkey: 'Use a passkey instead',
  provider: 'Use your identity provider instead',
  password: 'Use the password instead',
}

export function ConfirmForm({ words, passkeyWords, askPasskey, isAskedAgain = false, ...rest }: ConfirmFormProps) {
  const { provider = null, signWith, isPending, submit, close } = rest
  const { data: factors, error } = useFactors()
  const hasPassword = useSession()?.isByProvider !== true
  const [password, setPassword] = useState('')
  const [chosen, setChosen] = useState<SignKind | null>(null)
  const form = useRef<HTMLFormElement>(null)
  useFocusOnceShown(form, factors !== undefined)
  if (factors === undefined) return error === null ? <LoadingRows rows={1} /> : <Trouble error={error} />
  const passkeys = usablePasskeys(factors)
  const { wantsPasskey } = factors
  const has: Readonly<Record<SignKind, boolean>> = {
    passkey: askPasskey !== null && (wantsPasskey || passkeys.length > 0),
    provider: provider !== null,
    password: hasPassword && !wantsPasskey,
  }
  // The strictest way comes first.
  const ways = signKinds.filter(kind => has[kind] && (signWith === undefined || signWith.includes(kind)))
  const way = ways.find(kind => kind === chosen) ?? ways[0]
  if (way === undefined) return <NoWay signWith={signWith} wantsPasskey={wantsPasskey} close={close} />
  const isKnown = !isAskedAgain && isAhead(factors.passwordUntil)
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (way === 'passkey') void submit({ passkey: () => askPasskey!(passkeys) })
    else if (way === 'provider') void submit({ provider: true })
    else void submit({ password: isKnown ? null : password }).then(isRead => isRead && setPassword(''))
  }
  return (
    <form ref={form} onSubmit={send} className={classes.proof}>
      {signWith !== undefined && <p>The contract can be signed only {formatSignKinds(signWith)}.</p>}
      {way === 'passkey' && (
        <p>
          {wantsPasskey && passkeys.length === 0
            ? (factors.whyNoPasskeys ?? 'None of your passkeys is for this address.')
            : passkeyWords}
        </p>
      )}
      {way === 'provider' && (
        <p>
          You sign in again at {new URL(provider!).host} and come back here; then exactly this is signed. Your provider
          confirms the signature, and anybody can check it once the token of the provider has expired.
        </p>
      )}
      {way === 'password' && !isKnown && (
        <PasswordInput
          label="Your password"
          description="Asked for at most once every five minutes, so that nobody else acts in your name"
          autoComplete="current-password"
          required
          data-autofocus
          value={password}
          onChange={event => setPassword(event.currentTarget.value)}
        />
      )}
      <div className={classes.actions}>
        {ways
          .filter(kind => kind !== way)
          .map(kind => (
            <Button key={kind} variant="subtle" className={classes.other} onClick={() => setChosen(kind)}>
              {otherWords[kind]}
            </Button>
          ))}
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button
          type="submit"
          loading={isPending}
          disabled={way === 'passkey' && passkeys.length === 0}
          data-autofocus={way !== 'password' || isKnown || undefined}
        >
          {way === 'password'
            ? words
            : `${words} ${way === 'passkey' ? 'with your passkey' : `at ${new URL(provider!).host}`}`}
        </Button>
      </div>
    </form>
  )
}

/** Why the person cannot sign, and what to do about it. */
function NoWay({
  signWith,
  wantsPasskey,
  close,
}: Pick<ConfirmFormProps, 'signWith' | 'close'> & { readonly wantsPasskey: boolean }) {
  const why =
    signWith !== undefined
      ? `The contract can be signed only ${formatSignKinds(signWith)}, and you can use none of these ways here. You can add a passkey under Your account.`
      : wantsPasskey
        ? 'You have chosen to use passkeys only, and one touch cannot sign this many items: select fewer.'
        : 'You sign in by your identity provider, and this cannot be signed there. You can add a passkey under Your account.'
  return (
    <div className={classes.proof}>
      <p>{why}</p>
      <div className={classes.actions}>
        <Button variant="default" onClick={close} data-autofocus>
          Cancel
        </Button>
      </div>
    </div>
  )
}

/** A dialog gives the focus to its contents when it opens; this form comes later. Somebody who types meanwhile keeps it. */
function useFocusOnceShown(form: RefObject<HTMLFormElement | null>, isShown: boolean): void {
  useEffect(() => {
    const dialog = form.current?.closest('[role="dialog"]')
    if (!isShown || dialog == null || document.activeElement?.matches('input, textarea, select')) return
    form.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true })
  }, [form, isShown])
}
