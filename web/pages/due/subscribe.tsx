// A calendar feed: its address for a phone or a calendar program, made here, shown once, and ended here.

import { Anchor, Select, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDate } from '../../../src/core/text/words.ts'
import type { FeedContent, FeedRow, IssuedFeed } from '../../../src/views/shapes/settings.ts'
import { api } from '../../api.ts'
import { AskForm } from '../../components/dialog/ask-form.tsx'
import { Dialog } from '../../components/dialog/dialog.tsx'
import { Secret, ShownOnce } from '../../components/dialog/one-time-secret.tsx'
import { useRequest } from '../../components/dialog/use-request.ts'
import { Ago } from '../../components/figures/figures.tsx'
import { Trouble } from '../../components/page/page.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import { textBounds } from '../../components/words/text-bounds.ts'
import { useWorkspace } from '../../session.ts'

const contents: readonly { readonly value: FeedContent; readonly label: string }[] = [
  { value: 'ALL', label: 'Releases and adjustment dates' },
  { value: 'RELEASES', label: 'Releases alone' },
  { value: 'DATES', label: 'Adjustment dates alone' },
]

export function SubscribeDialog({ close }: { readonly close: () => void }) {
  const { slug, path } = useWorkspace()
  const queries = useQueryClient()
  const key = ['w', slug, 'feeds']
  const { data = [] } = useQuery({ queryKey: key, queryFn: ({ signal }) => api.get(path('/feeds'), signal) })
  const [name, setName] = useState('My calendar')
  const [shows, setShows] = useState<FeedContent>('ALL')
  const [issued, setIssued] = useState<IssuedFeed | null>(null)
  const make = async () => {
    setIssued(await api.post(path('/feeds'), { name, shows }))
    await queries.invalidateQueries({ queryKey: key })
  }
  if (issued !== null) return <Address issued={issued} close={close} />
  const live = data.filter(({ revokedAt }) => revokedAt === null)
  return (
    <Dialog onClose={close} title="Subscribe in your calendar" size="lg">
      <AskForm action="Make the address" isReady={name.trim() !== ''} run={make}>
        <p className="soft">
          A calendar on your phone or computer asks this address every few hours and shows what is published when, and
          which adjustments are due. Whoever has the address can read it without signing in, so it is shown once.
        </p>
        <TextInput
          data-autofocus
          label="Name"
          required
          maxLength={textBounds.name}
          value={name}
          onChange={event => setName(event.currentTarget.value)}
        />
        <Select
          label="Content"
          data={contents}
          value={shows}
          allowDeselect={false}
          onChange={value => setShows(value ?? 'ALL')}
        />
      </AskForm>
      {live.length > 0 && <Feeds feeds={live} changed={() => queries.invalidateQueries({ queryKey: key })} />}
    </Dialog>
  )
}

function Address({ issued, close }: { readonly issued: IssuedFeed; readonly close: () => void }) {
  return (
    <ShownOnce title={`The address of “${issued.name}”`} size="lg" what="address" close={close}>
      <p>This is the only time it is shown. In your calendar, add a calendar by its address and paste this:</p>
      <div>
        <Secret text={issued.address} label="Copy the address" isMain testId="feed" />
      </div>
    </ShownOnce>
  )
}

interface FeedsProps {
  readonly feeds: readonly FeedRow[]
  readonly changed: () => Promise<unknown>
}

function Feeds({ feeds, changed }: FeedsProps) {
  const { path } = useWorkspace()
  const ending = useRequest()
  const end = (id: string) =>
    ending.ask(async () => {
      await api.delete(path('/feeds/:id', { id }))
      await changed()
    })
  return (
    <>
      <h3>Your addresses</h3>
      {ending.error !== null && <Trouble error={ending.error} />}
      <DataTable
        rows={feeds}
        keyOf={({ id }) => id}
        columns={[
          { head: 'Name', isRowHead: true, cell: each => each.name },
          { head: 'Ends in', narrow: 'label', className: 'mono', cell: ({ lastFour }) => lastFour },
          { head: 'Made', narrow: 'label', className: 'figures', cell: ({ createdAt }) => formatDate(createdAt) },
          {
            head: 'Last read',
            narrow: 'label',
            cell: ({ lastUsedAt }) =>
              lastUsedAt === null ? <span className="soft">never</span> : <Ago at={lastUsedAt} />,
          },
        ]}
        actions={({ id, name }) => (
          <Anchor component="button" type="button" inherit onClick={() => void end(id)}>
            End<span className="unseen"> the address {name}</span>
          </Anchor>
        )}
      />
    </>
  )
}
