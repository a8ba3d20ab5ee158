// Parties: the companies that agreements name as buyer or supplier, with the people of each.

import { Button, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ownSlug } from '../../../../src/core/billing/party-fields.ts'
import { formatDate } from '../../../../src/core/text/words.ts'
import type { PartyRow } from '../../../../src/views/shapes/parties.ts'
import { api } from '../../../api.ts'
import { BillingDialog } from '../../../components/billing/billing-form.tsx'
import { FormDialog } from '../../../components/dialog/ask-form.tsx'
import { State } from '../../../components/figures/figures.tsx'
import { useParties } from '../../../components/inputs/use-parties.ts'
import { IconPlus } from '../../../components/page/icons.tsx'
import { TextLink } from '../../../components/page/links.tsx'
import { Empty, LoadingRows, Trouble } from '../../../components/page/page.tsx'
import { DataTable } from '../../../components/table/data-table.tsx'
import { textBounds } from '../../../components/words/text-bounds.ts'
import { countOf } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import { RowAction } from '../row-actions.tsx'
import classes from '../settings.module.css'
import { NewParty } from './new-party.tsx'

type PartyDialog =
  | { readonly what: 'add' }
  | { readonly what: 'rename'; readonly party: PartyRow }
  | { readonly what: 'billing'; readonly party: Pick<PartyRow, 'slug' | 'name'> }

export function Parties() {
  const { slug, name, canEdit } = useWorkspace()
  const queries = useQueryClient()
  const [doing, setDoing] = useState<PartyDialog | null>(null)
  const { data, error, refetch } = useParties()
  const close = () => setDoing(null)
  if (error !== null) return <Trouble error={error} retry={() => void refetch()} />
  if (data === undefined) return <LoadingRows rows={4} />
  return (
    <>
      <div className={classes.lead}>
        <p className="soft prose">
          A party is a company. Its people see and sign the agreements that name it, and a supplier sees no others. No
          supplier sees an agreement that names no supplier. Owners invite the first person of a party; from then on its
          own people say who belongs to it, and confirm the list.
        </p>
        <div className={classes.line}>
          <Button variant="default" onClick={() => setDoing({ what: 'billing', party: { slug: ownSlug, name } })}>
            Your own billing details
          </Button>
          {canEdit && (
            <Button leftSection={<IconPlus />} onClick={() => setDoing({ what: 'add' })}>
              Add a party
            </Button>
          )}
        </div>
      </div>
      <PartyTable
        parties={data}
        rename={canEdit ? party => setDoing({ what: 'rename', party }) : null}
        bill={party => setDoing({ what: 'billing', party })}
      />
      {doing?.what === 'add' && <NewParty close={close} made={close} />}
      {doing?.what === 'billing' && <BillingDialog party={doing.party} close={close} />}
      {doing?.what === 'rename' && (
        <Rename
          party={doing.party}
          close={close}
          changed={() => queries.invalidateQueries({ queryKey: ['w', slug] })}
        />
      )}
    </>
  )
}

interface PartyTableProps {
  readonly parties: readonly PartyRow[]
  readonly rename: ((party: PartyRow) => void) | null
  readonly bill: (party: PartyRow) => void
}

function PartyTable({ parties, rename, bill }: PartyTableProps) {
  return (
    <DataTable
      label="Parties"
      rows={parties}
      keyOf={({ slug }) => slug}
      empty={
        <Empty title="No parties yet">
          Add the companies you buy from. An agreement can also name people by their e-mail addresses.
        </Empty>
      }
      columns={[
        { head: 'Name', cell: ({ name }) => name },
        { head: 'Slug', narrow: 'line', className: 'mono', cell: ({ slug }) => slug },
        {
          head: 'People',
          narrow: 'label',
          cell: ({ people, waiting }) => (
            <>
              {people.length === 0 ? <State kind="waiting">nobody: nobody can sign for it</State> : people.join(', ')}
              {waiting.length > 0 && (
                <p className="soft">
                  Agreements name {waiting.join(', ')}. Such an address stands for nobody until an owner invites it
                  without a party, or the document names this party.
                </p>
              )}
            </>
          ),
        },
        { head: 'List of people', narrow: 'label', cell: party => <ListState party={party} /> },
        {
          head: 'Billing details',
          narrow: 'label',
          cell: party => (
            <Button
              variant="subtle"
              size="compact-sm"
              aria-label={`${party.hasBilling ? 'Billing details' : 'No billing details'} of ${party.name}`}
              onClick={() => bill(party)}
            >
              {party.hasBilling ? 'Billing details' : 'No billing details'}
            </Button>
          ),
        },
        { head: 'Agreements', narrow: 'line', cell: party => <Agreements party={party} /> },
      ]}
      actions={
        rename !== null
          ? party => <RowAction words="Rename" label={`Rename ${party.name}`} run={() => rename(party)} />
          : undefined
      }
    />
  )
}

/** Whether the company itself has said who its people are. */
function ListState({ party: { isOwn, confirmed } }: { readonly party: PartyRow }) {
  if (!isOwn) return <span className="soft">nobody has joined</span>
  if (confirmed === null) return <State kind="waiting">not confirmed by the company</State>
  const words = `${formatDate(confirmed.at)} by ${confirmed.by}`
  return confirmed.isCurrent ? (
    <State kind="good">confirmed {words}</State>
  ) : (
    <State kind="waiting">changed since {words}</State>
  )
}

function Agreements({ party: { slug, agreements } }: { readonly party: PartyRow }) {
  const { slug: ws } = useWorkspace()
  const { buyer, supplier } = agreements
  if (buyer + supplier === 0) return <span className="soft">none</span>
  return (
    <>
      {supplier > 0 && (
        <TextLink to="/w/$ws/agreements" params={{ ws }} search={{ supplier: slug }}>
          {countOf(supplier, 'agreement')} as supplier
        </TextLink>
      )}
      {supplier > 0 && buyer > 0 && ', '}
      {buyer > 0 && `${countOf(buyer, 'agreement')} as buyer`}
    </>
  )
}

function Rename({
  party,
  close,
  changed,
}: {
  readonly party: PartyRow
  readonly close: () => void
  readonly changed: () => Promise<void>
}) {
  const { path } = useWorkspace()
  const [name, setName] = useState(party.name)
  return (
    <FormDialog
      title={`Rename ${party.name}`}
      action="Rename"
      run={async () => {
        await api.patch(path('/parties/:slug', { slug: party.slug }), { name })
        await changed()
      }}
      close={close}
    >
      <TextInput
        data-autofocus
        label="Name of the company"
        description="Earlier signatures keep the earlier name"
        maxLength={textBounds.name}
        value={name}
        onChange={event => setName(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
