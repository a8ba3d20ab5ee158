// Newest deliveries of a webhook with their results, and sending them again.
import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { DeliveryRow, WebhookRow } from '../../../../src/views/shapes/webhooks.ts'
import { api } from '../../../api.ts'
import { Dialog } from '../../../components/dialog/dialog.tsx'
import { useRequest } from '../../../components/dialog/use-request.ts'
import { State } from '../../../components/figures/figures.tsx'
import { Empty, LoadingRows, Trouble } from '../../../components/page/page.tsx'
import { DataTable } from '../../../components/table/data-table.tsx'
import { formatInstant } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import { RowAction } from '../row-actions.tsx'
import classes from '../settings.module.css'

interface DeliveriesProps {
  readonly webhook: WebhookRow
  readonly close: () => void
}

export function Deliveries({ webhook: { id, url, disabledAt }, close }: DeliveriesProps) {
  const { slug, path } = useWorkspace()
  const queries = useQueryClient()
  const { error: refused, isPending, ask } = useRequest()
  const { data, error, refetch } = useQuery({
    queryKey: ['w', slug, 'webhooks', id, 'deliveries'],
    queryFn: ({ signal }) => api.get(path('/webhooks/:id/deliveries', { id }), signal),
  })
  const replay = (event: string | null) =>
    void ask(async () => {
      await api.post(path('/webhooks/:id/replay', { id }), { event })
      await queries.invalidateQueries({ queryKey: ['w', slug, 'webhooks'] })
    })
  const failed = data?.filter(({ outcome }) => outcome === 'FAILED').length ?? 0
  return (
    <Dialog onClose={close} title="Deliveries" size="xl">
      <p className="soft">
        To <span className={`mono ${classes.breaks}`}>{url}</span>, of the last 30 days, the newest first. A repeated
        delivery keeps its id.
      </p>
      {failed > 0 && (
        <Button variant="default" size="compact-sm" loading={isPending} onClick={() => replay(null)}>
          Send all failed deliveries again
        </Button>
      )}
      {refused !== null && <Trouble error={refused} />}
      {error !== null ? (
        <Trouble error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingRows rows={4} />
      ) : data.length === 0 ? (
        <Empty title="Nothing was sent yet">
          {disabledAt === null
            ? 'The first event appears here.'
            : 'The webhook is disabled. Its events are sent when it is enabled.'}
        </Empty>
      ) : (
        <DeliveryTable deliveries={data} replay={replay} />
      )}
    </Dialog>
  )
}

interface DeliveryTableProps {
  readonly deliveries: readonly DeliveryRow[]
  readonly replay: (event: string) => void
}

function DeliveryTable({ deliveries, replay }: DeliveryTableProps) {
  return (
    <DataTable
      label="Deliveries"
      rows={deliveries}
      keyOf={({ id }) => id}
      columns={[
        { head: 'Event', className: 'mono', cell: ({ type }) => type },
        {
          head: 'Id',
          narrow: 'label',
          className: 'mono',
          cell: ({ id }) => <span className={classes.breaks}>{id}</span>,
        },
        { head: 'Made', narrow: 'label', className: 'figures', cell: ({ madeAt }) => formatInstant(madeAt) },
        { head: 'Attempts', narrow: 'label', className: 'figures', cell: ({ attempts }) => String(attempts) },
        { head: 'Outcome', cell: delivery => <Outcome delivery={delivery} /> },
      ]}
      actions={({ id, outcome }) =>
        outcome !== 'WAITING' && <RowAction words="Send again" label={`Send ${id} again`} run={() => replay(id)} />
      }
    />
  )
}

function Outcome({ delivery: { outcome, status, trouble, dueAt } }: { readonly delivery: DeliveryRow }) {
  if (outcome === 'DELIVERED') return <State kind="good">delivered ({status})</State>
  if (outcome === 'FAILED') return <State kind="trouble">failed: {trouble}</State>
  if (trouble === null) return <State kind="plain">waiting</State>
  return (
    <State kind="plain">
      {trouble}; again {formatInstant(dueAt!)}
    </State>
  )
}
