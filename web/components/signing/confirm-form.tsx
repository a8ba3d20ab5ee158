// People prove again who they are: with a passkey, or with the password, which is asked for at most once every few minutes.
import { Button, PasswordInput } from '@mantine/core'
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { AssertionView } from '../../../src/views/calls/factor-calls.ts'
import { LoadingRows, Trouble } from '../page/page.tsx'
import { isAhead, usablePasskeys, useFactors } from './factors.ts'
import classes from './sign-panel.module.css'
import type { Proof } from './use-signing.ts'

interface ConfirmFormProps {
  /** The text of the button. */
  readonly words: string
  /** What a passkey does here. */
  readonly passkeyWords: string
  /** Asks for one of these passkeys; null if only a password can be used. */
  readonly askPasskey: ((passkeys: readonly string[]) => Promise<AssertionView>) | null
  /** Whether a password given a few minutes ago is not enough. */
  readonly isAskedAgain?: boolean
  readonly isPending: boolean
  /** Returns whether the password was read, so that it is not kept. */
  readonly submit: (proof: Proof) => Promise<boolean>
  readonly close: () => void
}

export function ConfirmForm({ words, passkeyWords, askPasskey, isAskedAgain = false, ...rest }: ConfirmFormProps) {
  const { isPending, submit, close } = rest
  const { data: factors, error } = useFactors()
  const [password, setPassword] = useState('')
  const [wantsPassword, setWantsPassword] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useFocusOnceShown(form, factors !== undefined)
  if (factors === undefined) return error === null ? <LoadingRows rows={1} /> : <Trouble error={error} />
  const passkeys = usablePasskeys(factors)
  if (askPasskey === null && factors.wantsPasskey)
    return <p>You have chosen to use passkeys only, and this is more than one touch signs: select less.</p>
  const byPasskey = askPasskey !== null && (factors.wantsPasskey || (passkeys.length > 0 && !wantsPassword))
  const isKnown = !isAskedAgain && isAhead(factors.passwordUntil)
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (byPasskey) void submit({ passkey: () => askPasskey(passkeys) })
    else void submit({ password: isKnown ? null : password }).then(isRead => isRead && setPassword(''))
  }
  return (
    <form ref={form} onSubmit={send} className={classes.proof}>
      {byPasskey && (
        <p>
          {factors.wantsPasskey && passkeys.length === 0
            ? (factors.whyNoPasskeys ?? 'None of your passkeys is for this address.')
            : passkeyWords}
        </p>
      )}
      {!byPasskey && !isKnown && (
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
        {askPasskey !== null && passkeys.length > 0 && !factors.wantsPasskey && (
          <Button variant="subtle" className={classes.other} onClick={() => setWantsPassword(byPasskey)}>
            {byPasskey ? 'Use the password instead' : 'Use a passkey instead'}
          </Button>
        )}
        <Button variant="default" onClick={close}>
          Not now
        </Button>
        <Button
          type="submit"
          loading={isPending}
          disabled={byPasskey && passkeys.length === 0}
          data-autofocus={byPasskey || isKnown || undefined}
        >
          {byPasskey ? `${words} with your passkey` : words}
        </Button>
      </div>
    </form>
  )
}

/** A dialog gives the focus to what is there when it opens; this comes later. Whoever types meanwhile keeps it. */
function useFocusOnceShown(form: RefObject<HTMLFormElement | null>, isShown: boolean): void {
  useEffect(() => {
    const dialog = form.current?.closest('[role="dialog"]')
    if (!isShown || dialog == null || document.activeElement?.matches('input, textarea, select')) return
    form.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true })
  }, [form, isShown])
}
