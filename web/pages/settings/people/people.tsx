// The people in a workspace, their roles and parties. An invitation is a one-time link that is shown once and sent by hand.

import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Invited, PersonRow } from '../../../../src/views/shapes/settings.ts'
import { api } from '../../../api.ts'
import { FormDialog } from '../../../components/dialog/ask-form.tsx'
import { Ago, State } from '../../../components/figures/figures.tsx'
import { IconPlus } from '../../../components/page/icons.tsx'
import { LoadingRows, Trouble } from '../../../components/page/page.tsx'
import type { Columns } from '../../../components/table/column.ts'
import { DataTable } from '../../../components/table/data-table.tsx'
import { countOf } from '../../../components/words/words.ts'
import { useRead, useWorkspace } from '../../../session.ts'
import { RowMenu } from '../row-actions.tsx'
import classes from '../settings.module.css'
import { ChangePerson } from './change-person.tsx'
import { Invite, InvitedOnce } from './invite.tsx'
import { NewPassword } from './new-password.tsx'
import { roleWords } from './roles.ts'

type PersonDialog =
  | { readonly what: 'invite' }
  | { readonly what: 'invited'; readonly invited: Invited }
  | { readonly what: 'remove' | 'change' | 'password'; readonly person: PersonRow }

export function People() {
  const { slug, path, canManage } = useWorkspace()
  const queries = useQueryClient()
  const [doing, setDoing] = useState<PersonDialog | null>(null)
  const { data, error, refetch } = useRead('/people')
  const close = () => setDoing(null)
  const changed = () => queries.invalidateQueries({ queryKey: ['w', slug] })
  const show = async (invited: Invited) => {
    await changed()
    setDoing({ what: 'invited', invited })
  }
  if (error !== null) return <Trouble error={error} retry={() => void refetch()} />
  if (data === undefined) return <LoadingRows rows={4} />
  return (
    <>
      <div className={classes.lead}>
        <p className="soft prose">
          {canManage
            ? 'An invited person joins with a link that works once. A supplier sees only the agreements that name them or their party, and nothing if none does. You invite the first person of a party; once they have joined, its own people invite the others.'
            : 'An owner of the workspace manages its people.'}
        </p>
        {canManage && (
          <Button leftSection={<IconPlus />} onClick={() => setDoing({ what: 'invite' })}>
            Invite
          </Button>
        )}
      </div>
      <PeopleTable people={data} canManage={canManage} setDoing={setDoing} />
      {doing?.what === 'invite' && <Invite close={close} done={show} />}
      {doing?.what === 'invited' && <InvitedOnce invited={doing.invited} close={close} />}
      {doing?.what === 'change' && <ChangePerson person={doing.person} close={close} changed={changed} />}
      {doing?.what === 'password' && <NewPassword person={doing.person} close={close} done={show} />}
      {doing?.what === 'remove' && (
        <FormDialog
          title={`Remove ${doing.person.name}`}
          action="Remove"
          isDangerous
          run={async () => {
            await api.delete(path('/people/:id', { id: doing.person.id }))
            await changed()
          }}
          close={close}
        >
          <p>
            {doing.person.email} can no longer enter this workspace. Their keys, calendar addresses and invitation links
            stop working. Everything they signed and did stays as it is, with their name.
            {doing.person.party !== null && ` The people of ${doing.person.party.name} are notified.`}
          </p>
        </FormDialog>
      )}
    </>
  )
}

const personColumns: Columns<PersonRow> = [
  {
    head: 'Name',
    cell: ({ name, isMe }) => (
      <>
        {name} {isMe && <span className="soft">(you)</span>}
      </>
    ),
  },
  { head: 'E-mail', narrow: 'line', cell: ({ email }) => email },
  {
    head: 'Role',
    narrow: 'line',
    cell: person => (
      <>
        {person.role} <span className="soft">{roleWords[person.role]}</span>
        <Sees person={person} />
      </>
    ),
  },
  {
    head: 'Party',
    narrow: 'label',
    cell: ({ party, isOthers, waitsIn }) => (
      <>
        {party?.name ?? <span className="soft">none</span>}
        {isOthers && <span className={`${classes.sees} soft`}>admits its own people</span>}
        {waitsIn > 0 && (
          <span className={classes.sees}>
            <State kind="waiting">stands for nobody in {countOf(waitsIn, 'agreement')}</State>
            <span className="soft">
              {' '}
              which {waitsIn === 1 ? 'names' : 'name'} this address: {party?.name} let them in. Name the party there, or
              remove them and invite the address again, without a party.
            </span>
          </span>
        )}
      </>
    ),
  },
  {
    head: 'Last here',
    narrow: 'label',
    cell: ({ hasJoined, lastSeenAt }) =>
      !hasJoined ? (
        <State kind="waiting">invited</State>
      ) : lastSeenAt === null ? (
        <span className="soft">not yet</span>
      ) : (
        <Ago at={lastSeenAt} />
      ),
  },
  {
    head: 'Invited',
    narrow: 'label',
    cell: ({ invitedAt, invitedFrom, invitedBy }) => <Trace at={invitedAt} from={invitedFrom} by={invitedBy} />,
  },
  {
    head: 'Joined',
    narrow: 'label',
    cell: ({ joinedAt, joinedFrom }) => joinedAt !== null && <Trace at={joinedAt} from={joinedFrom} by={null} />,
  },
]

function PeopleTable({
  people,
  canManage,
  setDoing,
}: {
  readonly people: readonly PersonRow[]
  readonly canManage: boolean
  readonly setDoing: (doing: PersonDialog) => void
}) {
  const { path } = useWorkspace()
  const renew = async (person: PersonRow) =>
    setDoing({ what: 'invited', invited: await api.post(path('/people/:id/link', { id: person.id }), {}) })
  return (
    <DataTable
      label="People"
      isTall
      rows={people}
      keyOf={({ id }) => id}
      columns={personColumns}
      actions={
        canManage
          ? person => (
              <RowMenu
                label={`Change ${person.name}`}
                items={[
                  ['Role and party', () => setDoing({ what: 'change', person })],
                  ...(person.hasJoined ? [] : [['New invitation link', () => void renew(person)] as const]),
                  ...(person.hasJoined && !person.isMe
                    ? [['Link for a new password', () => setDoing({ what: 'password', person })] as const]
                    : []),
                  ['Remove', () => setDoing({ what: 'remove', person })],
                ]}
              />
            )
          : undefined
      }
    />
  )
}

function Sees({ person: { sees } }: { readonly person: PersonRow }) {
  if (sees === null) return null
  return (
    <span className={classes.sees}>
      {sees === 0 ? (
        <State kind="waiting">no agreement names them: sees nothing</State>
      ) : (
        <span className="soft">sees {countOf(sees, 'agreement')}</span>
      )}
    </span>
  )
}

interface TraceProps {
  readonly at: string
  readonly from: string | null
  readonly by: string | null
}

/** Trace of a signature: the time, the person and the address, which matter when it is questioned. */
function Trace({ at, from, by }: TraceProps) {
  return (
    <span className={classes.trace}>
      <Ago at={at} /> {by !== null && <span className="soft">by {by} </span>}
      {from !== null && <span className="soft">from {from}</span>}
    </span>
  )
}
