// Factors of a person besides the password, for signing in and signing: passkeys, one-time codes, recovery codes. Every change
// asks for a confirmation first.

import { Button, Switch } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDate } from '../../../../src/core/text/words.ts'
import { api } from '../../../api.ts'
import { FormDialog } from '../../../components/dialog/ask-form.tsx'
import { State } from '../../../components/figures/figures.tsx'
import { LoadingRows, Section, Trouble } from '../../../components/page/page.tsx'
import { factorsQuery, useFactors } from '../../../components/signing/factors.ts'
import { countOf } from '../../../components/words/words.ts'
import classes from '../settings.module.css'
import type { FactorParts } from './factor-parts.ts'
import { NewCodes } from './new-codes.tsx'
import { Passkeys } from './passkeys.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { useConfirmation } from './show-again.tsx'

export function Factors() {
  const { data, error, refetch } = useFactors()
  const queries = useQueryClient()
  const { confirmed, dialog } = useConfirmation()
  const [shown, setShown] = useState<readonly string[]>([])
  const changed = () => queries.invalidateQueries(factorsQuery)
  if (error !== null) return <Trouble error={error} retry={() => void refetch()} />
  if (data === undefined) return <LoadingRows rows={4} />
  const parts = { factors: data, confirmed, changed, show: setShown }
  return (
    <>
      <Section title="Passkeys">
        <Passkeys {...parts} />
        {data.passkeys.length > 0 && <PasskeyOnly {...parts} />}
      </Section>
      <Section title="Second step at sign-in">
        <Codes {...parts} />
        {(data.codesSince !== null || data.wantsPasskey) && <Recovery {...parts} />}
      </Section>
      {dialog}
      {shown.length > 0 && <RecoveryCodes codes={shown} close={() => setShown([])} />}
    </>
  )
}

/** Runs something and keeps its error, to be shown beside it. */
function useDoing(changed: () => Promise<void>) {
  const [error, setError] = useState<unknown>(null)
  const [isDoing, setDoing] = useState(false)
  const run = async (work: () => Promise<void>) => {
    setDoing(true)
    setError(null)
    await work().catch(setError)
    await changed()
    setDoing(false)
  }
  return { error, isDoing, run }
}

function PasskeyOnly({ factors, confirmed, changed, show }: FactorParts) {
  const { error, isDoing, run } = useDoing(changed)
  const want = (isWanted: boolean) =>
    run(async () => {
      const made = await confirmed(() => api.post('/passkey-only', { isWanted }))
      show(made.recoveryCodes)
    })
  return (
    <>
      <Switch
        mt={16}
        label="Sign in and sign with a passkey only"
        description="Your password alone then neither signs you in nor signs a number. Keep two passkeys, or the recovery codes."
        checked={factors.wantsPasskey}
        disabled={isDoing}
        onChange={event => void want(event.currentTarget.checked)}
      />
      {error !== null && <Trouble error={error} />}
    </>
  )
}

function Codes({ factors, confirmed, changed, show }: FactorParts) {
  const [doing, setDoing] = useState<'on' | 'off' | null>(null)
  const close = () => setDoing(null)
  return (
    <>
      <div className={classes.lead}>
        <p className="soft prose">
          {factors.codesSince === null
            ? 'With one-time codes, signing in takes your password and six digits from an app on your phone.'
            : 'Signing in takes your password and a code from your app.'}{' '}
          {factors.wantsPasskey && 'As long as you sign in with a passkey only, no codes are required.'}
        </p>
        {factors.codesSince === null ? (
          <Button variant="default" onClick={() => setDoing('on')}>
            Turn on one-time codes
          </Button>
        ) : (
          <div className={classes.line}>
            <State kind="good">on since {formatDate(factors.codesSince)}</State>
            <Button variant="default" size="xs" onClick={() => setDoing('off')}>
              Turn off
            </Button>
          </div>
        )}
      </div>
      {doing === 'on' && (
        <NewCodes
          confirmed={confirmed}
          close={close}
          begun={async codes => {
            close()
            await changed()
            show(codes)
          }}
        />
      )}
      {doing === 'off' && (
        <FormDialog
          title="Turn off one-time codes"
          action="Turn them off"
          isDangerous
          close={close}
          run={async () => {
            await confirmed(() => api.delete('/codes'))
            await changed()
          }}
        >
          {factors.wantsPasskey
            ? 'You then sign in with a passkey only.'
            : 'You then sign in with your password alone.'}
        </FormDialog>
      )}
    </>
  )
}

function Recovery({ factors, confirmed, changed, show }: FactorParts) {
  const { error, isDoing, run } = useDoing(changed)
  const renew = () => run(async () => show((await confirmed(() => api.post('/recovery-codes', {}))).recoveryCodes))
  const isFew = factors.recoveryCodes < 3
  return (
    <>
      <div className={classes.lead}>
        <p className="soft prose">
          Recovery codes let you in when the phone or the key is lost. Each works once.{' '}
          {isFew && <State kind="waiting">{countOf(factors.recoveryCodes, 'code')} left</State>}
          {!isFew && `You have ${countOf(factors.recoveryCodes, 'code')} left.`}
        </p>
        <Button variant="default" size="xs" loading={isDoing} onClick={() => void renew()}>
          Make new recovery codes
        </Button>
      </div>
      {error !== null && <Trouble error={error} />}
    </>
  )
}
