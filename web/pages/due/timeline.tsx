// The releases of the days ahead on a line for each provider: a full mark is an announced date, a hollow one with a bar is
// learned, with the days on which it is still usual. A mark opens its figures and the agreements that wait. On a narrow screen
// the timeline is a list.

import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { formatDate } from '../../../src/core/text/words.ts'
import type { DuePage, DueRelease } from '../../../src/views/shapes/due.ts'
import { State } from '../../components/figures/figures.tsx'
import { TextLink } from '../../components/page/links.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import { useNarrow } from '../../components/table/use-narrow.ts'
import { formatLabel } from '../../components/words/period-words.ts'
import { formatProvider, type ProviderNames } from '../../components/words/provider-words.ts'
import { countOf } from '../../components/words/words.ts'
import { useProviderNames, useWorkspace } from '../../session.ts'
import classes from './due.module.css'
import { lanesOf, type Mark, monthsIn, type Span } from './lanes.ts'
import { formatExpected, formatMoment } from './words.ts'

export function Timeline({ due }: { readonly due: DuePage }) {
  const { releases, moreReleases, today, until } = due
  const isNarrow = useNarrow()
  const names = useProviderNames()
  const [opened, setOpened] = useState<string | null>(null)
  if (releases.length === 0)
    return <p className="soft">No adjustment waits for a figure that is expected in these days.</p>
  const span = { from: today, to: until }
  const lanes = lanesOf(releases, span)
  const chosen = lanes.flatMap(({ marks }) => marks).find(({ key }) => key === opened)
  return (
    <>
      {isNarrow ? (
        <Releases releases={releases} label="Figures that adjustments wait for" />
      ) : (
        <>
          <div className={classes.timeline}>
            <Months span={span} />
            {lanes.map(({ provider, marks }) => (
              <div key={provider} className={classes.lane}>
                <span className={classes.laneName}>{nameLane(provider, names)}</span>
                <ul className={classes.track} aria-label={`Releases: ${nameLane(provider, names)}`}>
                  {marks.map(mark => (
                    <MarkButton
                      key={mark.key}
                      mark={mark}
                      isOpen={mark.key === opened}
                      turn={() => setOpened(mark.key === opened ? null : mark.key)}
                    />
                  ))}
                </ul>
              </div>
            ))}
          </div>
          <Legend />
        </>
      )}
      {chosen !== undefined && !isNarrow && (
        <div className={classes.opened} aria-live="polite">
          <Releases releases={chosen.releases} label="The chosen releases" />
        </div>
      )}
      {moreReleases > 0 && (
        <p className="soft">
          And {countOf(moreReleases, 'later release')}; choose fewer days or one supplier to see them.
        </p>
      )}
    </>
  )
}

/** The room that the first word needs, in percent of the track. */
const todayNeeds = 8

function Months({ span }: { readonly span: Span }) {
  const months = monthsIn(span)
  return (
    <div className={classes.months} aria-hidden="true">
      {(months[0]?.at ?? 100) > todayNeeds && <span className={classes.month}>Today</span>}
      {months.map(({ day, at }) => (
        <span key={day} className={classes.month} style={{ insetInlineStart: `${at}%` }}>
          {formatDate(day).replace(/^1 /, '')}
        </span>
      ))}
    </div>
  )
}

interface MarkButtonProps {
  readonly mark: Mark
  readonly isOpen: boolean
  readonly turn: () => void
}

function MarkButton({ mark: { releases, at, width, look }, isOpen, turn }: MarkButtonProps) {
  const words = releases.map(formatRelease)
  return (
    <li className={classes.mark} style={{ insetInlineStart: `${at}%` }} data-look={look}>
      {width > 0 && <span className={classes.window} style={{ inlineSize: `calc(var(--track) * ${width} / 100)` }} />}
      <UnstyledButton className={classes.dot} aria-expanded={isOpen} title={words.join('\n')} onClick={turn}>
        <span className="unseen">{words.join('; ')}</span>
        {releases.length > 1 && <span aria-hidden="true">{releases.length}</span>}
      </UnstyledButton>
    </li>
  )
}

/** Release with its own date: `Diesel, 2026-W42: late, expected about 13 Oct 2026, as in earlier periods`. */
function formatRelease({ title, period, at, basis, status, isLate }: DueRelease): string {
  const when = formatExpected(at, basis)
  const state = status === 'CANCELLED' ? 'cancelled' : isLate ? `late, expected ${when}` : when
  return `${nameRelease(title, period)}: ${state}`
}

/** Figures that belong to no provider are the workspace's own. */
function nameLane(provider: string, names: ProviderNames): string {
  return provider === 'CUSTOM' ? 'Own figures' : formatProvider(provider, names)
}

/** Official titles often name their month already. */
function nameRelease(title: string, period: string): string {
  return / for /.test(title) ? title : `${title}, ${formatLabel(period)}`
}

function Legend() {
  return (
    <p className={classes.legend}>
      <span data-look="official">announced</span>
      <span data-look="learned">expected, with the days on which it is usual</span>
      <span data-look="late">late or cancelled</span>
    </p>
  )
}

function Releases({ releases, label }: { readonly releases: readonly DueRelease[]; readonly label: string }) {
  const { slug: ws } = useWorkspace()
  const names = useProviderNames()
  return (
    <DataTable
      label={label}
      isTall
      rows={releases}
      keyOf={({ key }) => key}
      columns={[
        {
          head: 'Release',
          isRowHead: true,
          className: classes.name,
          cell: ({ title, period, provider }) => (
            <>
              {nameRelease(title, period)}
              <span className="under">{nameLane(provider, names)}</span>
            </>
          ),
        },
        { head: 'Date', narrow: 'line', cell: release => <When release={release} /> },
        {
          head: 'Series',
          narrow: 'line',
          className: classes.name,
          cell: ({ series }) =>
            series.map(({ id, name, reference }, i) => (
              <span key={reference} className={classes.linked}>
                {i > 0 && ', '}
                {id === null ? (
                  name
                ) : (
                  <TextLink to="/w/$ws/series/$id" params={{ ws, id }}>
                    {name}
                  </TextLink>
                )}
              </span>
            )),
        },
        {
          head: 'Agreements that wait',
          narrow: 'line',
          className: classes.name,
          cell: ({ agreements, moreAgreements }) => (
            <>
              {agreements.map(({ slug, name, date }, i) => (
                <span key={`${slug} ${date}`} className={classes.linked}>
                  {i > 0 && ', '}
                  <TextLink to="/w/$ws/agreements/$slug" params={{ ws, slug }} title={`due ${formatDate(date)}`}>
                    {name}
                  </TextLink>
                </span>
              ))}
              {moreAgreements > 0 && ` and ${moreAgreements} more`}
            </>
          ),
        },
      ]}
    />
  )
}

function When({ release: { at, latestAt, basis, status, isLate } }: { readonly release: DueRelease }) {
  if (status === 'CANCELLED') return <State kind="trouble">cancelled</State>
  if (status === 'POSTPONED') return <State kind="waiting">postponed, no new date yet</State>
  return (
    <>
      {isLate ? <State kind="trouble">late, expected {formatMoment(at)}</State> : formatExpected(at, basis)}
      {latestAt !== at && !isLate && <span className="under">until {formatMoment(latestAt)} is usual</span>}
    </>
  )
}
