// Revision of each period from its first print to its current value, in percent: bars under the chart, on its axis.
import { useMemo } from 'react'
import { formatLabel } from '../../../../components/words/period-words.ts'
import { formatSigned } from '../../../../components/words/words.ts'
import type { SeriesLine } from '../view.ts'
import classes from './chart.module.css'
import { type Plot, xOf } from './plot.ts'
import { revisionsOf, shapeOf } from './revisions.ts'

const height = 72
const middle = 40
/** Room for the longest bar above and below the line. */
const reach = 26

export function RevisionBars({ line, plot }: { readonly line: SeriesLine; readonly plot: Plot }) {
  const { history } = line
  const revisions = useMemo(() => revisionsOf(line), [line])
  if (revisions.length === 0) return null
  const largest = revisions.reduce((most, each) => (Math.abs(each.pct) > Math.abs(most.pct) ? each : most))
  const scale = reach / Math.abs(largest.pct)
  const inner = plot.width - plot.left - plot.right
  const width = Math.max(1, Math.min(10, (inner / Math.max(1, line.end - line.first)) * 0.6))
  const bars = revisions.map(({ place, pct }) => [xOf(plot, history.firstDays[place]!), pct] as const)
  const words = `${formatSigned(largest.pct.toFixed(2))}\u202f% in ${formatLabel(history.labels[largest.place]!)}`
  return (
    <figure className={classes.revisions}>
      <figcaption>Revisions since the first print, in percent; the largest is {words}.</figcaption>
      <svg
        width={plot.width}
        height={height}
        role="img"
        aria-label={`${revisions.length} periods were revised, the largest by ${words}`}
      >
        <path d={`M${plot.left} ${middle}.5H${plot.width - plot.right}`} className={classes.zeroLine} />
        <path d={shapeOf({ bars, width, scale, middle })} className={classes.revisionBars} />
        {[largest.pct].map(pct => (
          <text
            key="largest"
            className={classes.revisionMark}
            x={plot.left - 8}
            y={pct > 0 ? middle - reach + 4 : middle + reach + 4}
            textAnchor="end"
          >
            {formatSigned(pct.toFixed(Math.abs(pct) < 1 ? 2 : 1))}
          </text>
        ))}
        <text className={classes.revisionMark} x={plot.left - 8} y={middle + 4} textAnchor="end">
          0
        </text>
      </svg>
    </figure>
  )
}
