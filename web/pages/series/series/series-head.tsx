// The part above the chart: the last value as it stood, and any problems.

import { memo, type ReactNode } from 'react'
import { formatDate } from '../../../../src/core/text/words.ts'
import type { OriginView, SeriesPage } from '../../../../src/views/shapes/series.ts'
import { changeAt, shownAt } from '../../../components/figures/exact-figures.ts'
import { Change, Tag } from '../../../components/figures/figures.tsx'
import { IconAlert, IconInfo } from '../../../components/page/icons.tsx'
import { TextLink } from '../../../components/page/links.tsx'
import { formatOrigin } from '../../../components/words/origin-words.ts'
import { formatLabel } from '../../../components/words/period-words.ts'
import { formatPublishedWords } from '../../../components/words/publication-words.ts'
import { asSentence, formatFigure } from '../../../components/words/words.ts'
import { useWorkspace } from '../../../session.ts'
import classes from './series-head.module.css'
import type { Subject } from './view.ts'
import { type Cut, lastPlace, publicationOf } from './vintages.ts'

interface LastValueProps {
  readonly subject: Subject
  readonly cut: Cut
  readonly asOf: string | null
}

export function LastValue({ subject, cut, asOf }: LastValueProps) {
  const { history, unit, originOf } = subject
  const place = lastPlace(history, cut)
  if (place < 0)
    return (
      <div className={classes.last}>
        <span className={classes.number}>–</span>
        <span className="soft">{unit}</span>
        <span className="soft">
          {asOf === null ? 'No value has been published yet.' : `Nothing had been published by ${formatDate(asOf)}.`}
        </span>
      </div>
    )
  const row = cut[place]!
  const [change, overYear] = [changeAt(history, cut, place), shownAt(history, cut, place, { mode: 'yoy', base: -1 })]
  return (
    <div className={classes.last}>
      <span className={classes.value}>
        <span className={classes.number}>{formatFigure(history.value[row]!)}</span>
        <span className="soft">{unit}</span>
      </span>
      <span className={classes.facts}>
        <b>{formatLabel(history.labels[place]!)}</b>
        <Tag tag={history.tag[row]!} isMany />
        <span className="soft">{formatPublishedWords(publicationOf(history, row))}</span>
        <Uploaded origin={originOf(history.recordedAt[row]!)} />
      </span>
      <span className={classes.facts}>
        {change !== null && (
          <span>
            <Change pct={change} /> <span className="soft">from the period before</span>
          </span>
        )}
        {overYear !== null && (
          <span>
            <Change pct={overYear} /> <span className="soft">from a year before</span>
          </span>
        )}
      </span>
    </div>
  )
}

/** The day of publication is then taken from the file. */
function Uploaded({ origin }: { readonly origin: OriginView }) {
  return 'upload' in origin ? <span className="soft">{formatOrigin(origin)}</span> : null
}

/** Notices in words, with what to do next. */
export const Notices = memo(function Notices({ page }: { readonly page: SeriesPage }) {
  const { slug, canEdit, role } = useWorkspace()
  const { trouble, alarm, notice, provider } = page.series
  const { omitted } = page.vintages
  const isCalm =
    trouble === null && alarm === null && notice === null && page.quarantine === null && page.decided === null
  if (isCalm && omitted === 0) return null
  const providers = (
    <TextLink to="/w/$ws/settings/$part" params={{ ws: slug, part: 'providers' }}>
      {page.quarantine === null
        ? `See how ${provider} is doing`
        : page.quarantine.mayDecide
          ? 'Decide in the settings'
          : 'Look at them in the settings'}
    </TextLink>
  )
  return (
    <div className={classes.notices}>
      {page.quarantine !== null && (
        <Notice kind="trouble">
          New values are held back. {asSentence(page.quarantine.reason)} They came on{' '}
          {formatDate(page.quarantine.foundAt)} and are not used until{' '}
          {page.quarantine.mayDecide ? 'you decide, as an operator,' : 'an operator of this installation decides'} for
          all who follow the series. {role !== 'supplier' && providers}
        </Notice>
      )}
      {page.decided !== null && page.quarantine === null && isRecent(page.decided.decidedAt) && (
        <Notice kind="notice">{decisionWords(page.decided)}</Notice>
      )}
      {trouble !== null && page.quarantine === null && (
        <Notice kind="trouble">
          {asSentence(trouble)} What was published before stays usable. {canEdit && providers}
        </Notice>
      )}
      {alarm !== null && <Notice kind="trouble">{asSentence(alarm)}</Notice>}
      {notice !== null && <Notice kind="notice">{asSentence(notice)}</Notice>}
      {omitted > 0 && (
        <Notice kind="notice">
          The history is very long: {omitted} vintages of the oldest periods are not drawn here. The API has all of
          them.
        </Notice>
      )}
    </div>
  )
})

const recentDays = 30

function isRecent(instant: string): boolean {
  return Date.now() - Date.parse(instant) < recentDays * 86_400_000
}

/** Decision about an answer in quarantine, and who made it. */
function decisionWords({ decision, decidedAt, decidedBy, reason }: NonNullable<SeriesPage['decided']>): string {
  const day = formatDate(decidedAt)
  if (decision === 'overtaken')
    return `An answer in quarantine was replaced on ${day} by a newer answer. ${asSentence(reason)}`
  const word = decision === 'released' ? 'published' : 'kept out'
  return `An answer in quarantine was ${word} on ${day}${decidedBy === null ? '' : ` by ${decidedBy}`}. ${asSentence(reason)}`
}

function Notice({ kind, children }: { readonly kind: 'trouble' | 'notice'; readonly children: ReactNode }) {
  return (
    <div className={classes.notice} data-kind={kind} role="note">
      {kind === 'trouble' ? <IconAlert /> : <IconInfo />}
      <p>{children}</p>
    </div>
  )
}
