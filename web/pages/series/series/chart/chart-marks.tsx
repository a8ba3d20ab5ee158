// Marks of a chart of a series: upright lines with a number, and under the chart what each number means.
import { formatDate } from '../../../../../src/core/text/words.ts'
import { formatDay as isoDay } from '../../../../../src/core/time/day.ts'
import classes from './chart.module.css'
import type { Mark } from './marks.ts'
import { type Plot, spreadLabels, xOf } from './plot.ts'

interface NumberedMark extends Mark {
  readonly number: number
}

/** Marks on the visible part of the axis, with the numbers under which they are drawn and explained. */
export function visibleMarks(marks: readonly Mark[], { fromDay, toDay }: Plot): readonly NumberedMark[] {
  const seen = marks.filter(({ day }) => day >= fromDay && day <= toDay)
  return seen.map((mark, i) => ({ ...mark, number: i + 1 }))
}

const badgeWidth = 18

interface MarksProps {
  readonly marks: readonly NumberedMark[]
}

export function MarkLines({ marks, plot }: MarksProps & { readonly plot: Plot }) {
  const places = marks.map(({ day }) => xOf(plot, day))
  const half = badgeWidth / 2
  const badges = spreadLabels(places, badgeWidth, plot.left + half, plot.width - half)
  return (
    <div aria-hidden="true">
      {marks.map(({ number }, i) => (
        <div key={number}>
          <span
            className={classes.markLine}
            style={{ left: places[i]!, top: plot.top, height: plot.height - plot.top - plot.bottom }}
          />
          <span className={classes.markBadge} style={{ left: badges[i]!, top: plot.top }}>
            {number}
          </span>
        </div>
      ))}
    </div>
  )
}

export function MarkList({ marks }: MarksProps) {
  if (marks.length === 0) return null
  return (
    <ol className={classes.marks} aria-label="Marked in the chart">
      {marks.map(({ number, day, words }) => (
        <li key={number}>
          <span className={classes.markNumber}>{number}</span>
          <span>
            <time dateTime={isoDay(day)}>{formatDate(isoDay(day))}</time>
            {words.map(each => (
              <span key={each} className={classes.markWords}>
                {each}
              </span>
            ))}
          </span>
        </li>
      ))}
    </ol>
  )
}
