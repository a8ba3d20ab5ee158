// Events about the people of one's company, until they were looked at under Settings.
import type { Overview } from '../../../src/views/shapes/overview.ts'
import { Ago, State } from '../../components/figures/figures.tsx'
import { TextLink } from '../../components/page/links.tsx'
import { Section } from '../../components/page/page.tsx'
import { useWorkspace } from '../../session.ts'
import classes from './overview.module.css'

/** Rows shown; the rest is under Settings. */
const shownRows = 5

export function PeopleNews({ overview: { people } }: { readonly overview: Overview }) {
  const { slug: ws } = useWorkspace()
  if (people.length === 0) return null
  return (
    <Section
      title="People"
      actions={
        <TextLink to="/w/$ws/settings/$part" params={{ ws, part: 'company' }}>
          Show all
        </TextLink>
      }
    >
      <ul className={classes.plainList}>
        {people.slice(0, shownRows).map(({ seq, at, email, words }) => (
          <li key={seq} className={classes.trouble}>
            <State kind="waiting">{email}</State>
            <span>
              {words}{' '}
              <span className="soft">
                <Ago at={at} />
              </span>
            </span>
          </li>
        ))}
      </ul>
      {people.length > shownRows && <p className="soft">And {people.length - shownRows} more.</p>}
    </Section>
  )
}
