// A one-time link: the first password, or one more workspace for who has one. The link's token stands behind the # and so
// reaches no server's log.
import { Button, PasswordInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { SessionView, SetUpLook } from '../../src/http/console/wire/session.ts'
import { api } from '../api.ts'
import { TextLink } from '../components/links.tsx'
import { LoadingRows, Trouble } from '../components/page.tsx'
import { sessionQuery } from '../session.ts'
import classes from './sign-in/entry.module.css'
import { Entry } from './sign-in/entry.tsx'

/** As the server takes it. */
const leastPassword = 10

export function SetUpPage() {
  const [token] = useState(() => location.hash.slice(1))
  const look = useQuery({
    queryKey: ['set-up', token],
    queryFn: () => api.post<SetUpLook>('/set-up/look', { token }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const foot = (
    <>
      Have a password already? <TextLink to="/sign-in">Sign in</TextLink>
    </>
  )
  return (
    <Entry title={look.data?.hasPassword ? 'Join a workspace' : 'Set your password'} foot={foot}>
      {look.isPending && <LoadingRows rows={3} />}
      {look.isError && <Trouble error={look.error} />}
      {look.data?.hasPassword === false && <PasswordForm token={token} email={look.data.email} />}
      {look.data?.hasPassword === true && <JoinForm token={token} email={look.data.email} />}
    </Entry>
  )
}

interface FormProps {
  readonly token: string
  readonly email: string
}

/** Uses the link up and goes on signed in. */
function useRedeeming(token: string) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [error, setError] = useState<unknown>(null)
  const [isAsking, setAsking] = useState(false)
  const redeem = async (password: string) => {
    setAsking(true)
    setError(null)
    try {
      const session = await api.post<SessionView>('/set-up', { token, password })
      queries.clear()
      queries.setQueryData(sessionQuery.queryKey, session)
      await navigate({ to: '/', replace: true })
    } catch (failure) {
      setError(failure)
      setAsking(false)
    }
  }
  return { error, isAsking, redeem }
}

function JoinForm({ token, email }: FormProps) {
  const { error, isAsking, redeem } = useRedeeming(token)
  const [password, setPassword] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void redeem(password)
  }
  return (
    <form onSubmit={submit} className={classes.form}>
      <p>
        <strong>{email}</strong> has an account here already. Enter its password to join. The link works once.
      </p>
      <input type="email" value={email} autoComplete="username" readOnly hidden />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        required
        value={password}
        onChange={event => setPassword(event.currentTarget.value)}
      />
      {error !== null && <Trouble error={error} />}
      <Button type="submit" loading={isAsking}>
        Join
      </Button>
    </form>
  )
}

function PasswordForm({ token, email }: FormProps) {
  const { error, isAsking, redeem } = useRedeeming(token)
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const isShort = password !== '' && password.length < leastPassword
  const differs = again !== '' && again !== password
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (password.length >= leastPassword && again === password) void redeem(password)
  }
  return (
    <form onSubmit={submit} className={classes.form}>
      <p>
        For <strong>{email}</strong>. The link works once.
      </p>
      <input type="email" value={email} autoComplete="username" readOnly hidden />
      <PasswordInput
        label="New password"
        description={`At least ${leastPassword} characters`}
        autoComplete="new-password"
        required
        value={password}
        error={isShort ? `${password.length} of at least ${leastPassword} characters` : undefined}
        onChange={event => setPassword(event.currentTarget.value)}
      />
      <PasswordInput
        label="The same again"
        autoComplete="new-password"
        required
        value={again}
        error={differs ? 'The two are not the same' : undefined}
        onChange={event => setAgain(event.currentTarget.value)}
      />
      {error !== null && <Trouble error={error} />}
      <Button type="submit" loading={isAsking}>
        Set the password and sign in
      </Button>
    </form>
  )
}
