// First page: waiting signatures, due dates, changes, and trouble. An empty workspace shows three first steps.

import { useQuery } from '@tanstack/react-query'
import { formatDate } from '../../../src/core/text/words.ts'
import type { Overview } from '../../../src/views/shapes/overview.ts'
import { whilePending } from '../../components/agreements/queries.ts'
import { State } from '../../components/figures/figures.tsx'
import { PriceWay } from '../../components/figures/price-way.tsx'
import { TextLink } from '../../components/page/links.tsx'
import { LoadingPage, PageHead, Pending, Section, Trouble } from '../../components/page/page.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import { countOf, formatCount, formatParties, formatSigned } from '../../components/words/words.ts'
import { useSession, useWorkspace, workspaceQuery } from '../../session.ts'
import { CalendarLine } from './calendar-line.tsx'
import { Causes } from './causes.tsx'
import { Disputed } from './disputed.tsx'
import { FirstSteps } from './first-steps.tsx'
import { MovedMoney } from './moved-money.tsx'
import classes from './overview.module.css'
import { PeopleNews } from './people-news.tsx'
import { Standing } from './standing.tsx'

export function OverviewPage() {
  const workspace = useWorkspace()
  const { data, error, isPending, refetch } = useQuery({
    ...workspaceQuery(workspace, '/overview'),
    refetchInterval: ({ state }) => whilePending(state.data) || 60_000,
  })
  if (isPending) return <LoadingPage />
  if (error !== null) return <Trouble error={error} retry={() => void refetch()} />
  const hasBegun = data.counts.series > 0 && data.counts.agreements > 0
  return (
    <>
      <PageHead title="Overview" under={<Summary overview={data} />} />
      <Pending count={data.pending} />
      <CalendarLine overview={data} />
      {!hasBegun && <FirstSteps counts={data.counts} />}
      <Standing overview={data} />
      {data.portfolio !== null && <MovedMoney portfolio={data.portfolio} isKnown={data.pending === 0} />}
      <PeopleNews overview={data} />
      <Troubles overview={data} />
      <Disputed overview={data} />
      {data.counts.agreements > 0 && (
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
  const { canEdit, role } = useWorkspace()
  const { agreements, series } = overview.counts
  const begun = `${countOf(agreements, 'agreement')} on ${countOf(series, 'series', 'series')}.`
  const empty = canEdit
    ? 'Three steps to your first number.'
    : role === 'supplier'
      ? 'no agreements yet.'
      : 'nothing is set up yet.'
  return (
    <>
      {session?.person.name}: {agreements > 0 ? begun : empty}
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
  if (kind === 'agreement' && target !== null)
    return (
      <TextLink to="/w/$ws/agreements/$slug" params={{ ws: slug, slug: target }}>
        {subject}
      </TextLink>
    )
  if (kind === 'missing' && target !== null)
    return (
      <TextLink to="/w/$ws/agreements" params={{ ws: slug }} search={{ series: target, state: 'BLOCKED' }}>
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
    <TextLink to="/w/$ws/settings/$part" params={{ ws: slug, part: kind === 'webhook' ? 'webhooks' : 'providers' }}>
      {subject}
    </TextLink>
  )
}

function Waiting({ overview }: { readonly overview: Overview }) {
  const { waiting, waitsForMe, waitingCount, waits, pending } = overview
  const proposals = waits.mine.corrections + waits.mine.changes
  const { slug } = useWorkspace()
  return (
    <Section
      title={waitsForMe || waiting.length === 0 ? 'Waiting for your signature' : 'Waiting for the parties'}
      actions={
        <TextLink to="/w/$ws/sign-offs" params={{ ws: slug }}>
          {waitingCount > waiting.length ? `All ${formatCount(waitingCount)} sign-offs` : 'All sign-offs'}
        </TextLink>
      }
    >
      {waiting.length === 0 ? (
        <p className="soft">
          {proposals > 0
            ? `No period waits. ${countOf(proposals, 'correction or change of terms', 'corrections or changes of terms')} ${proposals === 1 ? 'waits' : 'wait'} for you.`
            : pending === 0
              ? 'Nothing waits. A period that you have to sign appears here as soon as it can be computed.'
              : 'Nothing known yet: agreements are still being computed.'}
        </p>
      ) : (
        <DataTable
          label="Waiting periods"
          rows={waiting}
          keyOf={({ slug: agreement, entry }) => `${agreement} ${entry.period}`}
          columns={[
            { head: 'Agreement', cell: ({ name }) => name },
            {
              head: 'Period',
              className: 'figures',
              cell: ({ slug: agreement, entry: { period }, hasMoved }) => (
                <>
                  <TextLink to="/w/$ws/agreements/$slug/periods/$period" params={{ ws: slug, slug: agreement, period }}>
                    {period}
                  </TextLink>
                  {hasMoved && (
                    <>
                      {' '}
                      <State kind="waiting">moved</State>
                    </>
                  )}
                </>
              ),
            },
            { head: 'Change, %', figure: ({ entry }) => formatSigned(entry.step.changePct) },
            {
              head: 'Price',
              isRight: true,
              narrow: 'line',
              cell: ({ entry: { step }, currency, unit }) => <PriceWay step={step} currency={currency} unit={unit} />,
            },
          ]}
        />
      )}
    </Section>
  )
}

function Due({ overview: { due, dueMonths, pending } }: { readonly overview: Overview }) {
  const { slug } = useWorkspace()
  return (
    <Section title="Due next">
      <DueMonths months={dueMonths} listed={due.length} />
      {due.length === 0 ? (
        <p className="soft">
          {pending === 0
            ? 'No active agreement has an upcoming adjustment date.'
            : 'No date known yet: agreements are still being computed.'}
        </p>
      ) : (
        <DataTable
          label="Due next"
          rows={due}
          keyOf={({ slug: agreement }) => agreement}
          columns={[
            { head: 'Date', className: 'figures', cell: ({ date }) => formatDate(date) },
            {
              head: 'Agreement',
              cell: ({ slug: agreement, name }) => (
                <TextLink to="/w/$ws/agreements/$slug" params={{ ws: slug, slug: agreement }}>
                  {name}
                </TextLink>
              ),
            },
            {
              head: 'Last',
              figure: ({ last }) => (last === null ? null : formatSigned(last.step.changePct)),
              cell: ({ last }, text) =>
                last === null ? (
                  <span className="soft">none yet</span>
                ) : (
                  <>
                    <span className="soft wide">{last.period} </span>
                    <span className="figures">{`${text}\u202f%`}</span>
                    <span className="wide">
                      {' '}
                      <SignedShort waits={waitsFor(last)} />
                    </span>
                  </>
                ),
            },
          ]}
        />
      )}
    </Section>
  )
}

/** Due dates of more than one month, or of more rows than fit in the list: each month links to its agreements. */
function DueMonths({ months, listed }: { readonly months: Overview['dueMonths']; readonly listed: number }) {
  const { slug } = useWorkspace()
  if (months.reduce((count, { agreements }) => count + agreements, 0) <= listed) return null
  return (
    <ul className={classes.months}>
      {months.map(({ month, agreements: due }) => (
        <li key={month}>
          <TextLink to="/w/$ws/agreements" params={{ ws: slug }} search={{ due: month, sort: 'nextDate' }}>
            {formatDate(`${month}-01`).slice(2)}
          </TextLink>{' '}
          <span className="soft figures">{formatCount(due)}</span>
        </li>
      ))}
    </ul>
  )
}

type LastAdjustment = NonNullable<Overview['due'][number]['last']>

function waitsFor({ signatures, isSigned }: LastAdjustment): ('buyer' | 'supplier')[] {
  return isSigned ? [] : (['buyer', 'supplier'] as const).filter(party => signatures[party] === null)
}

function SignedShort({ waits }: { readonly waits: ('buyer' | 'supplier')[] }) {
  if (waits.length === 0) return <State kind="good">signed</State>
  return <State kind="waiting">{waits.length === 2 ? 'to sign' : formatParties(waits)}</State>
}
