// Invoices: kept lines, the newest first, each with the result of a check by today's prices. Filters are in the address; a line
// opens beside the list.

import { Button, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { isUnagreed } from '../../../src/core/invoices/check-row.ts'
import { keptStates } from '../../../src/core/invoices/line-state.ts'
import { formatDate } from '../../../src/core/text/words.ts'
import type { InvoiceLineView } from '../../../src/views/shapes/invoices.ts'
import { useDropToBringIn } from '../../components/inputs/dropped-file.ts'
import { type ChangeAddress, useAddress } from '../../components/page/address.ts'
import { LinkButton, TextLink } from '../../components/page/links.tsx'
import { Empty, Filtered, LoadingRows, PageHead, Trouble } from '../../components/page/page.tsx'
import type { Columns } from '../../components/table/column.ts'
import { DataTable } from '../../components/table/data-table.tsx'
import { ExportMenu } from '../../components/table/export-menu.tsx'
import { countOf, formatCount, formatSigned } from '../../components/words/words.ts'
import { useWorkspace } from '../../session.ts'
import classes from './invoices.module.css'
import { sheetOfLines } from './letter.ts'
import { LinePanel } from './line-panel.tsx'
import { Compared, Item } from './line-parts.tsx'
import { LineState, stateWords } from './line-state.tsx'
import { filterOf, type InvoiceFilter, readAllLines, useKeptInvoices } from './queries.ts'
import { WriteTo } from './write-to.tsx'

export function InvoicesPage() {
  const { slug, path, role, canEdit } = useWorkspace()
  const [texts, change] = useAddress()
  const [isWriting, setWriting] = useState(false)
  useDropToBringIn('invoices')
  const filter = filterOf(texts)
  const isNarrowed = Object.values(filter).some(text => text !== undefined && text !== '')
  const kept = useKeptInvoices(filter)
  const {
    rows,
    error,
    isPending,
    isPlaceholderData,
    suppliers,
    hasNextPage,
    fetchNextPage,
    isFetchingNextPage,
    refetch,
  } = kept
  const isNothing = !isPending && rows.length === 0 && !hasNextPage && error === null
  const bringIn = (
    <LinkButton to="/w/$ws/bring-in" params={{ ws: slug }} search={{ kind: 'invoices' }} variant="filled">
      {canEdit ? 'Check or keep a file' : 'Check a file'}
    </LinkButton>
  )
  return (
    <>
      <PageHead
        title="Invoices"
        under="Billed lines that are kept, compared with the settled prices. A line is wrong only if it differs from a price that both sides have signed."
        actions={bringIn}
      />
      {isNothing && !isNarrowed ? (
        <Empty title="No invoice lines are kept yet" action={bringIn}>
          {canEdit
            ? 'Check a file of invoice lines, or an electronic invoice, and keep it: kept lines are listed here and count in corrections and in the ledger.'
            : 'Owners and editors of the buyer’s workspace keep them. You can check a file of your own.'}
        </Empty>
      ) : (
        <>
          <Filters filter={filter} suppliers={suppliers} change={change} />
          <div className={classes.bar}>
            <p className="soft" aria-live="polite">
              {formatProgress(kept, filter)}
            </p>
            {role !== 'supplier' && (
              <Button variant="default" size="xs" onClick={() => setWriting(true)} disabled={suppliers.length === 0}>
                Write to the supplier
              </Button>
            )}
            <ExportMenu
              fileName={`${slug}-invoices`}
              sheet={async () => sheetOfLines('Invoices', await readAllLines(path, filter))}
              isEmpty={rows.length === 0}
            />
          </div>
          {error !== null && <Trouble error={error} retry={() => void refetch()} />}
          {isPending && <LoadingRows />}
          <Filtered isOfBefore={isPlaceholderData}>
            {isNothing && <Empty title="No line matches">Try another word, or remove a filter.</Empty>}
            {rows.length > 0 && (
              <DataTable
                label="Kept invoice lines"
                rows={rows}
                keyOf={({ id }) => id}
                columns={columnsOf(slug, texts, role === 'supplier')}
                virtual={{
                  height: rowHeight,
                  onEnd: () => void (hasNextPage && !isFetchingNextPage && fetchNextPage()),
                }}
              />
            )}
            {isFetchingNextPage && <LoadingRows rows={2} />}
          </Filtered>
        </>
      )}
      {texts.line !== undefined && <LinePanel id={texts.line} close={() => change({ line: undefined })} />}
      {isWriting && <WriteTo filter={filter} suppliers={suppliers} close={() => setWriting(false)} />}
    </>
  )
}

const rowHeight = 57

/** Progress of the search: a filter by state is known only of lines that were checked. */
function formatProgress(
  { rows, looked, total, hasNextPage, isPending, isPlaceholderData, error }: ReturnType<typeof useKeptInvoices>,
  filter: InvoiceFilter,
): string {
  // Nothing is known yet.
  if (isPending || isPlaceholderData || error !== null) return ''
  const isChecked = filter.state !== undefined || filter.period !== undefined
  const shown = countOf(rows.length, 'line')
  if (!hasNextPage) return shown
  const of = total === null ? '' : ` of ${formatCount(total)}`
  return isChecked ? `${shown} so far; looked through ${formatCount(looked)}${of}` : `${shown}${of}, more as you scroll`
}

interface FiltersProps {
  readonly filter: InvoiceFilter
  readonly suppliers: readonly { readonly value: string; readonly label: string }[]
  readonly change: ChangeAddress
}

function Filters({ filter: { q, state, supplier, period, agreement }, suppliers, change }: FiltersProps) {
  return (
    <div className={classes.filters}>
      <TextInput
        aria-label="Number, item, agreement or supplier"
        placeholder="Number, item, agreement, supplier"
        value={q ?? ''}
        onChange={event => change({ q: event.currentTarget.value || undefined }, 'soon')}
      />
      <Select
        aria-label="State"
        placeholder="Every state"
        clearable
        data={keptStates.map(value => ({ value, label: stateWords[value] }))}
        value={state ?? null}
        onChange={next => change({ state: next ?? undefined })}
      />
      {(suppliers.length > 1 || supplier !== undefined) && (
        <Select
          aria-label="Supplier"
          placeholder="Every supplier"
          clearable
          searchable
          nothingFoundMessage="No supplier has this name"
          data={[...suppliers]}
          value={supplier ?? null}
          onChange={next => change({ supplier: next ?? undefined })}
        />
      )}
      <TextInput
        aria-label="Period"
        placeholder="Period, 2026-Q1"
        value={period ?? ''}
        onChange={event => change({ period: event.currentTarget.value || undefined }, 'soon')}
      />
      {agreement !== undefined && (
        <Button variant="default" onClick={() => change({ agreement: undefined })}>
          Only {agreement}: show all
        </Button>
      )}
    </div>
  )
}

type Texts = Readonly<Record<string, string | undefined>>

function columnsOf(ws: string, texts: Texts, isSupplier: boolean): Columns<InvoiceLineView> {
  return [
    {
      head: 'Invoice',
      isRowHead: true,
      className: classes.oneLine,
      cell: ({ id, invoice, line, date }) => (
        <>
          <TextLink to="/w/$ws/invoices" params={{ ws }} search={{ ...texts, line: id }}>
            {invoice}, {line}
          </TextLink>
          {date !== null && <span className={`soft figures ${classes.under}`}>{formatDate(date)}</span>}
        </>
      ),
    },
    !isSupplier && {
      head: 'Supplier',
      narrow: 'line',
      cell: ({ supplierName }) => (
        <span className={classes.supplier} title={supplierName}>
          {supplierName}
        </span>
      ),
    },
    { head: 'Item', narrow: 'line', headClass: classes.item, cell: ({ check }) => <Item row={check} /> },
    { head: 'Billed', isRight: true, narrow: 'drop', cell: ({ check }) => <Compared row={check} side="billed" /> },
    {
      head: 'Settled',
      isRight: true,
      narrow: 'drop',
      cell: ({ check }) => (isUnagreed(check) ? '' : <Compared row={check} side="agreed" />),
    },
    {
      head: 'Difference',
      isRight: true,
      cell: ({ check: { difference, currency }, state }) =>
        state === 'wrong' && difference !== null ? `${formatSigned(difference)}\u00a0${currency ?? ''}` : '',
    },
    {
      head: 'State',
      className: classes.oneLine,
      narrow: row => <LineState line={row} />,
      cell: row => <LineState line={row} />,
    },
  ]
}
