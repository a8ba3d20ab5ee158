// Price list that both sign: the reason, the day from which it governs, and the change of every price.

import type { ListBody } from '../../../../src/core/prices/list-amendment.ts'
import { formatDate } from '../../../../src/core/text/words.ts'
import sheet from '../../../components/calculation/sheet.module.css'
import { Section } from '../../../components/page/page.tsx'
import { DataTable } from '../../../components/table/data-table.tsx'
import { countOf, formatFigure } from '../../../components/words/words.ts'

interface ListProps {
  readonly body: ListBody
}

export function ListAnswer({ body: { reason, effect, effectiveFrom, ownPriceUntil } }: ListProps) {
  return (
    <>
      <div className={sheet.answer}>
        <p className={sheet.number}>{countOf(effect.changes.length, 'price')}</p>
        <p className={sheet.since}>
          {ownPriceUntil === null
            ? `of the list, from ${formatDate(effectiveFrom)} on. Numbers that both signed before stay as they are.`
            : `added from ${formatDate(effectiveFrom)} on. The contract’s own price stays as both signed it.`}
        </p>
      </div>
      <p className={sheet.sentence}>{reason}</p>
    </>
  )
}

/** Most prices that are shown; the rest is in the rows of the list. */
const mostShown = 500

export function ListEffect({ body: { effect } }: ListProps) {
  const { changes, period, currency, unchanged } = effect
  return (
    <Section title={`Effect on prices, by the factor of ${period}`}>
      {changes.length === 0 ? (
        <p className="soft">No price differs.</p>
      ) : (
        <DataTable
          label="Effect on prices"
          rows={changes.slice(0, mostShown)}
          keyOf={({ item, fromQuantity }) => `${item} ${fromQuantity}`}
          columns={[
            {
              head: 'Item',
              isRowHead: true,
              isMain: true,
              cell: ({ item, fromQuantity }) => (
                <>
                  <span className="mono">{item}</span>
                  {fromQuantity !== '0' && <span className="under">from {formatFigure(fromQuantity)}</span>}
                </>
              ),
            },
            {
              head: 'Base price',
              isRight: true,
              narrow: 'label',
              className: 'figures',
              cell: ({ before, after }) => <Moved before={before} after={after} />,
            },
            {
              head: `Price, ${currency ?? ''}`,
              isRight: true,
              narrow: 'label',
              className: 'figures',
              cell: ({ priceBefore, priceAfter }) => <Moved before={priceBefore} after={priceAfter} />,
            },
          ]}
        />
      )}
      {changes.length > mostShown && <p className="soft">These are the first {mostShown}.</p>}
      {unchanged > 0 && <p className="soft">{countOf(unchanged, 'price')} of the list stay as they are.</p>}
    </Section>
  )
}

function Moved({ before, after }: { readonly before: string | null; readonly after: string | null }) {
  return (
    <>
      {before ?? <span className="soft">none</span>} → {after ?? <span className="soft">none</span>}
    </>
  )
}
