// Signing in with e-mail and password; then back to where one came from.
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { SessionView, SignInQuestion } from '../../src/http/console/wire/session.ts'
import { api } from '../api.ts'
import { TextLink } from '../components/links.tsx'
import { Trouble } from '../components/page.tsx'
import { sessionQuery } from '../session.ts'
import classes from './sign-in/entry.module.css'
import { Entry } from './sign-in/entry.tsx'

export function SignInPage() {
  const { back } = useSearch({ strict: false }) as { back?: string }
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [question, setQuestion] = useState<SignInQuestion>({ email: '', password: '' })
  const [error, setError] = useState<unknown>(null)
  const [isAsking, setAsking] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setAsking(true)
    setError(null)
    try {
      const session = await api.post<SessionView>('/sign-in', question)
      queries.clear()
      queries.setQueryData(sessionQuery.queryKey, session)
      await navigate({ to: isOurs(back) ? back : '/', replace: true })
    } catch (failure) {
      setError(failure)
      setAsking(false)
    }
  }
  return (
    <Entry
      title="Sign in"
      foot={
        <>
          Have a receipt to check? <TextLink to="/verify">Verify it</TextLink>, no account needed. Forgotten the
          password? Whoever runs this server can make you a new link.
        </>
      }
    >
      <form onSubmit={event => void submit(event)} className={classes.form}>
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          value={question.email}
          onChange={event => setQuestion({ ...question, email: event.currentTarget.value })}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          value={question.password}
          onChange={event => setQuestion({ ...question, password: event.currentTarget.value })}
        />
        {error !== null && <Trouble error={error} />}
        <Button type="submit" loading={isAsking}>
          Sign in
        </Button>
      </form>
    </Entry>
  )
}

/** Only addresses of this site: a link must not send anybody elsewhere after signing in. */
function isOurs(back: string | undefined): back is string {
  return back !== undefined && /^\/(?![/\\])/.test(back)
}
