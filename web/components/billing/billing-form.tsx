// Billing details of a company as a form in a dialog: its own people fill it in, others read it.
import { Select, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  detailProblems,
  longestDetail,
  type PartyField,
  type PartyTexts,
  partyFields,
} from '../../../src/core/billing/party-fields.ts'
import type { PartyBilling } from '../../../src/views/shapes/billing.ts'
import { api } from '../../api.ts'
import { useWorkspace } from '../../session.ts'
import { AskForm } from '../dialog/ask-form.tsx'
import { Dialog } from '../dialog/dialog.tsx'
import { Facts } from '../page/facts.tsx'
import { LoadingRows, Trouble } from '../page/page.tsx'
import { formatInstant } from '../words/words.ts'
import classes from './billing-form.module.css'

const groups = [
  ['address', 'Name and address'],
  ['identity', 'Identifiers'],
  ['receiving', 'How documents arrive'],
  ['contact', 'Contact'],
  ['payment', 'As a supplier: payment'],
  ['tax', 'As a supplier: tax'],
] as const

interface BillingDialogProps {
  readonly party: { readonly slug: string; readonly name: string }
  readonly close: () => void
}

export function BillingDialog({ party, close }: BillingDialogProps) {
  const { slug: ws, path } = useWorkspace()
  const { data, error, refetch } = useQuery({
    queryKey: ['w', ws, 'billing', party.slug],
    queryFn: ({ signal }) => api.get(path('/parties/:slug/billing', { slug: party.slug }), signal),
  })
  return (
    <Dialog onClose={close} title={`Billing details of ${party.name}`} size={760}>
      {error !== null ? (
        <Trouble error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingRows rows={6} />
      ) : data.whyNot === null ? (
        <BillingForm key={data.changed?.at} billing={data} close={close} />
      ) : (
        <Read billing={data} />
      )}
    </Dialog>
  )
}

function Changed({ billing: { changed } }: { readonly billing: PartyBilling }) {
  if (changed === null) return null
  return (
    <p className="soft">
      Changed {formatInstant(changed.at)} by {changed.by}.
    </p>
  )
}

function Read({ billing }: { readonly billing: PartyBilling }) {
  const facts = partyFields.flatMap(({ key, label }) => {
    const value = billing.details[key]
    return value === undefined ? [] : [{ label, value }]
  })
  return (
    <>
      <p className="soft">{billing.whyNot}.</p>
      {facts.length === 0 ? <p>No billing details are saved yet.</p> : <Facts isSmall facts={facts} />}
      <Changed billing={billing} />
    </>
  )
}

function BillingForm({ billing, close }: { readonly billing: PartyBilling; readonly close: () => void }) {
  const { slug: ws, path } = useWorkspace()
  const queries = useQueryClient()
  const [details, setDetails] = useState<PartyTexts>(billing.details)
  const save = async () => {
    await api.post(path('/parties/:slug/billing', { slug: billing.slug }), { details })
    await queries.invalidateQueries({ queryKey: ['w', ws] })
    close()
  }
  return (
    <AskForm action="Save the details" run={save} cancel={close}>
      <p className="soft">
        Credit and debit notes use these details, so that no file is needed. Both sides of an agreement see them on its
        notes.
      </p>
      {groups.map(([group, title]) => (
        <fieldset key={group} className={classes.group}>
          <legend>{title}</legend>
          {partyFields
            .filter(field => field.group === group)
            .map(field => (
              <Field
                key={field.key}
                field={field}
                value={details[field.key] ?? ''}
                kept={billing.details[field.key] ?? ''}
                change={value => setDetails(now => ({ ...now, [field.key]: value }))}
              />
            ))}
        </fieldset>
      ))}
      <Changed billing={billing} />
    </AskForm>
  )
}

interface FieldProps {
  readonly field: PartyField
  readonly value: string
  readonly kept: string
  readonly change: (value: string) => void
}

function Field({ field, value, kept, change }: FieldProps) {
  const { key, label, help, choices } = field
  const text = value.trim()
  // A kept text stays, whatever was erased in it.
  const wrong = text === '' || text === kept ? [] : detailProblems({ [key]: text }, null)
  if (choices !== undefined)
    return (
      <Select
        label={label}
        placeholder="Not given"
        clearable
        data={choices.map(([code, words]) => ({ value: code, label: words }))}
        value={value === '' ? null : value}
        onChange={code => change(code ?? '')}
      />
    )
  return (
    <TextInput
      label={label}
      description={help.charAt(0).toUpperCase() + help.slice(1)}
      maxLength={longestDetail}
      autoComplete="off"
      value={value}
      error={wrong.length > 0 ? `Must be ${help}` : undefined}
      onChange={event => change(event.currentTarget.value)}
    />
  )
}
