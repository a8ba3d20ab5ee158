// Your sign-in: the ways a person signs in, their sessions and the buttons that end them remotely, and a new password.

import { Button, PasswordInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDate } from '../../../src/core/text/words.ts'
import { api } from '../../api.ts'
import { at } from '../../calls.ts'
import { AskForm } from '../../components/dialog/ask-form.tsx'
import { Ago, State } from '../../components/figures/figures.tsx'
import { LoadingRows, Section, Trouble } from '../../components/page/page.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import { useSession } from '../../session.ts'
import { Factors } from './factors/factors.tsx'
import { RowAction } from './row-actions.tsx'

export function Sessions() {
  const session = useSession()
  return (
    <>
      <Factors />
      <SignedIn />
      <Section title="Password">
        {session?.isByProvider === true ? (
          <p className="soft">You sign in by your company’s identity provider, and have no password here.</p>
        ) : (
          <Password />
        )}
      </Section>
    </>
  )
}

function SignedIn() {
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => api.get('/sessions', signal),
  })
  const [failure, setFailure] = useState<unknown>(null)
  const end = async (ending: Promise<undefined>) => {
    setFailure(null)
    await ending.catch(setFailure)
    await queries.invalidateQueries({ queryKey: ['sessions'] })
  }
  const others = data?.filter(({ isThis }) => !isThis).length ?? 0
  return (
    <Section
      title="Signed in"
      actions={
        others > 0 && (
          <Button variant="default" size="xs" onClick={() => void end(api.delete('/sessions'))}>
            End all others
          </Button>
        )
      }
    >
      {error !== null && <Trouble error={error} retry={() => void refetch()} />}
      {failure !== null && <Trouble error={failure} />}
      {data === undefined && error === null && <LoadingRows rows={3} />}
      {data !== undefined && (
        <DataTable
          label="Sessions"
          rows={data}
          keyOf={({ id }) => id}
          columns={[
            {
              head: 'Browser',
              cell: ({ userAgent, isThis }) => (
                <>
                  {browserOf(userAgent)} {isThis && <State kind="good">this one</State>}
                </>
              ),
            },
            { head: 'From', narrow: 'label', className: 'mono', cell: ({ fromAddress }) => fromAddress },
            { head: 'Since', narrow: 'label', className: 'figures', cell: ({ createdAt }) => formatDate(createdAt) },
            { head: 'Last seen', cell: ({ lastSeenAt }) => <Ago at={lastSeenAt} /> },
          ]}
          actions={({ id, isThis, userAgent }) =>
            !isThis && (
              <RowAction
                words="End"
                label={`End the session of ${browserOf(userAgent)}`}
                run={() => void end(api.delete(at('/sessions/:id', { id })))}
              />
            )
          }
        />
      )}
    </Section>
  )
}

function Password() {
  const [entered, setEntered] = useState({ current: '', next: '' })
  const change = async () => {
    await api.post('/password', entered)
    setEntered({ current: '', next: '' })
  }
  return (
    <AskForm action="Change the password" run={change} doneWords="changed">
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        required
        value={entered.current}
        onChange={event => setEntered({ ...entered, current: event.currentTarget.value })}
      />
      <PasswordInput
        label="New password"
        description="At least 10 characters. All other sessions end."
        autoComplete="new-password"
        required
        minLength={10}
        value={entered.next}
        onChange={event => setEntered({ ...entered, next: event.currentTarget.value })}
      />
    </AskForm>
  )
}

/** A familiar browser name, from the user agent. */
function browserOf(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown browser'
  const name =
    [
      ['Edg/', 'Edge'],
      ['Firefox/', 'Firefox'],
      ['Chrome/', 'Chrome'],
      ['Safari/', 'Safari'],
    ].find(([sign]) => userAgent.includes(sign!))?.[1] ?? userAgent.slice(0, 40)
  const system = ['Windows', 'Mac OS X', 'Android', 'iPhone', 'Linux'].find(each => userAgent.includes(each))
  return system === undefined ? name : `${name} on ${system.replace('Mac OS X', 'macOS')}`
}
