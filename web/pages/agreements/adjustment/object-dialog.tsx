// Dialog of an objection to the shown number: the fault, the reason, and optionally another reading of the clause. The number
// does not change; both sides see that it is disputed.

import { Select, Textarea } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdjustmentPage, Party } from '../../../../src/views/shapes/agreements.ts'
import type { ReadingChoice } from '../../../../src/views/shapes/objections.ts'
import { api } from '../../../api.ts'
import { subjectChoices } from '../../../components/agreements/objection-words.ts'
import { adjustmentQuery } from '../../../components/agreements/queries.ts'
import { FormDialog } from '../../../components/dialog/ask-form.tsx'
import { Trouble } from '../../../components/page/page.tsx'
import { textBounds } from '../../../components/words/text-bounds.ts'
import { formatHash, formatMoney, formatPct } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'

interface ObjectDialogProps {
  readonly page: AdjustmentPage
  readonly party: Party
  readonly close: () => void
}

export function ObjectDialog({ page, party, close }: ObjectDialogProps) {
  const { agreement, entry } = page
  const workspace = useWorkspace()
  const queries = useQueryClient()
  const [subject, setSubject] = useState('number')
  const [reason, setReason] = useState('')
  const [reading, setReading] = useState<string | null>(null)
  const groups = subjectChoices(page)
  const place = { slug: agreement.slug, period: entry.period }
  const object = async () => {
    const { about } = groups.flatMap(({ items }) => items).find(({ value }) => value === subject)!
    const question = { hash: entry.hash, about, reason, reading }
    const after = await api.post(workspace.path('/agreements/:slug/periods/:period/objections', place), question)
    queries.setQueryData(adjustmentQuery(workspace, agreement.slug, entry.period).queryKey, after)
    void queries.invalidateQueries({ queryKey: ['w', workspace.slug] })
  }
  return (
    <FormDialog
      title={`Object to ${entry.period} as ${party}`}
      size={560}
      action="Object"
      isReady={reason.trim() !== ''}
      run={object}
      close={close}
    >
      <p>
        You object to {formatPct(entry.step.changePct)}
        {entry.price !== null && `, ${formatMoney(entry.price, agreement.price?.currency)}`}{' '}
        <span className="mono soft">({formatHash(entry.hash)})</span>. The period is disputed until you withdraw,
        another number is proposed, or you sign this one after all.
      </p>
      <Select
        label="What is wrong"
        data={groups.map(({ group, items }) => ({
          group,
          items: items.map(({ value, label }) => ({ value, label })),
        }))}
        value={subject}
        allowDeselect={false}
        searchable
        onChange={value => setSubject(value ?? 'number')}
      />
      <Textarea
        label="Why"
        data-autofocus
        required
        autosize
        minRows={3}
        maxLength={textBounds.words}
        value={reason}
        onChange={event => setReason(event.currentTarget.value)}
      />
      <Readings page={page} value={reading} onChange={setReading} />
    </FormDialog>
  )
}

interface ReadingsProps {
  readonly page: AdjustmentPage
  readonly value: string | null
  readonly onChange: (id: string | null) => void
}

function Readings({ page: { agreement, entry }, value, onChange }: ReadingsProps) {
  const { slug: ws, path } = useWorkspace()
  const place = { slug: agreement.slug, period: entry.period }
  const {
    data = [],
    error,
    isPending,
  } = useQuery({
    queryKey: ['w', ws, 'agreements', agreement.slug, 'readings', entry.hash],
    queryFn: ({ signal }) => api.get(path('/agreements/:slug/periods/:period/readings', place), signal),
  })
  const tell = ({ title, adjustmentPct, price }: ReadingChoice) =>
    `${title}: ${formatPct(adjustmentPct)}${price === null ? '' : `, ${formatMoney(price, agreement.price?.currency)}`}`
  if (error !== null) return <Trouble error={error} />
  return (
    <Select
      label="Your reading of the clause"
      description={data.find(({ id }) => id === value)?.words ?? 'Attached with its number, if you choose one'}
      placeholder={isPending ? 'Computing the readings' : 'None'}
      disabled={isPending}
      clearable
      data={data.map(choice => ({ value: choice.id, label: tell(choice) }))}
      value={value}
      onChange={onChange}
    />
  )
}
