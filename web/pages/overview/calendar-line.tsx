// First line of the overview: figures that are late or will not come, and dates that are due this week.
import type { Overview } from '../../../src/views/shapes/overview.ts'
import { State } from '../../components/figures/figures.tsx'
import { TextLink } from '../../components/page/links.tsx'
import { countOf, formatCount } from '../../components/words/words.ts'
import { useWorkspace } from '../../session.ts'
import classes from './overview.module.css'

/** The rest is a page away. */
const listed = 3

export function CalendarLine({ overview: { calendar } }: { readonly overview: Overview }) {
  const { slug: ws } = useWorkspace()
  const { alarms, alarmCount, week, weekInTime, releases } = calendar
  if (alarmCount + week + releases === 0) return null
  const inTime =
    weekInTime === week ? 'with every figure in time' : `${formatCount(weekInTime)} with every figure in time`
  const coming = [
    week > 0 && `${countOf(week, 'adjustment')} due, ${inTime}`,
    releases > 0 && `${countOf(releases, 'release')} expected`,
  ].filter(each => each !== false)
  return (
    <section aria-label="Late and due" className={classes.calendar}>
      {alarms.slice(0, listed).map(({ series, period, words }) => (
        <p key={`${series.reference} ${period}`}>
          <State kind="trouble">
            {series.id === null ? (
              series.name
            ) : (
              <TextLink to="/w/$ws/series/$id" params={{ ws, id: series.id }}>
                {series.name} {period}
              </TextLink>
            )}
          </State>{' '}
          <span className="soft">{words}</span>
        </p>
      ))}
      {alarmCount > listed && (
        <p className="soft">
          And{' '}
          <TextLink className="in-text" to="/w/$ws/due" params={{ ws }}>
            {countOf(alarmCount - listed, 'more figure')}
          </TextLink>{' '}
          late or cancelled.
        </p>
      )}
      {coming.length > 0 && (
        <p>
          <TextLink className="in-text" to="/w/$ws/due" params={{ ws }}>
            This week
          </TextLink>
          : {coming.join('; ')}.
        </p>
      )}
    </section>
  )
}
