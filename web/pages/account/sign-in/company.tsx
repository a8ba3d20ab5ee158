// Way in of a company: by the address it gave its people, or as this browser used it before. Without one it is asked for; the
// list of companies is told to nobody.
import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { api } from '../../../api.ts'
import { CompanyWay, forgetWayIn } from '../../../components/page/company-way.tsx'
import classes from '../../../components/page/entry.module.css'
import { LoadingRows, Trouble } from '../../../components/page/page.tsx'

interface CompanySignInProps {
  readonly wayIn: string
  readonly returnTo: string | undefined
  /** Goes back to sign-in by password. */
  readonly leave: () => void
}

export function CompanySignIn({ wayIn, returnTo, leave }: CompanySignInProps) {
  const look = useQuery({
    queryKey: ['way-in', wayIn],
    queryFn: () => api.post('/sso/look', { wayIn }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const other = () => {
    forgetWayIn()
    leave()
  }
  return (
    <>
      {look.isPending && <LoadingRows rows={2} />}
      {look.isError && <Trouble error={look.error} />}
      {look.data !== undefined && (
        <CompanyWay way={look.data} words={`Continue with ${look.data.name}`} returnTo={returnTo} />
      )}
      <div className={classes.ways}>
        <Button variant="subtle" size="compact-sm" onClick={other}>
          Sign in another way
        </Button>
      </div>
    </>
  )
}

/** Takes the address as it was given, or its end. */
function wayInOf(text: string): string {
  return /[?&]by=([0-9a-z]+)/.exec(text)?.[1] ?? text.trim()
}

export function AskForCompany({ go, leave }: { readonly go: () => void; readonly leave: () => void }) {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void navigate({ to: '/sign-in', search: before => ({ ...before, by: wayInOf(text) }) })
    go()
  }
  return (
    <form onSubmit={submit} className={classes.form}>
      <TextInput
        label="Your company’s address for signing in"
        description="It is in your invitation; the administrators of your company on Assize have it too"
        placeholder={`${location.origin}/sign-in?by=…`}
        required
        autoFocus
        value={text}
        onChange={event => setText(event.currentTarget.value)}
      />
      <Button type="submit" disabled={text.trim() === ''}>
        Continue
      </Button>
      <div className={classes.ways}>
        <Button variant="subtle" size="compact-sm" onClick={leave}>
          Sign in another way
        </Button>
      </div>
    </form>
  )
}
