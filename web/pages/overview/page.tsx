// The first page: what waits, what is due, what changed, what is in trouble. An empty workspace shows three first steps.
import { useQuery } from '@tanstack/react-query'
import type { Overview } from '../../../src/views/shapes/overview.ts'
import { api } from '../../api.ts'
import { whilePending } from '../../components/agreements/queries.ts'
import { Money, State } from '../../components/figures/figures.tsx'
import { TextLink } from '../../components/page/links.tsx'
import { LoadingPage, PageHead, Pending, Section, Trouble } from '../../components/page/page.tsx'
import { folded, right, TableHead } from '../../components/table/table-head.tsx'
import {
  countOf,
  evenOut,
  writeCount,
  writeDay,
  writeParties,
  writePrice,
  writeSigned,
} from '../../components/words/words.ts'
import { useSession, useWorkspace } from '../../session.ts'
import { Causes } from './causes.tsx'
import { Disputed } from './disputed.tsx'
import { FirstSteps } from './first-steps.tsx'
import classes from './overview.module.css'
import { PeopleNews } from './people-news.tsx'

/** Rows shown of a list; its link leads to the rest. */
const shownRows = 8

export function OverviewPage() {
  const { slug, path } = useWorkspace()
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['w', slug, 'overview'],
    queryFn: ({ signal }) => api.get(path('/overview'), signal),
    refetchInterval: ({ state }) => whilePending(state.data) || 60_000,
  })
  if (isPending) return <LoadingPage />
  if (error !== null) return <Trouble error={error} retry={() => void refetch()} />
  const hasBegun = data.counts.series > 0 && data.counts.formulas > 0
  return (
    <>
      <PageHead title="Overview" under={<Summary overview={data} />} />
      <Pending count={data.pending} />
      {!hasBegun && <FirstSteps counts={data.counts} />}
      <PeopleNews overview={data} />
      <Troubles overview={data} />
      <Disputed overview={data} />
      {data.counts.formulas > 0 && (
        <>
          <div className={classes.columns}>
            <Waiting overview={data} />
            <Due overview={data} />
          </div>
          <Causes overview={data} />
        </>
      )}
    </>
  )
}

function Summary({ overview }: { readonly overview: Overview }) {
  const session = useSession()
  const { canEdit } = useWorkspace()
  const { waitingCount, waitsForMe } = overview
  const { formulas, series } = overview.counts
  const waits = waitsForMe
    ? `${countOf(waitingCount, 'adjustment')} for you to sign.`
    : formulas === 0
      ? canEdit
        ? 'Three steps to your first number.'
        : 'Nothing is set up for you yet.'
      : 'Nothing waits for your signature.'
  return (
    <>
      {session?.person.name}: {waits}
      {formulas > 0 && ` ${countOf(formulas, 'formula')} on ${countOf(series, 'series', 'series')}.`}
    </>
  )
}

function Troubles({ overview: { troubles, moreTroubles } }: { readonly overview: Overview }) {
  const { slug } = useWorkspace()
  if (troubles.length === 0) return null
  return (
    <Section title="Needs attention">
      <ul className={classes.plainList}>
        {troubles.map(({ kind, subject, words, target }) => (
          <li key={`${kind} ${subject} ${words}`} className={classes.trouble}>
            <State kind="trouble">
              <TroubleSubject slug={slug} kind={kind} subject={subject} target={target} />
            </State>
            <span className="soft">{words}</span>
          </li>
        ))}
      </ul>
      {moreTroubles > 0 && <p className="soft">And {moreTroubles} more.</p>}
    </Section>
  )
}

type TroubleRow = Overview['troubles'][number]

function TroubleSubject({
  slug,
  kind,
  subject,
  target,
}: Pick<TroubleRow, 'kind' | 'subject' | 'target'> & { readonly slug: string }) {
  if (kind === 'formula' && target !== null)
    return (
      <TextLink to="/w/$ws/formulas/$slug" params={{ ws: slug, slug: target }}>
        {subject}
      </TextLink>
    )
  if (kind === 'missing' && target !== null)
    return (
      <TextLink to="/w/$ws/formulas" params={{ ws: slug }} search={{ series: target, state: 'BLOCKED' }}>
        {subject}
      </TextLink>
    )
  if (kind === 'series' && target !== null)
    return (
      <TextLink to="/w/$ws/series/$id" params={{ ws: slug, id: target }}>
        {subject}
      </TextLink>
    )
  return (
    <TextLink to="/w/$ws/settings/$part" params={{ ws: slug, part: 'providers' }}>
      {subject}
    </TextLink>
  )
}

function Waiting({ overview: { waiting, waitsForMe, waitingCount } }: { readonly overview: Overview }) {
  const { slug } = useWorkspace()
  const shown = waiting.slice(0, shownRows)
  const changes = evenOut(shown.map(({ entry }) => writeSigned(entry.adjustmentPct)))
  return (
    <Section
      title={waitsForMe || waiting.length === 0 ? 'Waits for your signature' : 'Waits for the parties'}
      actions={
        <TextLink to="/w/$ws/sign-offs" params={{ ws: slug }}>
          {waitingCount > shownRows ? `All ${writeCount(waitingCount)} sign-offs` : 'All sign-offs'}
        </TextLink>
      }
    >
      {waiting.length === 0 ? (
        <p className="soft">Nothing waits. What you have to sign appears here as soon as it can be computed.</p>
      ) : (
        <div className="scroll-x">
          <table className="ledger">
            <TableHead columns={['Formula', 'Period', right('Adjustment, %'), folded(right('Price'))]} />
            <tbody>
              {shown.map(({ slug: formula, name, entry, currency, unit, hasMoved }, i) => (
                <tr key={`${formula} ${entry.period}`}>
                  <td>
                    {name}
                    {entry.price !== null && (
                      <span className="soft on-narrow">
                        <br />
                        {writePrice(entry.price, currency, unit)}
                      </span>
                    )}
                  </td>
                  <td className="figures">
                    <TextLink
                      to="/w/$ws/formulas/$slug/periods/$period"
                      params={{ ws: slug, slug: formula, period: entry.period }}
                    >
                      {entry.period}
                    </TextLink>
                    {hasMoved && (
                      <>
                        {' '}
                        <State kind="waiting">moved</State>
                      </>
                    )}
                  </td>
                  <td className="right">{changes[i]}</td>
                  <td className="right on-wide">
                    {entry.price !== null && <Money amount={entry.price} currency={currency} unit={unit} />}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  )
}

function Due({ overview: { due, dueMonths } }: { readonly overview: Overview }) {
  const { slug } = useWorkspace()
  const shown = due.slice(0, shownRows)
  const changes = evenOut(shown.map(({ last }) => (last === null ? null : writeSigned(last.adjustmentPct))))
  return (
    <Section title="Due next">
      <DueMonths months={dueMonths} />
      {due.length === 0 ? (
        <p className="soft">No active formula has an upcoming adjustment date.</p>
      ) : (
        <div className="scroll-x">
          <table className="ledger">
            <TableHead columns={['Date', 'Formula', right('Last')]} />
            <tbody>
              {shown.map(({ slug: formula, name, date, last }, i) => (
                <tr key={formula}>
                  <td className="figures">{writeDay(date)}</td>
                  <td>
                    <TextLink to="/w/$ws/formulas/$slug" params={{ ws: slug, slug: formula }}>
                      {name}
                    </TextLink>
                  </td>
                  <td className="right">
                    {last === null ? (
                      <span className="soft">none yet</span>
                    ) : (
                      <>
                        <span className="soft wide">{last.period} </span>
                        <span className="figures">{`${changes[i]}\u202f%`}</span>
                        <span className="wide">
                          {' '}
                          <SignedShort waits={waitsFor(last)} />
                        </span>
                      </>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  )
}

/** For more than one month, or more rows than fit in the list: each month links to its formulas. */
function DueMonths({ months }: { readonly months: Overview['dueMonths'] }) {
  const { slug } = useWorkspace()
  if (months.reduce((count, { formulas }) => count + formulas, 0) <= shownRows) return null
  return (
    <ul className={classes.months}>
      {months.map(({ month, formulas }) => (
        <li key={month}>
          <TextLink to="/w/$ws/formulas" params={{ ws: slug }} search={{ due: month, sort: 'nextDate' }}>
            {writeDay(`${month}-01`).slice(2)}
          </TextLink>{' '}
          <span className="soft figures">{writeCount(formulas)}</span>
        </li>
      ))}
    </ul>
  )
}

type Entry = NonNullable<Overview['due'][number]['last']>

function waitsFor({ signatures, isSigned }: Entry): ('buyer' | 'supplier')[] {
  return isSigned ? [] : (['buyer', 'supplier'] as const).filter(party => signatures[party] === null)
}

function SignedShort({ waits }: { readonly waits: ('buyer' | 'supplier')[] }) {
  if (waits.length === 0) return <State kind="good">signed</State>
  return <State kind="waiting">{waits.length === 2 ? 'to sign' : writeParties(waits)}</State>
}
