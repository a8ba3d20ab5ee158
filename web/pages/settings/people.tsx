// The people of a workspace and their roles. An invitation is a one-time link that is shown once and sent by hand.
import { Button, Select, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Role } from '../../../src/http/console/wire/session.ts'
import type { Invited, PersonRow } from '../../../src/http/console/wire/settings.ts'
import { api } from '../../api.ts'
import { Confirm } from '../../components/confirm.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Ago, State } from '../../components/figures.tsx'
import { IconPlus } from '../../components/icons.tsx'
import { LoadingRows, Trouble } from '../../components/page.tsx'
import { ScrollX } from '../../components/scroll-x.tsx'
import { TableHead, unseen } from '../../components/table-head.tsx'
import { writeInstant } from '../../components/words.ts'
import { useWorkspace } from '../../session.ts'
import { AskForm } from './ask-form.tsx'
import { RowMenu } from './row-actions.tsx'
import classes from './settings.module.css'
import { Secret } from './shown-once.tsx'

const roleWords: Readonly<Record<Role, string>> = {
  owner: 'everything, people included',
  editor: 'series, formulas and keys',
  buyer: 'reads all, signs as buyer',
  supplier: 'sees and signs only its own formulas',
  viewer: 'reads all, changes nothing',
}
const roleChoices = (Object.keys(roleWords) as Role[]).map(role => ({
  value: role,
  label: `${role}: ${roleWords[role]}`,
}))

type Doing =
  | { readonly what: 'invite' }
  | { readonly what: 'invited'; readonly invited: Invited }
  | { readonly what: 'remove' | 'role'; readonly person: PersonRow }

export function People() {
  const { slug, path, canManage } = useWorkspace()
  const queries = useQueryClient()
  const [doing, setDoing] = useState<Doing | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: ['w', slug, 'people'],
    queryFn: ({ signal }) => api.get(path('/people'), signal),
  })
  const close = () => setDoing(null)
  const changed = () => queries.invalidateQueries({ queryKey: ['w', slug] })
  if (error !== null) return <Trouble error={error} retry={() => void refetch()} />
  if (data === undefined) return <LoadingRows rows={4} />
  return (
    <>
      <div className={classes.lead}>
        <p className="soft prose">
          {canManage
            ? 'Whoever is invited joins with a link that works once. A supplier sees only the formulas it is a party to.'
            : 'An owner of the workspace changes who is in it.'}
        </p>
        {canManage && (
          <Button leftSection={<IconPlus />} onClick={() => setDoing({ what: 'invite' })}>
            Invite
          </Button>
        )}
      </div>
      <PeopleTable people={data} canManage={canManage} setDoing={setDoing} />
      {doing?.what === 'invite' && (
        <Invite
          close={close}
          done={async invited => {
            await changed()
            setDoing({ what: 'invited', invited })
          }}
        />
      )}
      {doing?.what === 'invited' && <InvitedOnce invited={doing.invited} close={close} />}
      {doing?.what === 'role' && <ChangeRole person={doing.person} close={close} changed={changed} />}
      {doing?.what === 'remove' && (
        <Confirm
          title={`Take ${doing.person.name} out`}
          action="Take out"
          isDangerous
          run={async () => {
            await api.delete(path('/people/:id', { id: doing.person.id }))
            await changed()
          }}
          close={close}
        >
          <p>
            {doing.person.email} can no longer enter this workspace. What they signed and did stays as it is, with their
            name.
          </p>
        </Confirm>
      )}
    </>
  )
}

function PeopleTable({
  people,
  canManage,
  setDoing,
}: {
  readonly people: readonly PersonRow[]
  readonly canManage: boolean
  readonly setDoing: (doing: Doing) => void
}) {
  const { path } = useWorkspace()
  const renew = async (person: PersonRow) =>
    setDoing({ what: 'invited', invited: await api.post(path('/people/:id/link', { id: person.id }), {}) })
  return (
    <ScrollX label="People">
      <table className="ledger roomy">
        <TableHead columns={['Name', 'E-mail', 'Role', 'Last here', 'Invited', 'Joined', unseen('Actions')]} />
        <tbody>
          {people.map(person => (
            <tr key={person.id}>
              <td>
                {person.name} {person.isMe && <span className="soft">(you)</span>}
              </td>
              <td>{person.email}</td>
              <td>
                {person.role} <span className="soft">{roleWords[person.role]}</span>
              </td>
              <td>
                {!person.hasJoined ? (
                  <State kind="waiting">invited</State>
                ) : person.lastSeenAt === null ? (
                  <span className="soft">not yet</span>
                ) : (
                  <Ago at={person.lastSeenAt} />
                )}
              </td>
              <td>
                <Trace at={person.invitedAt} from={person.invitedFrom} by={person.invitedBy} />
              </td>
              <td>{person.joinedAt !== null && <Trace at={person.joinedAt} from={person.joinedFrom} by={null} />}</td>
              <td>
                {canManage && (
                  <RowMenu
                    label={`Change ${person.name}`}
                    items={[
                      ['Change the role', () => setDoing({ what: 'role', person })],
                      ...(person.hasJoined ? [] : [['New invitation link', () => void renew(person)] as const]),
                      ['Take out', () => setDoing({ what: 'remove', person })],
                    ]}
                  />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollX>
  )
}

interface TraceProps {
  readonly at: string
  readonly from: string | null
  readonly by: string | null
}

/** When, by whom and from where: what stands beside a signature when it is doubted. */
function Trace({ at, from, by }: TraceProps) {
  return (
    <span className={classes.trace}>
      <Ago at={at} />
      {by !== null && <span className="soft">by {by}</span>}
      {from !== null && <span className="soft">from {from}</span>}
    </span>
  )
}

function Invite({ close, done }: { readonly close: () => void; readonly done: (invited: Invited) => Promise<void> }) {
  const { path } = useWorkspace()
  const [question, setQuestion] = useState({ email: '', name: '', role: 'viewer' as Role })
  const invite = async () => {
    const name = question.name.trim() || question.email.split('@')[0]!
    await done(await api.post(path('/people'), { ...question, name }))
  }
  return (
    <Dialog onClose={close} title="Invite somebody">
      <AskForm action="Invite" run={invite}>
        <TextInput
          data-autofocus
          label="E-mail"
          type="email"
          required
          value={question.email}
          onChange={event => setQuestion({ ...question, email: event.currentTarget.value })}
        />
        <TextInput
          label="Name"
          description="As it will stand under a signature"
          maxLength={200}
          value={question.name}
          onChange={event => setQuestion({ ...question, name: event.currentTarget.value })}
        />
        <Select
          label="Role"
          data={roleChoices}
          value={question.role}
          allowDeselect={false}
          onChange={role => setQuestion({ ...question, role: (role ?? 'viewer') as Role })}
        />
      </AskForm>
    </Dialog>
  )
}

function InvitedOnce({ invited, close }: { readonly invited: Invited; readonly close: () => void }) {
  const { person, link, expiresAt } = invited
  return (
    <Dialog onClose={close} size="lg" title={`${person.name} is invited`}>
      <div className={classes.form}>
        {link === null ? (
          <p>{person.email} is in this workspace and needs no link.</p>
        ) : (
          <>
            <p>
              Send this link to {person.email}. It works once
              {expiresAt === null ? '' : `, until ${writeInstant(expiresAt)}`}, and is shown only now.
            </p>
            <Secret text={link} label="Copy the link" isMain testId="link" />
          </>
        )}
        <Button variant="default" onClick={close}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}

function ChangeRole({
  person,
  close,
  changed,
}: {
  readonly person: PersonRow
  readonly close: () => void
  readonly changed: () => Promise<void>
}) {
  const { path } = useWorkspace()
  const [role, setRole] = useState<Role>(person.role)
  return (
    <Confirm
      title={`The role of ${person.name}`}
      action="Change the role"
      run={async () => {
        await api.patch(path('/people/:id', { id: person.id }), { role })
        await changed()
      }}
      close={close}
    >
      <Select
        label="Role"
        data={roleChoices}
        value={role}
        allowDeselect={false}
        onChange={value => setRole((value ?? person.role) as Role)}
      />
    </Confirm>
  )
}
