// Confirms who the person is, with the password or a passkey, once every few minutes. Then the action runs.

import { type ReactNode, useState } from 'react'
import { ApiFailure, api } from '../../../api.ts'
import { Dialog } from '../../../components/dialog/dialog.tsx'
import { useRequest } from '../../../components/dialog/use-request.ts'
import { Trouble } from '../../../components/page/page.tsx'
import { ConfirmForm } from '../../../components/signing/confirm-form.tsx'
import { answerWithPasskey } from '../../../components/signing/passkey.ts'
import type { SigningProof } from '../../../components/signing/use-signing.ts'

export type Confirmed = <T>(work: () => Promise<T>) => Promise<T>

/** `dialog` is the confirmation dialog while it is open. */
export function useConfirmation(): {
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
    <ShowAgain done={asked.resolve} close={() => asked.reject(new ApiFailure(400, 'Nothing was changed.'))} />
  )
  return { confirmed, dialog }
}

interface ShowAgainProps {
  readonly done: () => void
  readonly close: () => void
}

function ShowAgain({ done, close }: ShowAgainProps) {
  const { error, isPending, ask } = useRequest()
  const submit = async (proof: SigningProof) => {
    const isHeard = await ask(async () => {
      if ('passkey' in proof) await api.post('/confirm/passkey', { passkey: await proof.passkey() })
      else if ('password' in proof) await api.post('/confirm', { password: proof.password ?? '' })
    })
    if (isHeard) done()
    return isHeard
  }
  return (
    <Dialog onClose={close} title="Confirm who you are">
      <p className="soft">This change needs a fresh confirmation.</p>
      {error !== null && <Trouble error={error} />}
      <ConfirmForm
        words="Continue"
        isAskedAgain
        passkeyWords="Your passkey shows that it is you."
        askPasskey={async () => answerWithPasskey(await api.post('/confirm/passkey/begin', {}))}
        isPending={isPending}
        submit={submit}
        close={close}
      />
    </Dialog>
  )
}
