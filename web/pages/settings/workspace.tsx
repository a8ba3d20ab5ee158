// The workspace itself: its name, the rights of its keys, and its use of its limits.

import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDate } from '../../../src/core/text/words.ts'
import type { QuotaView, WorkspacePage } from '../../../src/views/shapes/settings.ts'
import { api } from '../../api.ts'
import { AskForm } from '../../components/dialog/ask-form.tsx'
import { State } from '../../components/figures/figures.tsx'
import { LoadingRows, Trouble } from '../../components/page/page.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import { limitNames } from '../../components/words/limit-names.ts'
import { textBounds } from '../../components/words/text-bounds.ts'
import { countOf, formatCount } from '../../components/words/words.ts'
import { sessionQuery, useRead, useWorkspace } from '../../session.ts'
import classes from './settings.module.css'

export function WorkspaceSettings() {
  const { canManage } = useWorkspace()
  const { data, error, refetch } = useRead('/workspace')
  if (error !== null) return <Trouble error={error} retry={() => void refetch()} />
  if (data === undefined) return <LoadingRows rows={4} />
  return (
    <>
      <dl className={classes.facts}>
        <dt>Name</dt>
        <dd>{data.name}</dd>
        <dt>You are here as</dt>
        <dd>{formatPlace(data.me)}</dd>
        <dt>Short name</dt>
        <dd className="mono">{data.slug}</dd>
        <dt>Identifier</dt>
        <dd className="mono">{data.id}</dd>
        <dt>Requests</dt>
        <dd>
          {countOf(data.rateLimit, 'request')} a minute for each API key, {formatCount(data.workspaceRateLimit)} for all
          of them together
        </dd>
        <dt>Since</dt>
        <dd>{formatDate(data.createdAt)}</dd>
      </dl>
      {data.quotas.length > 0 && <Quotas quotas={data.quotas} />}
      {canManage && <Rename name={data.name} />}
    </>
  )
}

function formatPlace({ role, party }: WorkspacePage['me']): string {
  const as = party === null ? role : `${role}, of ${party.name}`
  if (role !== 'supplier') return as
  // The name of a company may end with a full stop: "Ohio Forge Inc."
  return `${as}${as.endsWith('.') ? '' : '.'} You see only the agreements that name you${party === null ? '' : ' or your party'}.`
}

function Quotas({ quotas }: { readonly quotas: readonly QuotaView[] }) {
  return (
    <DataTable
      className={classes.quotas}
      caption={<caption>The limits of this workspace. An operator of the installation can raise them.</caption>}
      rows={quotas}
      keyOf={({ kind }) => kind}
      columns={[
        { head: 'Limit', cell: ({ kind }) => limitNames[kind] },
        {
          head: 'In use',
          isRight: true,
          cell: ({ most, used }) => (
            <>
              {used !== null && used >= most && <State kind="trouble">full</State>}{' '}
              {used === null ? '' : formatCount(used)}
            </>
          ),
        },
        { head: 'At most', isRight: true, cell: ({ most }) => formatCount(most) },
      ]}
    />
  )
}

function Rename({ name: known }: { readonly name: string }) {
  const { slug, path } = useWorkspace()
  const queries = useQueryClient()
  const [name, setName] = useState(known)
  const rename = async () => {
    await api.patch(path('/workspace'), { name })
    await queries.invalidateQueries({ queryKey: ['w', slug] })
    await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }
  return (
    <AskForm action="Rename" isReady={name.trim() !== '' && name !== known} run={rename} doneWords="renamed">
      <TextInput
        label="New name"
        required
        maxLength={textBounds.name}
        value={name}
        onChange={event => setName(event.currentTarget.value)}
      />
    </AskForm>
  )
}
