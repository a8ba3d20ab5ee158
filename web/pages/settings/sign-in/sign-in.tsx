// Sign-in of people: the identity provider of the workspace's own people and of each party, the values to enter there, and the
// people who keep a way in without it.
import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { IdentityProviderRow, IdentityProvidersPage, ProviderTest } from '../../../../src/views/shapes/settings.ts'
import { api } from '../../../api.ts'
import { FormDialog } from '../../../components/dialog/ask-form.tsx'
import { Dialog } from '../../../components/dialog/dialog.tsx'
import { State } from '../../../components/figures/figures.tsx'
import { CopyButton } from '../../../components/page/copy.tsx'
import { IconPlus } from '../../../components/page/icons.tsx'
import { Empty, LoadingRows, Section, Trouble } from '../../../components/page/page.tsx'
import { DataTable } from '../../../components/table/data-table.tsx'
import { useWorkspace } from '../../../session.ts'
import { RowMenu } from '../row-actions.tsx'
import classes from '../settings.module.css'
import { ProviderForm } from './provider-form.tsx'

type ProviderDialog =
  | { readonly what: 'set'; readonly provider: IdentityProviderRow | null }
  | { readonly what: 'remove'; readonly provider: IdentityProviderRow }
  | { readonly what: 'tested'; readonly name: string; readonly test: ProviderTest }

export function SignInSettings() {
  const { slug, path, canManage } = useWorkspace()
  const queries = useQueryClient()
  const [doing, setDoing] = useState<ProviderDialog | null>(null)
  const key = ['w', slug, 'identity-providers']
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.get(path('/identity-providers'), signal),
  })
  const close = () => setDoing(null)
  const changed = () => queries.invalidateQueries({ queryKey: ['w', slug] })
  if (error !== null) return <Trouble error={error} retry={() => void refetch()} />
  if (data === undefined) return <LoadingRows rows={4} />
  const test = async (provider: IdentityProviderRow) => {
    const found = await api
      .post(path('/identity-providers/:id/test', { id: provider.id }), {})
      .catch((failure: Error): ProviderTest => ({ isGood: false, sentence: failure.message }))
    setDoing({ what: 'tested', name: nameOf(data, provider), test: found })
  }
  return (
    <>
      <div className={classes.lead}>
        <p className="soft prose">
          People of a company sign in at its own identity provider, with OpenID Connect. A person who loses the account
          there can no longer sign in here.
          {canManage && ' Each party can have its own provider, and so can the people of no party.'}
        </p>
        <Button leftSection={<IconPlus />} onClick={() => setDoing({ what: 'set', provider: null })}>
          Set a provider
        </Button>
      </div>
      {data.providers.length === 0 ? (
        <Empty title="Everybody signs in by password">Set a provider to let people sign in at their company.</Empty>
      ) : (
        <ProviderTable page={data} setDoing={setDoing} test={provider => void test(provider)} />
      )}
      <Section title="Addresses to enter at the provider">
        <dl className={classes.facts}>
          <dt>Redirect address</dt>
          <dd className="mono">{data.redirectAddress}</dd>
          <dt>Back-channel logout</dt>
          <dd className="mono">{data.logoutAddress}</dd>
        </dl>
      </Section>
      {doing?.what === 'set' && (
        <ProviderForm
          page={data}
          provider={doing.provider}
          close={close}
          done={async page => {
            queries.setQueryData(key, page)
            await changed()
          }}
        />
      )}
      {doing?.what === 'remove' && (
        <FormDialog
          title={`Remove the provider of ${nameOf(data, doing.provider)}`}
          action="Remove the provider"
          isDangerous
          run={async () => {
            await api.delete(path('/identity-providers/:id', { id: doing.provider.id }))
            await changed()
          }}
          close={close}
        >
          <p>
            Everybody who signed in with it is signed out at once. People without a password need a new link, which you
            make {canManage ? 'under People' : 'in the list of people above'}.
          </p>
        </FormDialog>
      )}
      {doing?.what === 'tested' && (
        <Dialog onClose={close} title={`The provider of ${doing.name}`}>
          <State kind={doing.test.isGood ? 'good' : 'trouble'}>{doing.test.sentence}</State>
        </Dialog>
      )}
    </>
  )
}

function nameOf({ parties }: IdentityProvidersPage, { party, partyName }: IdentityProviderRow): string {
  return partyName ?? parties.find(each => each.party === party)?.name ?? 'the workspace'
}

interface TableProps {
  readonly page: IdentityProvidersPage
  readonly setDoing: (doing: ProviderDialog) => void
  readonly test: (provider: IdentityProviderRow) => void
}

function ProviderTable({ page, setDoing, test }: TableProps) {
  return (
    <DataTable
      label="Identity providers"
      rows={page.providers}
      keyOf={({ id }) => id}
      columns={[
        { head: 'People of', cell: provider => nameOf(page, provider) },
        { head: 'Provider', narrow: 'label', className: classes.subject!, cell: ({ issuer }) => issuer },
        { head: 'Password', narrow: 'label', cell: provider => <Passwords provider={provider} /> },
        { head: 'People who use it', narrow: 'label', cell: provider => <Linked provider={provider} /> },
        {
          head: 'Sign-in address',
          narrow: 'label',
          cell: ({ address }) => <CopyButton text={address} label="Copy the address" />,
        },
      ]}
      actions={provider => (
        <RowMenu
          label={`Change the provider of ${nameOf(page, provider)}`}
          items={[
            ['Test', () => test(provider)],
            ['Change', () => setDoing({ what: 'set', provider })],
            ['Remove', () => setDoing({ what: 'remove', provider })],
          ]}
        />
      )}
    />
  )
}

/** Passwords. A person who keeps one although nobody should is shown in red: it is the way around the company's own rules. */
function Passwords({ provider: { isRequired, except } }: { readonly provider: IdentityProviderRow }) {
  if (!isRequired) return 'possible'
  return (
    <span className={classes.trace}>
      <State kind="good">none</State>
      {except !== null && <State kind="trouble">{except} keeps one</State>}
    </span>
  )
}

function Linked({ provider: { linked, unlinked, isRequired } }: { readonly provider: IdentityProviderRow }) {
  if (unlinked.length === 0) return `${linked} of ${linked}`
  return (
    <span className={classes.trace}>
      <span>
        {linked} of {linked + unlinked.length}{' '}
      </span>
      {isRequired ? (
        <State kind="waiting">new link needed: {unlinked.join(', ')}</State>
      ) : (
        <span className="soft">not yet: {unlinked.join(', ')}</span>
      )}
    </span>
  )
}
