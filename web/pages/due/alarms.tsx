// Figures that are late or will not come, with the likely cause, above everything else.
import type { AlarmView } from '../../../src/views/shapes/due.ts'
import { Ago, State } from '../../components/figures/figures.tsx'
import { TextLink } from '../../components/page/links.tsx'
import { Section } from '../../components/page/page.tsx'
import { formatLabel } from '../../components/words/period-words.ts'
import { countOf } from '../../components/words/words.ts'
import { useWorkspace } from '../../session.ts'
import classes from './due.module.css'
import { formatMoment } from './words.ts'

export function Alarms({ alarms }: { readonly alarms: readonly AlarmView[] }) {
  if (alarms.length === 0) return null
  return (
    <Section title="Late or cancelled">
      <ul className={classes.alarms}>
        {alarms.map(alarm => (
          <Alarm key={`${alarm.series.reference} ${alarm.period}`} alarm={alarm} />
        ))}
      </ul>
    </Section>
  )
}

function Alarm({ alarm: { series, period, words, expectedAt, raisedAt, agreements } }: { readonly alarm: AlarmView }) {
  const { slug: ws } = useWorkspace()
  return (
    <li>
      <State kind="trouble">
        {series.id === null ? (
          series.name
        ) : (
          <TextLink to="/w/$ws/series/$id" params={{ ws, id: series.id }}>
            {series.name}
          </TextLink>
        )}
      </State>{' '}
      <span>
        {formatLabel(period)} {words}.
      </span>{' '}
      <span className="soft">
        {expectedAt !== null && `Expected ${formatMoment(expectedAt)}. `}
        {series.id === null ? (
          countOf(agreements, 'agreement')
        ) : (
          <TextLink className="in-text" to="/w/$ws/due" params={{ ws }} search={{ series: series.id }}>
            {countOf(agreements, 'agreement')}
          </TextLink>
        )}{' '}
        {agreements === 1 ? 'waits' : 'wait'}. Noticed <Ago at={raisedAt} />.
      </span>
    </li>
  )
}
