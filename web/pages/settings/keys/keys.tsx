// API keys: created with a name and an expiry, shown once, rotated with an overlap, revoked after a confirmation.

import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDate } from '../../../../src/core/text/words.ts'
import type { IssuedKey, KeyRow } from '../../../../src/views/shapes/settings.ts'
import { api } from '../../../api.ts'
import { FormDialog } from '../../../components/dialog/ask-form.tsx'
import { Ago, State } from '../../../components/figures/figures.tsx'
import { IconPlus } from '../../../components/page/icons.tsx'
import { Empty, LoadingRows, Trouble } from '../../../components/page/page.tsx'
import { DataTable } from '../../../components/table/data-table.tsx'
import { formatInstant } from '../../../components/words/words.ts'
import { useRead, useWorkspace } from '../../../session.ts'
import { RowMenu } from '../row-actions.tsx'
import classes from '../settings.module.css'
import { IssuedKeyDialog, NewKey } from './new-key.tsx'

type KeyDialog =
  | { readonly what: 'create' }
  | { readonly what: 'show'; readonly issued: IssuedKey; readonly overlapHours: number | null }
  | { readonly what: 'revoke' | 'rotate'; readonly key: KeyRow }

const overlapHours = 168

export function Keys() {
  const { slug, path } = useWorkspace()
  const queries = useQueryClient()
  const [doing, setDoing] = useState<KeyDialog | null>(null)
  const { data, error, refetch } = useRead('/keys')
  const close = () => setDoing(null)
  const changed = () => queries.invalidateQueries({ queryKey: ['w', slug] })
  if (error !== null) return <Trouble error={error} retry={() => void refetch()} />
  if (data === undefined) return <LoadingRows rows={4} />
  const rotate = async (key: KeyRow) => {
    const issued = await api.post(path('/keys/:id/rotate', { id: key.id }), { overlapHours })
    await changed()
    // The key shows after the dialog has closed itself.
    setTimeout(() => setDoing({ what: 'show', issued, overlapHours }), 0)
  }
  return (
    <>
      <div className={classes.lead}>
        <p className="soft prose">
          A key lets a system read this workspace, and change nothing. Its scope sets the limit: <b>read</b> covers
          series, agreements and prices, <b>money</b> adds invoices and amounts, <b>all</b> covers everything. The key
          is shown once; only a digest is kept. For Excel, download{' '}
          <a href="/ext/v1/excel/assize.xlsx" download>
            the workbook that refreshes itself
          </a>{' '}
          and a key that reads.
        </p>
        <Button leftSection={<IconPlus />} onClick={() => setDoing({ what: 'create' })}>
          New key
        </Button>
      </div>
      {data.length === 0 ? (
        <Empty title="No keys yet">Create one for each system, so that each can be revoked on its own.</Empty>
      ) : (
        <KeyTable keys={data} setDoing={setDoing} />
      )}
      {doing?.what === 'create' && (
        <NewKey
          close={close}
          made={async issued => {
            await changed()
            setDoing({ what: 'show', issued, overlapHours: null })
          }}
        />
      )}
      {doing?.what === 'show' && (
        <IssuedKeyDialog issued={doing.issued} overlapHours={doing.overlapHours} close={close} />
      )}
      {doing?.what === 'rotate' && (
        <FormDialog
          title={`Rotate “${doing.key.name}”`}
          action="Create the new key"
          run={() => rotate(doing.key)}
          close={close}
        >
          <p>
            A new key is made. The old one, ending in <span className="mono">{doing.key.lastFour}</span>, works for 7
            more days, so that your systems can change over without a gap.
          </p>
        </FormDialog>
      )}
      {doing?.what === 'revoke' && (
        <FormDialog
          title={`Revoke “${doing.key.name}”`}
          action="Revoke the key"
          isDangerous
          run={async () => {
            await api.delete(path('/keys/:id', { id: doing.key.id }))
            await changed()
          }}
          close={close}
        >
          <p>
            The key ending in <span className="mono">{doing.key.lastFour}</span> is refused everywhere within seconds.
            This cannot be undone.
          </p>
          {doing.key.lastUsedAt !== null && <p>It was last used {formatInstant(doing.key.lastUsedAt)}.</p>}
        </FormDialog>
      )}
    </>
  )
}

function KeyTable({
  keys,
  setDoing,
}: {
  readonly keys: readonly KeyRow[]
  readonly setDoing: (doing: KeyDialog) => void
}) {
  return (
    <DataTable
      label="API keys"
      rows={keys}
      keyOf={({ id }) => id}
      rowProps={({ state }) => ({ className: state === 'live' ? undefined : classes.faded })}
      columns={[
        { head: 'Name', cell: ({ name }) => name },
        { head: 'Scope', narrow: 'label', cell: ({ scope }) => scope },
        { head: 'Ends in', narrow: 'label', className: 'mono', cell: ({ lastFour }) => lastFour },
        {
          head: 'State',
          cell: ({ state }) => <State kind={state === 'live' ? 'good' : 'plain'}>{state}</State>,
        },
        { head: 'Made', narrow: 'label', className: 'figures', cell: ({ createdAt }) => formatDate(createdAt) },
        {
          head: 'Made by',
          narrow: 'label',
          cell: ({ madeBy }) => madeBy,
        },
        {
          head: 'Valid until',
          narrow: 'label',
          className: 'figures',
          cell: ({ expiresAt }) => (expiresAt === null ? 'no end' : formatInstant(expiresAt)),
        },
        {
          head: 'Last used',
          narrow: 'label',
          cell: ({ lastUsedAt }) =>
            lastUsedAt === null ? <span className="soft">never</span> : <Ago at={lastUsedAt} />,
        },
      ]}
      actions={key =>
        key.state === 'live' && (
          <RowMenu
            label={`Change the key ${key.name}`}
            items={[
              ['Rotate', () => setDoing({ what: 'rotate', key })],
              ['Revoke', () => setDoing({ what: 'revoke', key })],
            ]}
          />
        )
      }
    />
  )
}
