// The prices of a formula's items in one period, and the lists they come from.
import { Select } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Sheet } from '../../../../src/formats/sheet.ts'
import type { FormulaPrices } from '../../../../src/views/shapes/invoices.ts'
import { api } from '../../../api.ts'
import { State, type StateKind } from '../../../components/figures/figures.tsx'
import { LoadingRows, Section, Trouble } from '../../../components/page/page.tsx'
import { ExportMenu } from '../../../components/table/export-menu.tsx'
import { ScrollX } from '../../../components/table/scroll-x.tsx'
import { folded, right, TableHead, wide } from '../../../components/table/table-head.tsx'
import { alignOnPoint, countOf, sentenceCase, writeDay, writeFigure } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'

export function Prices({ slug }: { readonly slug: string }) {
  const { slug: ws, path } = useWorkspace()
  const [date, setDate] = useState<string | undefined>(undefined)
  const { data, error, refetch } = useQuery({
    queryKey: ['w', ws, 'formulas', slug, 'prices', date ?? ''],
    queryFn: ({ signal }) => api.get(path('/formulas/:slug/prices', { slug, date }), signal),
    placeholderData: keepPreviousData,
  })
  if (data === undefined)
    return (
      <Section title="Prices">
        {error === null ? <LoadingRows rows={3} /> : <Trouble error={error} retry={() => void refetch()} />}
      </Section>
    )
  // A formula without any price shows nothing about items.
  if (data.periods.length === 0 && data.lists.length === 0 && !data.isOfAnother) return null
  return (
    <Section
      title="Prices"
      actions={
        <>
          {data.periods.length > 1 && (
            <Select
              size="xs"
              aria-label="Period"
              data={data.periods
                .toReversed()
                .map(each => ({ value: each.date, label: `${each.period}, from ${writeDay(each.date)}` }))}
              value={data.date}
              onChange={value => setDate(value ?? undefined)}
              allowDeselect={false}
              w={230}
            />
          )}
          <ExportMenu fileName={`${slug}-prices`} sheet={() => sheetOf(slug, data)} isEmpty={data.rows.length === 0} />
        </>
      }
    >
      <Listed prices={data} />
    </Section>
  )
}

const statusWords: Readonly<Record<string, readonly [StateKind, string]>> = {
  AGREED: ['good', 'agreed by both'],
  SIGNED_BY_BUYER: ['waiting', 'signed by the buyer'],
  SIGNED_BY_SUPPLIER: ['waiting', 'signed by the supplier'],
  OPEN: ['plain', 'not signed'],
}

function Listed({ prices: { rows, rowCount, lists, why } }: { readonly prices: FormulaPrices }) {
  const [newest] = lists
  const figures = alignOnPoint(rows.map(({ price }) => price))
  const hasSteps = rows.some(({ fromQuantity }) => fromQuantity !== '0')
  return (
    <>
      {why !== null && <p className="soft">{sentenceCase(why)}.</p>}
      {rows.length > 0 && (
        <ScrollX label="Prices">
          <table className="ledger">
            <TableHead
              columns={[
                'Item',
                ...(hasSteps ? [folded(right('From quantity'))] : []),
                right('Price'),
                folded({ label: 'Per' }),
                wide('Valid'),
                folded({ label: 'Status' }),
              ]}
            />
            <tbody>
              {rows.map((row, i) => {
                const [kind, words] = statusWords[row.status]!
                return (
                  <tr key={`${row.item} ${row.fromQuantity}`}>
                    <td>
                      {row.item}
                      {row.fromQuantity !== '0' && (
                        <div className="soft on-narrow">from {writeFigure(row.fromQuantity)}</div>
                      )}
                      <div className="on-narrow">
                        <State kind={kind}>{words}</State>
                      </div>
                    </td>
                    {hasSteps && (
                      <td className="right on-wide">{row.fromQuantity === '0' ? '' : writeFigure(row.fromQuantity)}</td>
                    )}
                    <td className="right">
                      {figures[i]}
                      <div className="soft on-narrow">{perWords(row)}</div>
                    </td>
                    <td className="on-wide">{perWords(row)}</td>
                    <td className="wide figures">
                      {writeDay(row.validFrom)} to {row.validTo === null ? 'open' : writeDay(row.validTo)}
                    </td>
                    <td className="on-wide">
                      <State kind={kind}>{words}</State>
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </ScrollX>
      )}
      {rowCount > rows.length && (
        <p className="soft">
          The first {rows.length} of {rowCount}; <span className="mono">assize prices export</span> writes all of them.
        </p>
      )}
      <p className="soft">
        {newest === undefined
          ? 'No price list: the contract’s own price is the only item.'
          : `Price list ${newest.version}, ${countOf(newest.items, 'item')}, governs from ${newest.from}; applied by ${newest.createdBy} on ${writeDay(newest.recordedAt)}.`}
      </p>
    </>
  )
}

/** `EUR per piece`, `EUR per 100 kg`. */
function perWords({ currency, per, unit }: FormulaPrices['rows'][number]): string {
  return `${currency} per ${[per === '1' ? '' : per, unit || 'unit'].join(' ').trim()}`
}

function sheetOf(slug: string, { rows }: FormulaPrices): Sheet {
  const figure = (text: string) => ({ figure: text })
  return {
    name: slug,
    head: ['item', 'from quantity', 'period', 'valid from', 'valid to', 'price', 'per', 'unit', 'currency', 'status'],
    rows: rows.map(row => [
      ...[row.item, figure(row.fromQuantity), row.period, row.validFrom, row.validTo],
      ...[figure(row.price), figure(row.per), row.unit, row.currency, row.status],
    ]),
  }
}
