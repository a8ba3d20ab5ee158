// A one-time link: a first password, another workspace for a person with an account, or a new password for somebody who
// forgot theirs. The link's token comes after the # and so reaches no server's log.

import { Button, Divider, PasswordInput, SegmentedControl } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { WayInView } from '../../../../src/views/shapes/session.ts'
import { api } from '../../../api.ts'
import { useRequest } from '../../../components/dialog/use-request.ts'
import { CompanyWay } from '../../../components/page/company-way.tsx'
import classes from '../../../components/page/entry.module.css'
import { Entry } from '../../../components/page/entry.tsx'
import { TextLink } from '../../../components/page/links.tsx'
import { LoadingRows, Trouble } from '../../../components/page/page.tsx'
import { sessionQuery } from '../../../session.ts'

/** Least length of a password, as on the server. */
const leastPassword = 10

export function SetUpPage() {
  return <LinkPage isRenewal={false} />
}

/** A link from an owner for somebody who already has an account. */
export function NewPasswordPage() {
  return <LinkPage isRenewal />
}

function LinkPage({ isRenewal }: { readonly isRenewal: boolean }) {
  const [token] = useState(() => location.hash.slice(1))
  const look = useQuery({
    queryKey: ['set-up', token],
    queryFn: () => api.post('/set-up/look', { token }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const foot = (
    <>
      {isRenewal ? 'Password already set?' : 'Already joined?'} <TextLink to="/sign-in">Sign in</TextLink>
    </>
  )
  return (
    <Entry title={titleOf(isRenewal, look.data?.workspace)} foot={foot}>
      {look.isPending && <LoadingRows rows={3} />}
      {look.isError && <Trouble error={look.error} />}
      {look.data !== undefined && <Joining {...{ token, isRenewal }} {...look.data} />}
    </Entry>
  )
}

function titleOf(isRenewal: boolean, workspace: string | undefined): string {
  if (isRenewal) return 'Set a new password'
  return workspace === undefined ? 'Your invitation' : `Join ${workspace}`
}

interface FormProps {
  readonly token: string
  readonly isRenewal: boolean
  readonly email: string
  readonly workspace: string
}

/** Joining by the company's own provider, by a password, or either. */
function Joining({ wayIn, ...form }: FormProps & { readonly wayIn: WayInView | null }) {
  if (wayIn === null) return <JoinForm {...form} />
  return (
    <>
      {wayIn.isRequired && (
        <p>
          For <strong>{form.email}</strong>. The link works once.
        </p>
      )}
      <CompanyWay way={wayIn} words={`Continue with ${wayIn.name}`} link={form.token} />
      {!wayIn.isRequired && (
        <>
          <Divider label="or with a password" my="lg" />
          <JoinForm {...form} />
        </>
      )}
    </>
  )
}

function useRedeeming(token: string) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { error, isPending, ask } = useRequest()
  const redeem = (password: string, isMember: boolean) =>
    ask(async () => {
      const session = await api.post('/set-up', { token, password, isMember })
      queries.clear()
      queries.setQueryData(sessionQuery.queryKey, session)
      await navigate({ to: '/', replace: true })
    })
  return { error, isPending, redeem }
}

/** The person says whether they have an account: the page does not know. */
function JoinForm({ token, isRenewal, email, workspace }: FormProps) {
  const { error, isPending, redeem } = useRedeeming(token)
  const [isMember, setMember] = useState(false)
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const isShort = !isMember && password !== '' && password.length < leastPassword
  const differs = !isMember && again !== '' && again !== password
  const isReady = isMember ? password !== '' : password.length >= leastPassword && again === password
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady) void redeem(password, isMember)
  }
  return (
    <form onSubmit={submit} className={classes.form}>
      <p>
        {isRenewal ? (
          <>
            For <strong>{email}</strong> in {workspace}. The link works once; it changes nothing in other workspaces.
          </>
        ) : (
          <>
            You are invited as <strong>{email}</strong>. The link works once.
          </>
        )}
      </p>
      <SegmentedControl
        fullWidth
        aria-label="Your account"
        value={isMember ? 'member' : 'new'}
        onChange={choice => setMember(choice === 'member')}
        data={[
          { value: 'new', label: isRenewal ? 'I forgot my password' : 'I am new here' },
          { value: 'member', label: isRenewal ? 'I know my password' : 'I have a password' },
        ]}
      />
      <input type="email" value={email} autoComplete="username" readOnly hidden />
      <PasswordInput
        key={isMember ? 'current' : 'new'}
        label={isMember ? 'Your password' : 'New password'}
        description={isMember ? 'For the account with this address' : `At least ${leastPassword} characters`}
        autoComplete={isMember ? 'current-password' : 'new-password'}
        required
        value={password}
        error={isShort ? `${password.length} of at least ${leastPassword} characters` : undefined}
        onChange={event => setPassword(event.currentTarget.value)}
      />
      {!isMember && (
        <PasswordInput
          label="Type it again"
          autoComplete="new-password"
          required
          value={again}
          error={differs ? 'The two passwords differ' : undefined}
          onChange={event => setAgain(event.currentTarget.value)}
        />
      )}
      {error !== null && <Trouble error={error} />}
      <Button type="submit" loading={isPending}>
        {isMember ? (isRenewal ? 'Sign in' : 'Join') : isRenewal ? 'Set the password' : 'Set the password and join'}
      </Button>
    </form>
  )
}
