// The second step of signing in: a code from the app, a passkey, or a recovery code.
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { AssertionRequest } from '../../../../src/views/shapes/factors.ts'
import type { Needs } from '../../../../src/views/shapes/session.ts'
import classes from '../../../components/page/entry.module.css'
import { IconKey } from '../../../components/page/icons.tsx'
import { Trouble } from '../../../components/page/page.tsx'

interface SecondFactorProps {
  readonly need: Extract<Needs, { kind: 'second-factor' }>
  readonly email: string
  readonly error: unknown
  readonly isPending: boolean
  readonly enterCode: (code: string) => void
  readonly enterPasskey: (request: AssertionRequest) => void
  readonly back: () => void
}

export function SecondFactor(props: SecondFactorProps) {
  const { need, email, error, isPending, enterCode, enterPasskey, back } = props
  const [code, setCode] = useState('')
  const [isRecovery, setRecovery] = useState(!need.takesCodes && need.passkey === null)
  const asksForCode = need.takesCodes || isRecovery
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (asksForCode) enterCode(code)
    else enterPasskey(need.passkey!)
  }
  return (
    <form onSubmit={submit} className={classes.form}>
      <p className={classes.who}>
        The password of <strong>{email}</strong> is correct.
      </p>
      {asksForCode && (
        <TextInput
          key={isRecovery ? 'recovery' : 'code'}
          label={isRecovery ? 'Recovery code' : 'Code from your app'}
          description={isRecovery ? 'One of the ten you stored; each works once' : 'Six digits, new every half minute'}
          autoComplete="one-time-code"
          inputMode={isRecovery ? 'text' : 'numeric'}
          autoFocus
          required
          value={code}
          onChange={event => setCode(event.currentTarget.value)}
          classNames={{ input: classes.code }}
        />
      )}
      {error !== null && <Trouble error={error} />}
      <Button type="submit" loading={isPending} leftSection={asksForCode ? undefined : <IconKey />}>
        {asksForCode ? 'Continue' : 'Use your passkey'}
      </Button>
      {asksForCode && need.passkey !== null && (
        <Button
          variant="default"
          leftSection={<IconKey />}
          disabled={isPending}
          onClick={() => enterPasskey(need.passkey!)}
        >
          Use your passkey
        </Button>
      )}
      <div className={classes.ways}>
        {(need.takesCodes || need.passkey !== null) && (
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => {
              setCode('')
              setRecovery(!isRecovery)
            }}
          >
            {isRecovery ? 'Do not use a recovery code' : 'Lost it? Use a recovery code'}
          </Button>
        )}
        <Button variant="subtle" size="compact-sm" onClick={back}>
          Sign in as somebody else
        </Button>
      </div>
    </form>
  )
}
