// The company a person belongs to here: its people, the list of them that it confirms itself, and the events about them. Its
// people look after it from here; the workspace's owners do not.

import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { formatDate } from '../../../../src/core/text/words.ts'
import type { CompanyPage, CompanyPerson, CompanyView } from '../../../../src/views/shapes/company.ts'
import type { Invited } from '../../../../src/views/shapes/settings.ts'
import { api } from '../../../api.ts'
import { BillingDialog } from '../../../components/billing/billing-form.tsx'
import { FormDialog } from '../../../components/dialog/ask-form.tsx'
import { Ago, State } from '../../../components/figures/figures.tsx'
import { IconPlus } from '../../../components/page/icons.tsx'
import { Empty, LoadingRows, Section, Trouble } from '../../../components/page/page.tsx'
import { DataTable } from '../../../components/table/data-table.tsx'
import { countOf, formatHash } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import { Invite, InvitedOnce } from '../people/invite.tsx'
import { NewsRows, PeopleNewsList } from '../people-news.tsx'
import { RowMenu } from '../row-actions.tsx'
import settings from '../settings.module.css'
import classes from './company.module.css'
import { ConfirmPeople } from './confirm-people.tsx'

type CompanyDialog =
  | { readonly what: 'invite' | 'confirm' | 'billing' }
  | { readonly what: 'invited'; readonly invited: Invited }
  | { readonly what: 'remove' | 'password'; readonly person: CompanyPerson }

function companyKey(slug: string) {
  return ['w', slug, 'company'] as const
}

/** Owners have it as a part of the settings of its own. */
const SignInSettings = lazy(async () => ({ default: (await import('../sign-in/sign-in.tsx')).SignInSettings }))

export function Company() {
  const { slug, path, canManage } = useWorkspace()
  const { data, error, refetch } = useQuery({
    queryKey: companyKey(slug),
    queryFn: ({ signal }) => api.get(path('/company'), signal),
  })
  if (error !== null) return <Trouble error={error} retry={() => void refetch()} />
  if (data === undefined) return <LoadingRows rows={4} />
  return (
    <>
      <PeopleNewsList page={data} />
      {data.company === null ? (
        <Empty title="You belong to no company here">
          People of a company sign for it and look after its people themselves. An owner of the workspace invites the
          first person of a company.
        </Empty>
      ) : (
        <OwnCompany company={data.company} />
      )}
      {data.company?.isAdministrator === true && !canManage && (
        <Section title={`How people of ${data.company.name} sign in`}>
          <Suspense fallback={<LoadingRows rows={2} />}>
            <SignInSettings />
          </Suspense>
        </Section>
      )}
      <History page={data} />
    </>
  )
}

function OwnCompany({ company }: { readonly company: CompanyView }) {
  const { slug: ws, path } = useWorkspace()
  const queries = useQueryClient()
  const [doing, setDoing] = useState<CompanyDialog | null>(null)
  const close = () => setDoing(null)
  const changed = () => queries.invalidateQueries({ queryKey: ['w', ws] })
  const show = async (invited: Invited) => {
    await changed()
    setDoing({ what: 'invited', invited })
  }
  return (
    <>
      <div className={settings.lead}>
        <div className={classes.head}>
          <h2>{company.name}</h2>
          <Confirmed company={company} />
          <p className="soft prose">
            Only people of {company.name} who have joined let others in. Everybody in the list is notified when somebody
            is invited, joins, or gets a new password or passkey.
          </p>
        </div>
        <div className={settings.line}>
          <Button variant="default" onClick={() => setDoing({ what: 'billing' })}>
            Billing details
          </Button>
          <Button leftSection={<IconPlus />} onClick={() => setDoing({ what: 'invite' })}>
            Invite
          </Button>
        </div>
      </div>
      <PeopleOf company={company} setDoing={setDoing} show={show} />
      <Offer company={company} confirm={() => setDoing({ what: 'confirm' })} />
      {doing?.what === 'invite' && <Invite close={close} done={show} company={company} />}
      {doing?.what === 'invited' && <InvitedOnce invited={doing.invited} close={close} />}
      {doing?.what === 'billing' && <BillingDialog party={company} close={close} />}
      {doing?.what === 'confirm' && <ConfirmPeople company={company} close={close} />}
      {doing?.what === 'password' && (
        <FormDialog
          title={`A new password for ${doing.person.name}`}
          action="Make the link"
          run={async () => {
            await show(await api.post(path('/people/:id/password-link', { id: doing.person.id }), {}))
          }}
          close={() => setDoing(now => (now?.what === 'invited' ? now : null))}
        >
          <p>
            With the link {doing.person.email} sets a new password, or enters the old one. Until then they cannot enter
            this workspace. Their later signatures are shown with a note that the link was made, and by whom.
          </p>
        </FormDialog>
      )}
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
          <p>{doing.person.email} can no longer enter this workspace. Their signatures stay as they are.</p>
        </FormDialog>
      )}
    </>
  )
}

function Confirmed({ company: { confirmed, name } }: { readonly company: CompanyView }) {
  if (confirmed === null) return <State kind="waiting">{name} has not confirmed who its people are</State>
  const { by, at, hash, isCurrent } = confirmed
  return (
    <p className={classes.state}>
      {isCurrent ? (
        <State kind="good">
          confirmed by {by} on {formatDate(at)}
        </State>
      ) : (
        <State kind="waiting">
          changed since {by} confirmed it on {formatDate(at)}
        </State>
      )}{' '}
      <span className="soft mono" title={hash}>
        {formatHash(hash)}
      </span>
    </p>
  )
}

function Offer({ company, confirm }: { readonly company: CompanyView; readonly confirm: () => void }) {
  const { confirmed, isAdministrator, people } = company
  if (confirmed?.isCurrent === true) return null
  const administrators = people.filter(each => each.isAdministrator).map(({ name }) => name)
  return (
    <div className={classes.offer}>
      <p className="prose">
        {confirmed === null
          ? 'Somebody outside your company invited its first person. Confirm that the list is right: receipts then say so beside every signature.'
          : 'The list has changed since it was confirmed. Confirm it again, so that receipts name the current list.'}
      </p>
      {isAdministrator ? (
        <Button variant="default" onClick={confirm}>
          Confirm {people.length === 1 ? 'this person' : `these ${people.length} people`}
        </Button>
      ) : (
        <p className="soft">{administrators.join(', ')} can do that.</p>
      )}
    </div>
  )
}

interface PeopleOfProps {
  readonly company: CompanyView
  readonly setDoing: (doing: CompanyDialog) => void
  readonly show: (invited: Invited) => Promise<void>
}

function PeopleOf({ company: { people, isAdministrator }, setDoing, show }: PeopleOfProps) {
  const { slug, path } = useWorkspace()
  const queries = useQueryClient()
  const renew = async ({ id }: CompanyPerson) => show(await api.post(path('/people/:id/link', { id }), {}))
  const name = async ({ id, isAdministrator: isOne }: CompanyPerson) => {
    const after = await api.post(path('/company/administrators'), { id, isOne: !isOne })
    queries.setQueryData(companyKey(slug), after)
  }
  const itemsOf = (person: CompanyPerson) => [
    ...(person.joinedAt === null ? [['New invitation link', () => void renew(person)] as const] : []),
    ...(person.joinedAt !== null && !person.isMe
      ? [['Link for a new password', () => setDoing({ what: 'password', person })] as const]
      : []),
    ...(isAdministrator && person.joinedAt !== null && !person.isMe
      ? [
          [
            person.isAdministrator ? 'No longer an administrator' : 'Make an administrator',
            () => void name(person),
          ] as const,
        ]
      : []),
    ...(isAdministrator && !person.isMe ? [['Remove', () => setDoing({ what: 'remove', person })] as const] : []),
  ]
  return (
    <DataTable
      label="People of your company"
      rows={people}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Name',
          cell: ({ name, isMe, isAdministrator: isOne }) => (
            <>
              {name} {isMe && <span className="soft">(you)</span>}
              {isOne && <span className="soft"> administrator</span>}
            </>
          ),
        },
        { head: 'E-mail', narrow: 'line', cell: ({ email }) => email },
        {
          head: 'Joined',
          cell: ({ joinedAt }) => (joinedAt === null ? <State kind="waiting">invited</State> : <Ago at={joinedAt} />),
        },
      ]}
      actions={person =>
        itemsOf(person).length > 0 && <RowMenu label={`Change ${person.name}`} items={itemsOf(person)} />
      }
    />
  )
}

function History({ page: { history, company } }: { readonly page: CompanyPage }) {
  if (history.length === 0) return null
  return (
    <Section title="Activity">
      <p className="soft">
        {company === null ? 'About you' : `About the people of ${company.name}`},{' '}
        {countOf(history.length, 'entry', 'entries')}, the newest first.
      </p>
      <NewsRows rows={history} />
    </Section>
  )
}
