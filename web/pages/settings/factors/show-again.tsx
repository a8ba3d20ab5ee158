// Confirms who the person is, with the password or a passkey, once every few minutes. Then the action runs.
import { Button, PasswordInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { FactorsView } from '../../../../src/views/shapes/factors.ts'
import { ApiFailure, api } from '../../../api.ts'
import { Dialog } from '../../../components/dialog/dialog.tsx'
import { useRequest } from '../../../components/dialog/use-request.ts'
import { IconKey } from '../../../components/page/icons.tsx'
import { Trouble } from '../../../components/page/page.tsx'
import { usablePasskeys } from '../../../components/signing/factors.ts'
import { answerWithPasskey } from '../../../components/signing/passkey.ts'
import classes from '../settings.module.css'

export type Confirmed = <T>(work: () => Promise<T>) => Promise<T>

/** `dialog` is the confirmation dialog while it is open. */
export function useConfirmation(factors: FactorsView | undefined): {
  readonly confirmed: Confirmed
  readonly dialog: ReactNode
} {
  const [asked, setAsked] = useState<PromiseWithResolvers<void> | null>(null)
  const confirmed: Confirmed = async work => {
    try {
      return await work()
    } catch (failure) {
      if (!(failure instanceof ApiFailure) || failure.needs?.kind !== 'confirmation') throw failure
      const answer = Promise.withResolvers<void>()
      setAsked(answer)
      await answer.promise.finally(() => setAsked(null))
      return work()
    }
  }
  const dialog = asked !== null && (
    <ShowAgain
      hasPasskeys={usablePasskeys(factors).length > 0}
      done={asked.resolve}
      close={() => asked.reject(new ApiFailure(400, 'Nothing was changed.'))}
    />
  )
  return { confirmed, dialog }
}

interface ShowAgainProps {
  readonly hasPasskeys: boolean
  readonly done: () => void
  readonly close: () => void
}

function ShowAgain({ hasPasskeys, done, close }: ShowAgainProps) {
  const [password, setPassword] = useState('')
  const { error, isPending, ask } = useRequest()
  const run = async (work: () => Promise<unknown>) => {
    if (await ask(work)) done()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void run(() => api.post('/confirm', { password }))
  }
  const byPasskey = () =>
    run(async () => {
      const passkey = await answerWithPasskey(await api.post('/confirm/passkey/begin', {}))
      await api.post('/confirm/passkey', { passkey })
    })
  return (
    <Dialog onClose={close} title="Is it you?">
      <form onSubmit={submit} className={classes.form}>
        <p className="soft">
          Before this is changed, confirm who you are. You are asked at most once every five minutes.
        </p>
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          required
          data-autofocus
          value={password}
          onChange={event => setPassword(event.currentTarget.value)}
        />
        {error !== null && <Trouble error={error} />}
        <div className={classes.line}>
          <Button type="submit" loading={isPending}>
            Continue
          </Button>
          {hasPasskeys && (
            <Button variant="default" leftSection={<IconKey />} disabled={isPending} onClick={() => void byPasskey()}>
              Use a passkey
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  )
}
