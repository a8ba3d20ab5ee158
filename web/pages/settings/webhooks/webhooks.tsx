// Webhooks: the addresses that get a workspace's events, with their deliveries; created with a secret that is shown once,
// rotated, disabled and enabled after a confirmation.
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { disabledWords } from '../../../../src/core/people/webhook-events.ts'
import type { IssuedWebhook, WebhookRow } from '../../../../src/views/shapes/webhooks.ts'
import { api } from '../../../api.ts'
import { FormDialog } from '../../../components/dialog/ask-form.tsx'
import { Ago, State } from '../../../components/figures/figures.tsx'
import { IconPlus } from '../../../components/page/icons.tsx'
import { Empty, LoadingRows, Trouble } from '../../../components/page/page.tsx'
import { DataTable } from '../../../components/table/data-table.tsx'
import { useRead, useWorkspace } from '../../../session.ts'
import { RowMenu } from '../row-actions.tsx'
import classes from '../settings.module.css'
import { Deliveries } from './deliveries.tsx'
import { IssuedWebhookDialog, NewWebhook } from './new-webhook.tsx'

type WebhookDialog =
  | { readonly what: 'create' }
  | { readonly what: 'show'; readonly issued: IssuedWebhook; readonly overlapHours: number | null }
  | { readonly what: 'rotate' | 'disable' | 'enable' | 'deliveries'; readonly webhook: WebhookRow }

const overlapHours = 24

export function Webhooks() {
  const { slug, path } = useWorkspace()
  const queries = useQueryClient()
  const [doing, setDoing] = useState<WebhookDialog | null>(null)
  const { data, error, refetch } = useRead('/webhooks')
  const close = () => setDoing(null)
  const changed = () => queries.invalidateQueries({ queryKey: ['w', slug] })
  if (error !== null) return <Trouble error={error} retry={() => void refetch()} />
  if (data === undefined) return <LoadingRows rows={4} />
  const show = (issued: IssuedWebhook, hours: number | null) =>
    // The secret shows after the dialog has closed itself.
    setTimeout(() => setDoing({ what: 'show', issued, overlapHours: hours }), 0)
  return (
    <>
      <div className={classes.lead}>
        <p className="soft prose">
          A webhook tells another system that an event happened, and where to read about it; no figures are sent. Each
          message is signed as Standard Webhooks says, and tried again for days until its receiver accepts it.
        </p>
        <Button leftSection={<IconPlus />} onClick={() => setDoing({ what: 'create' })}>
          New webhook
        </Button>
      </div>
      {data.length === 0 ? (
        <Empty title="No webhooks yet">Create one for each system that needs to hear of new events.</Empty>
      ) : (
        <WebhookTable webhooks={data} setDoing={setDoing} />
      )}
      {doing?.what === 'create' && (
        <NewWebhook
          close={close}
          made={async issued => {
            await changed()
            setDoing({ what: 'show', issued, overlapHours: null })
          }}
        />
      )}
      {doing?.what === 'show' && (
        <IssuedWebhookDialog issued={doing.issued} overlapHours={doing.overlapHours} close={close} />
      )}
      {doing?.what === 'deliveries' && <Deliveries webhook={doing.webhook} close={close} />}
      {doing?.what === 'rotate' && (
        <FormDialog
          title="New secret"
          action="Make a new secret"
          run={async () => {
            const id = doing.webhook.id
            const issued = await api.post(path('/webhooks/:id/rotate', { id }), { overlapHours })
            await changed()
            show(issued, overlapHours)
          }}
          close={close}
        >
          <p>
            For {overlapHours} hours messages to <Address url={doing.webhook.url} /> are signed with the old and the new
            secret, so that the receiver can change over without a gap.
          </p>
        </FormDialog>
      )}
      {doing?.what === 'disable' && (
        <FormDialog
          title="Disable the webhook"
          action="Disable it"
          isDangerous
          run={async () => {
            await api.post(path('/webhooks/:id/disable', { id: doing.webhook.id }), {})
            await changed()
          }}
          close={close}
        >
          <p>
            Nothing more is sent to <Address url={doing.webhook.url} />. Later events are delivered when the webhook is
            enabled again.
          </p>
        </FormDialog>
      )}
      {doing?.what === 'enable' && <Enable webhook={doing.webhook} changed={changed} close={close} />}
    </>
  )
}

interface EnableProps {
  readonly webhook: WebhookRow
  readonly changed: () => Promise<void>
  readonly close: () => void
}

function Enable({ webhook, changed, close }: EnableProps) {
  const { path } = useWorkspace()
  return (
    <FormDialog
      title="Enable the webhook"
      action="Enable it"
      run={async () => {
        await api.post(path('/webhooks/:id/enable', { id: webhook.id }), { from: 'stopped' })
        await changed()
      }}
      close={close}
    >
      <p>
        Delivery continues where it stopped: all events since then are sent to <Address url={webhook.url} />, each under
        its own id.
      </p>
    </FormDialog>
  )
}

function Address({ url }: { readonly url: string }) {
  return <span className={`mono ${classes.breaks}`}>{url}</span>
}

interface WebhookTableProps {
  readonly webhooks: readonly WebhookRow[]
  readonly setDoing: (doing: WebhookDialog) => void
}

function WebhookTable({ webhooks, setDoing }: WebhookTableProps) {
  return (
    <DataTable
      label="Webhooks"
      rows={webhooks}
      keyOf={({ id }) => id}
      rowProps={({ disabledAt }) => ({ className: disabledAt === null ? undefined : classes.faded })}
      columns={[
        { head: 'Address', cell: ({ url }) => <Address url={url} /> },
        { head: 'Events', narrow: 'label', cell: ({ events }) => events.join(', ') },
        { head: 'State', cell: webhook => <WebhookState webhook={webhook} /> },
        {
          head: 'Last delivered',
          narrow: 'label',
          cell: ({ lastSuccessAt }) => orNever(lastSuccessAt === null ? null : <Ago at={lastSuccessAt} />),
        },
        { head: 'Waiting', narrow: 'label', className: 'figures', cell: ({ waiting }) => String(waiting) },
        { head: 'Made by', narrow: 'label', cell: ({ madeBy }) => madeBy },
      ]}
      actions={webhook => (
        <RowMenu
          label={`Change the webhook to ${webhook.url}`}
          items={[
            ['Deliveries', () => setDoing({ what: 'deliveries', webhook })],
            ['New secret', () => setDoing({ what: 'rotate', webhook })],
            webhook.disabledAt === null
              ? ['Disable', () => setDoing({ what: 'disable', webhook })]
              : ['Enable', () => setDoing({ what: 'enable', webhook })],
          ]}
        />
      )}
    />
  )
}

function orNever(told: ReactNode): ReactNode {
  return told ?? <span className="soft">never</span>
}

function WebhookState({ webhook: { disabledWhy, failingSince } }: { readonly webhook: WebhookRow }) {
  if (disabledWhy !== null)
    return <State kind={disabledWhy === 'PERSON' ? 'plain' : 'trouble'}>{disabledWords[disabledWhy]}</State>
  if (failingSince === null) return <State kind="good">enabled</State>
  return (
    <State kind="trouble">
      failing since <Ago at={failingSince} />
    </State>
  )
}
