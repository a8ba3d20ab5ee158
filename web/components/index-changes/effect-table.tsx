// Effect of a splice: the dates that both signed, which stay, and the next dates with the old series, the new one and other
// windows.

import type { SpliceBody } from '../../../src/core/index-changes/splice-schema.ts'
import { formatDate } from '../../../src/core/text/words.ts'
import { DataTable } from '../table/data-table.tsx'
import { formatExact, formatExactPrice } from './words.ts'

type Next = SpliceBody['effect']['next'][number]
type Outcome = Next['old']

export function EffectTable({
  effect,
  isShort = false,
}: {
  readonly effect: SpliceBody['effect']
  readonly isShort?: boolean
}) {
  const { next, windows } = effect
  if (next.length === 0)
    return <p className="soft">No adjustment date follows, so this change affects no number yet.</p>
  const hasPrices = next.some(each => each.old.price !== null || each.new.price !== null)
  const what = hasPrices ? 'Price' : 'Factor'
  return (
    <DataTable
      label="Effect on the next dates"
      rows={next}
      keyOf={({ period }) => period}
      columns={[
        {
          head: 'Date',
          isRowHead: true,
          isMain: true,
          className: 'figures',
          cell: ({ period, adjustmentDate }) => (
            <>
              {period}
              <span className="under">{formatDate(adjustmentDate)}</span>
            </>
          ),
        },
        {
          head: `${what} with the old series`,
          isRight: true,
          narrow: 'label',
          className: 'figures',
          cell: ({ old }) => <Told outcome={old} hasPrices={hasPrices} />,
        },
        {
          head: `${what} with the new series`,
          isRight: true,
          narrow: 'label',
          className: 'figures',
          cell: each => (
            <strong>
              <Told outcome={each.new} hasPrices={hasPrices} />
            </strong>
          ),
        },
        ...(isShort
          ? []
          : windows.map(({ from, until, coefficient }, i) => ({
              head: `${from === until ? from : `${from} to ${until}`}: ${coefficient}`,
              isRight: true,
              narrow: 'label' as const,
              className: 'figures',
              cell: ({ others }: Next) =>
                others[i] === undefined ? null : <Told outcome={others[i]} hasPrices={hasPrices} />,
            }))),
      ]}
    />
  )
}

function Told({ outcome, hasPrices }: { readonly outcome: Outcome; readonly hasPrices: boolean }) {
  const { price, factor, gap } = outcome
  const value = hasPrices ? price : factor
  if (value !== null) return <>{hasPrices ? formatExactPrice(value) : formatExact(value)}</>
  return (
    <span className="soft" title={gap ?? undefined}>
      no number
    </span>
  )
}
