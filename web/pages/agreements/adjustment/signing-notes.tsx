// Notes for people before they sign: figures that may still change, a limit that applied, an open objection, and the consequences
// of signing. Shown beside the number and again in the dialog.
import type { AdjustmentPage, PreliminaryFigure } from '../../../../src/views/shapes/agreements.ts'
import { formatDisputed, formatSubject } from '../../../components/agreements/objection-words.ts'
import { Tag } from '../../../components/figures/figures.tsx'
import classes from '../../../components/signing/sign-panel.module.css'
import { formatPoints } from '../../../components/words/price-words.ts'
import { countOf, formatFigure, sentenceCase } from '../../../components/words/words.ts'

const limitNames = /(?:Cap|Floor)$/

export function Informed({ page }: { readonly page: AdjustmentPage }) {
  const { entry, preliminary, objections } = page
  const limits = page.controls.filter(({ control }) => limitNames.test(control))
  const open = objections.list.filter(({ state }) => state === 'open')
  const isEstimated = entry.dataVersion === 'PRELIMINARY' && preliminary.length === 0
  if (preliminary.length + limits.length + open.length === 0 && !isEstimated) return null
  return (
    <ul className={classes.informed} aria-label="Before you sign">
      {preliminary.map(figure => (
        <li key={`${figure.input} ${figure.name} ${figure.period}`}>
          <Tag tag="PRELIMINARY" /> {figure.name}, {figure.period}: {formatFigure(figure.value)}. {formatMoves(figure)}
        </li>
      ))}
      {isEstimated && (
        <li>
          <Tag tag="PRELIMINARY" /> A value was missing; it was estimated or replaced as the formula says.
        </li>
      )}
      {limits.map(({ control, words, points }) => (
        <li key={control}>
          {sentenceCase(words)} held the number: {formatPoints(points)}.
        </li>
      ))}
      {open.map(objection => (
        <li key={objection.id} className={classes.disputed}>
          {sentenceCase(formatDisputed([objection.party]))}: {formatSubject(objection.about, page)}. {objection.reason}
        </li>
      ))}
    </ul>
  )
}

/** `Its first estimates usually change by 0.40 %, and by 2.10 % at most, over 24 periods.` */
function formatMoves({ moves }: Pick<PreliminaryFigure, 'moves'>): string {
  if (moves === null) return 'Not enough history to say how much first estimates change.'
  const { usualPct, mostPct, periods } = moves
  return `Its first estimates usually change by ${usualPct} %, and by ${mostPct} % at most, over ${countOf(periods, 'period')}.`
}
