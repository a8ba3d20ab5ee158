// Page of the link at the end of an e-mail: the mail that it stops, and one button. Nobody has to sign in, and opening the page
// changes nothing, because programs open links too.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mailKindWords } from '../../../../src/core/people/mail-kinds.ts'
import { stopped } from '../../../../src/core/text/sentence-end.ts'
import type { UnsubscribeLook } from '../../../../src/views/shapes/session.ts'
import { api } from '../../../api.ts'
import { at } from '../../../calls.ts'
import { useRequest } from '../../../components/dialog/use-request.ts'
import classes from '../../../components/page/entry.module.css'
import { Entry } from '../../../components/page/entry.tsx'
import { TextLink } from '../../../components/page/links.tsx'
import { LoadingRows, Trouble } from '../../../components/page/page.tsx'

export function UnsubscribePage() {
  const [token] = useState(() => new URLSearchParams(location.search).get('t') ?? '')
  const look = useQuery({
    queryKey: ['unsubscribe', token],
    queryFn: () => api.post('/unsubscribe/look', { token }),
    retry: false,
  })
  const foot = (
    <>
      Other choices are under <TextLink to="/">Settings, Notifications</TextLink>
    </>
  )
  return (
    <Entry title="Mail you no longer want" foot={foot}>
      {look.isPending && <LoadingRows rows={2} />}
      {look.isError && <Trouble error={look.error} />}
      {look.data !== undefined && <Stop token={token} look={look.data} done={() => void look.refetch()} />}
    </Entry>
  )
}

interface StopProps {
  readonly token: string
  readonly look: UnsubscribeLook
  readonly done: () => void
}

function Stop({ token, look: { email, workspace, kind, isOff }, done }: StopProps) {
  const { error, isPending, ask } = useRequest()
  const stop = async () => {
    if (await ask(() => api.post(at('/unsubscribe', { t: token }), {}))) done()
  }
  const what = kind === 'all' ? 'mail' : `mail about “${mailKindWords[kind].title}”`
  if (isOff)
    return (
      <p aria-live="polite">
        {email} gets no more {what} from {stopped(workspace)}
      </p>
    )
  return (
    <div className={classes.form}>
      <p>
        {email} gets {what} from {stopped(workspace)}
      </p>
      {error !== null && <Trouble error={error} />}
      <Button loading={isPending} onClick={() => void stop()}>
        Stop sending it
      </Button>
    </div>
  )
}
