// Signing in: with e-mail and password, and the second step if it is turned on; with a passkey alone; or by the identity provider
// of a company. Then back to the page the person came from.
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { SignInRequest } from '../../../../src/views/calls/session-calls.ts'
import type { Needs, SessionView } from '../../../../src/views/shapes/session.ts'
import { ApiFailure, api } from '../../../api.ts'
import { useRequest } from '../../../components/dialog/use-request.ts'
import { usedWayIn } from '../../../components/page/company-way.tsx'
import classes from '../../../components/page/entry.module.css'
import { Entry } from '../../../components/page/entry.tsx'
import { IconKey } from '../../../components/page/icons.tsx'
import { TextLink } from '../../../components/page/links.tsx'
import { Trouble } from '../../../components/page/page.tsx'
import { answerWithPasskey } from '../../../components/signing/passkey.ts'
import { sessionQuery } from '../../../session.ts'
import { AskForCompany, CompanySignIn } from './company.tsx'
import { SecondFactor } from './second-factor.tsx'

type SecondNeed = Extract<Needs, { kind: 'second-factor' }>

export function SignInPage() {
  const [entered, setEntered] = useState<SignInRequest>({ email: '', password: '' })
  const [need, setNeed] = useState<SecondNeed | null>(null)
  const { by, back } = useSearch({ strict: false }) as { by?: string; back?: string }
  const [way, setWay] = useState<'company' | 'ask' | 'password'>(() =>
    by !== undefined || usedWayIn() !== null ? 'company' : 'password',
  )
  const wayIn = by ?? usedWayIn()
  const { error, isPending, enter } = useEntering()
  const send = (more: Pick<SignInRequest, 'code' | 'passkey'> = {}) =>
    enter(() =>
      api.post('/sign-in', { ...entered, ...more }).catch(failure => {
        if (!(failure instanceof ApiFailure) || failure.needs?.kind !== 'second-factor') throw failure
        setNeed(failure.needs)
        return null
      }),
    )
  const byPasskey = () =>
    enter(async () => {
      const passkey = await answerWithPasskey(await api.post('/sign-in/passkey/begin', {}))
      return api.post('/sign-in/passkey', { passkey })
    })
  if (need !== null)
    return (
      <Entry title="One more step">
        <SecondFactor
          need={need}
          email={entered.email}
          error={error}
          isPending={isPending}
          enterCode={code => void send({ code })}
          enterPasskey={request =>
            void enter(async () => {
              const passkey = await answerWithPasskey(request)
              return api.post('/sign-in', { ...entered, passkey })
            })
          }
          back={() => {
            setNeed(null)
            setEntered({ ...entered, password: '' })
          }}
        />
      </Entry>
    )
  if (way === 'company' && wayIn !== null)
    return (
      <Entry title="Sign in">
        <CompanySignIn wayIn={wayIn} returnTo={isOurs(back) ? back : undefined} leave={() => setWay('password')} />
      </Entry>
    )
  if (way === 'ask')
    return (
      <Entry title="Sign in with your company">
        <AskForCompany go={() => setWay('company')} leave={() => setWay('password')} />
      </Entry>
    )
  return (
    <Entry
      title="Sign in"
      foot={
        <>
          Have a receipt to check? <TextLink to="/verify">Verify it</TextLink>, no account needed. Forgotten the
          password? The operator of this server can make you a new link.
        </>
      }
    >
      <p className={classes.about}>
        Assize computes index-linked prices from published figures, so that buyer and supplier sign the same number.
      </p>
      <PasswordForm
        {...{ entered, setEntered, error, isPending }}
        submit={() => void send()}
        byPasskey={() => void byPasskey()}
        byCompany={() => setWay('ask')}
      />
    </Entry>
  )
}

interface PasswordFormProps extends Pick<ReturnType<typeof useEntering>, 'error' | 'isPending'> {
  readonly entered: SignInRequest
  readonly setEntered: (entered: SignInRequest) => void
  readonly submit: () => void
  readonly byPasskey: () => void
  readonly byCompany: () => void
}

function PasswordForm(props: PasswordFormProps) {
  const { entered, setEntered, error, isPending } = props
  const submit = (event: FormEvent) => {
    event.preventDefault()
    props.submit()
  }
  return (
    <form onSubmit={submit} className={classes.form}>
      <TextInput
        label="E-mail"
        type="email"
        autoComplete="username"
        required
        value={entered.email}
        onChange={event => setEntered({ ...entered, email: event.currentTarget.value })}
      />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        required
        value={entered.password}
        onChange={event => setEntered({ ...entered, password: event.currentTarget.value })}
      />
      {error !== null && <Trouble error={error} />}
      <Button type="submit" loading={isPending}>
        Sign in
      </Button>
      <Button variant="default" leftSection={<IconKey />} disabled={isPending} onClick={props.byPasskey}>
        Use a passkey
      </Button>
      <Button variant="default" disabled={isPending} onClick={props.byCompany}>
        Sign in with your company
      </Button>
    </form>
  )
}

/** Sends the request and continues signed in; `null` if a second step is needed. */
function useEntering() {
  const { back } = useSearch({ strict: false }) as { back?: string }
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { error, isPending, ask } = useRequest()
  const enter = (signIn: () => Promise<SessionView | null>) =>
    ask(async () => {
      const session = await signIn()
      if (session === null) return
      queries.clear()
      queries.setQueryData(sessionQuery.queryKey, session)
      await navigate({ to: isOurs(back) ? back : '/', replace: true })
    })
  return { error, isPending, enter }
}

/** Only addresses on this site: a link must not send anybody elsewhere after signing in. */
function isOurs(back: string | undefined): back is string {
  return back !== undefined && /^\/(?![/\\])/.test(back)
}
