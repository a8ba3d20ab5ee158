// The prices of an agreement's items that are in force, or of one period, and the lists they come from.

import { Select } from '@mantine/core'
import { useState } from 'react'
import { formatDate } from '../../../../src/core/text/words.ts'
import type { AgreementPriceRows } from '../../../../src/views/shapes/invoices.ts'
import { useAgreementPrices } from '../../../components/agreements/queries.ts'
import { State } from '../../../components/figures/figures.tsx'
import type { StateKind } from '../../../components/figures/state-kind.ts'
import { LinkButton, TextLink } from '../../../components/page/links.tsx'
import { LoadingRows, Section, Trouble } from '../../../components/page/page.tsx'
import { type Column, type Columns, figureCell, sheetOf } from '../../../components/table/column.ts'
import { DataTable } from '../../../components/table/data-table.tsx'
import { ExportMenu } from '../../../components/table/export-menu.tsx'

import { countOf, formatFigure, sentenceCase } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import { PriceFileButton } from './price-file.tsx'

export function Prices({ slug }: { readonly slug: string }) {
  const { slug: ws, canEdit } = useWorkspace()
  const [date, setDate] = useState<string | undefined>(undefined)
  const { data, error, refetch } = useAgreementPrices(slug, date)
  if (data === undefined)
    return (
      <Section title="Prices">
        {error === null ? <LoadingRows rows={3} /> : <Trouble error={error} retry={() => void refetch()} />}
      </Section>
    )
  const isProposed = data.rows.length > 0 && data.rows.every(({ status }) => status !== 'AGREED')
  // An agreement without any price shows nothing about items.
  if (data.periods.length === 0 && data.lists.length === 0 && !data.isOfAnother) return null
  return (
    <Section
      title={isProposed ? 'Proposed prices' : 'Prices'}
      actions={
        <>
          {data.periods.length > 0 && (
            <Select
              size="xs"
              aria-label="Period"
              data={[
                {
                  value: inForce,
                  label: data.inForceOn === null ? 'In force' : `In force on ${formatDate(data.inForceOn)}`,
                },
                ...data.periods.toReversed().map(each => ({
                  value: each.date,
                  label: `${each.period}, from ${formatDate(each.date)}${each.isSettled ? '' : ', proposed'}`,
                })),
              ]}
              value={data.inForceOn === null ? data.date : inForce}
              onChange={value => setDate(value === inForce ? undefined : (value ?? undefined))}
              allowDeselect={false}
              w={230}
            />
          )}
          {canEdit && (
            <LinkButton to="/w/$ws/bring-in" params={{ ws }} search={{ kind: 'prices', agreement: slug }} size="xs">
              Bring in a price list
            </LinkButton>
          )}
          <PriceFileButton agreement={slug} />
          <ExportMenu
            fileName={`${slug}-prices`}
            sheet={() => sheetOf({ name: slug, columns: priceColumns, rows: data.rows })}
            isEmpty={data.rows.length === 0}
          />
        </>
      }
    >
      <Listed slug={slug} prices={data} />
    </Section>
  )
}

/** Choice in place of the first day of a period. */
const inForce = 'in-force'

const statusWords: Readonly<Record<string, readonly [StateKind, string]>> = {
  AGREED: ['good', 'settled'],
  SIGNED_BY_BUYER: ['waiting', 'proposed, signed by the buyer'],
  SIGNED_BY_SUPPLIER: ['waiting', 'proposed, signed by the supplier'],
  OPEN: ['plain', 'proposed, not signed'],
}

type PriceRow = AgreementPriceRows['rows'][number]

/** Column for prices by quantity; a file always has it. */
const stepColumn: Column<PriceRow> = {
  head: 'From quantity',
  isRight: true,
  narrow: ({ fromQuantity }) => fromQuantity !== '0' && <span className="soft">from {formatFigure(fromQuantity)}</span>,
  cell: ({ fromQuantity }) => (fromQuantity === '0' ? '' : formatFigure(fromQuantity)),
  sheet: {
    'from quantity': ({ fromQuantity }) => figureCell(fromQuantity),
    period: ({ period }) => period,
    'valid from': ({ validFrom }) => validFrom,
    'valid to': ({ validTo }) => validTo,
    'in force until': ({ inForceUntil }) => inForceUntil,
  },
}

/** Proposed price beside the price in force. */
const proposedColumn: Column<PriceRow> = {
  head: 'Proposed',
  narrow: 'line',
  isRight: true,
  cell: ({ proposed }) =>
    proposed !== null && (
      <>
        {formatFigure(proposed.price)}
        <div className="soft">
          {proposed.period}, {statusWords[proposed.status]![1].replace('proposed, ', '')}
        </div>
      </>
    ),
  sheet: {
    'proposed price': ({ proposed }) => figureCell(proposed?.price ?? null),
    'proposed period': ({ proposed }) => proposed?.period ?? null,
    'proposed status': ({ proposed }) => proposed?.status ?? null,
  },
}

const priceColumns: Columns<PriceRow> = [
  { head: 'Item', cell: ({ item }) => item, sheet: { item: ({ item }) => item } },
  stepColumn,
  {
    head: 'Price',
    figure: ({ price }) => price,
    cell: (row, text) => (
      <>
        {text}
        <div className="soft on-narrow">{perWords(row)}</div>
      </>
    ),
    sheet: { price: ({ price }) => figureCell(price) },
  },
  {
    head: 'Per',
    narrow: 'drop',
    cell: perWords,
    sheet: { per: ({ per }) => figureCell(per), unit: ({ unit }) => unit, currency: ({ currency }) => currency },
  },
  {
    head: 'In force',
    narrow: 'line',
    className: 'figures',
    cell: daysOf,
  },
  proposedColumn,
  {
    head: 'Status',
    narrow: 'line',
    cell: ({ status }) => {
      const [kind, words] = statusWords[status]!
      return <State kind={kind}>{words}</State>
    },
    sheet: { status: ({ status }) => status },
  },
]

interface ListedProps {
  readonly slug: string
  readonly prices: AgreementPriceRows
}

function Listed({ slug, prices: { rows, rowCount, lists, why } }: ListedProps) {
  const { slug: ws } = useWorkspace()
  const [newest] = lists
  const left = new Set<unknown>([
    ...(rows.some(({ fromQuantity }) => fromQuantity !== '0') ? [] : [stepColumn]),
    ...(rows.some(({ proposed }) => proposed !== null) ? [] : [proposedColumn]),
  ])
  return (
    <>
      {why !== null && <p className="soft">{sentenceCase(why)}.</p>}
      {rows.length > 0 && (
        <DataTable
          label="Prices"
          rows={rows}
          keyOf={({ item, fromQuantity }) => `${item} ${fromQuantity}`}
          columns={priceColumns.filter(column => !left.has(column))}
        />
      )}
      {rowCount > rows.length && (
        <p className="soft">
          The first {rows.length} of {rowCount}; a price file has all of them.
        </p>
      )}
      <p className="soft">
        {newest === undefined ? 'No price list: the contract’s own price is the only item.' : formatList(newest)}
        {newest?.origin.kind === 'WITHOUT_YOU' && (
          <>
            {' '}
            <TextLink className="in-text" to="/w/$ws/agreements/$slug/versions" params={{ ws, slug }}>
              Versions and price lists
            </TextLink>
          </>
        )}
      </p>
    </>
  )
}

function formatList({ version, from, applied, origin, recordedAt }: AgreementPriceRows['lists'][number]): string {
  const governs = `governs from ${from === 'start' ? 'the start' : from}`
  if (origin.kind === 'WITHOUT_YOU') return `Price list ${version} ${governs}; it was ${origin.words}.`
  const items = applied === null ? '' : `, ${countOf(applied.items, 'item')},`
  const by = applied === null ? '' : ` by ${applied.by}`
  return `Price list ${version}${items} ${governs}; applied${by} on ${formatDate(recordedAt)}.`
}

/** Days of a price: one that both signed is in force until the next is signed; a proposed one has no such days. */
function daysOf({ status, validFrom, inForceUntil, proposed }: PriceRow): string {
  const from = formatDate(validFrom)
  if (status !== 'AGREED') return `proposed from ${from}`
  if (inForceUntil !== null) return `${from} to ${formatDate(inForceUntil)}`
  return proposed === null ? `from ${from}` : `from ${from} until the next is signed`
}

/** `EUR per piece`, `EUR per 100 kg`. */
function perWords({ currency, per, unit }: PriceRow): string {
  return `${currency} per ${[per === '1' ? '' : per, unit || 'unit'].join(' ').trim()}`
}
