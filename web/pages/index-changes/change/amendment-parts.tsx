// Amendment: the reason for it, and its effect on the next dates.

import type { AmendmentBody } from '../../../../src/core/index-changes/amendment.ts'
import { formatDate } from '../../../../src/core/text/words.ts'
import sheet from '../../../components/calculation/sheet.module.css'
import { Section } from '../../../components/page/page.tsx'
import { DataTable } from '../../../components/table/data-table.tsx'
import { countOf, formatFigure, formatPct } from '../../../components/words/words.ts'

interface AmendmentProps {
  readonly body: AmendmentBody
}

type Numbers = AmendmentBody['effect'][number]['before']

export function AmendmentAnswer({ body: { reason, differences, words, effectiveFrom } }: AmendmentProps) {
  return (
    <>
      <div className={sheet.answer}>
        <p className={sheet.number}>
          {differences.length === 0 && words !== undefined ? 'Changed words' : countOf(differences.length, 'field')}
        </p>
        <p className={sheet.since}>
          {differences.length === 0 && words !== undefined
            ? 'of the contract, and an unchanged document'
            : `of the document${words === undefined ? '' : ', and changed words of the contract'}`}
          , from {formatDate(effectiveFrom)} on. Numbers that both signed before stay as they are.
        </p>
      </div>
      <p className={sheet.sentence}>{reason}</p>
    </>
  )
}

export function AmendmentEffect({ body: { effect } }: AmendmentProps) {
  return (
    <Section title="Effect">
      {effect.length === 0 ? (
        <p className="soft">No adjustment date follows, so this change affects no number yet.</p>
      ) : (
        <DataTable
          label="Effect on the next dates"
          rows={effect}
          keyOf={({ date }) => date}
          columns={[
            {
              head: 'Date',
              isRowHead: true,
              isMain: true,
              className: 'figures',
              cell: ({ period, date }) => (
                <>
                  {period}
                  <span className="under">{formatDate(date)}</span>
                </>
              ),
            },
            {
              head: 'Under the present terms',
              isRight: true,
              narrow: 'label',
              className: 'figures',
              cell: ({ before }) => <Told numbers={before} />,
            },
            {
              head: 'Under the new terms',
              isRight: true,
              narrow: 'label',
              className: 'figures',
              cell: ({ after }) => <Told numbers={after} />,
            },
          ]}
        />
      )}
    </Section>
  )
}

function Told({ numbers }: { readonly numbers: Numbers }) {
  if (numbers === null) return <span className="soft">no such date</span>
  const { price, adjustmentPct, gap } = numbers
  if (gap !== null)
    return (
      <span className="soft" title={gap}>
        no number
      </span>
    )
  return (
    <>
      {price === null ? formatPct(adjustmentPct) : formatFigure(price)}
      {price !== null && adjustmentPct !== null && <span className="under">{formatPct(adjustmentPct)}</span>}
    </>
  )
}
