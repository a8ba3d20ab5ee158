// An agreement's pages as they stood on an earlier day, in one of two ways: with the figures published by then, or with
// everything recorded here by then, versions and signatures included. The day is in the address.

import { Button, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { formatDate } from '../../../src/core/text/words.ts'
import { parseDay } from '../../../src/core/time/day.ts'
import { ApiFailure } from '../../api.ts'
import { AsOfSlider } from '../../pages/series/series/as-of-slider.tsx'
import { readAsOf } from '../../pages/series/series/vintages.ts'
import { useWorkspace } from '../../session.ts'
import { type ChangeAddress, useAddress } from '../page/address.ts'
import { Empty, PageHead, Trouble } from '../page/page.tsx'
import { asSentence, formatInstant } from '../words/words.ts'
import classes from './as-it-stood.module.css'
import { type CutTexts, useMoments } from './queries.ts'

export interface CutAddress {
  /** The cut that is shown; it is updated when dragging stops. */
  readonly cut: CutTexts
  readonly isPast: boolean
  readonly asked: CutTexts
  readonly change: ChangeAddress
}

/** Requests are sent when the slider comes to rest. */
export function useCut(): CutAddress {
  const [address, change, isMoving] = useAddress()
  const { asOf, knownAt } = address
  const [cut, setCut] = useState<CutTexts>({ asOf, knownAt })
  if (!isMoving && (cut.asOf !== asOf || cut.knownAt !== knownAt)) setCut({ asOf, knownAt })
  const isPast = cut.asOf !== undefined || cut.knownAt !== undefined
  return { cut, isPast, asked: { asOf, knownAt }, change }
}

/** While another day is being fetched, the page still shows the previous one, so it names no day. */
export function whileFetched(at: CutAddress, isLate: boolean): CutAddress {
  return isLate ? { ...at, cut: {} } : at
}

type Clock = 'published' | 'recorded'

const notes: Readonly<Record<Clock, string>> = {
  published: 'Computed with today’s formula from the figures published by that day, without signatures.',
  recorded: 'As this page showed it then: the figures, versions and signatures of that day.',
}
const noteToday: Readonly<Record<Clock, string>> = {
  published: 'As of today. Drag to see the numbers from the figures published by an earlier day.',
  recorded: 'As of today. Drag to see the figures and signatures of an earlier day.',
}

const dayMs = 86_400_000

export function AsItStood({ slug, asked, change }: { readonly slug: string } & Pick<CutAddress, 'asked' | 'change'>) {
  const { data } = useMoments(slug)
  const [chosen, setClock] = useState<Clock>('published')
  const clock = asked.knownAt !== undefined ? 'recorded' : asked.asOf !== undefined ? 'published' : chosen
  const asOf = readAsOf(asked.knownAt ?? asked.asOf)
  const choose = (day: string | undefined, when: 'now' | 'soon', by: Clock = clock) =>
    change({ asOf: by === 'published' ? day : undefined, knownAt: by === 'recorded' ? day : undefined }, when)
  const switchTo = (next: Clock) => {
    setClock(next)
    if (asOf !== null) choose(asOf.text, 'now', next)
  }
  if (data === undefined) return null
  const days = data[clock].map(({ day, isRevision }) => ({ day: parseDay(day)!, isRevision }))
  if (data.published.length === 0) return null
  return (
    <div className={`${classes.stood} no-print`}>
      <SegmentedControl
        size="xs"
        aria-label="Meaning of the day"
        data={[
          { value: 'published', label: 'Published by then' },
          { value: 'recorded', label: 'Recorded here by then' },
        ]}
        value={clock}
        onChange={value => switchTo(value as Clock)}
      />
      <AsOfSlider
        days={days}
        tall={clock === 'published' ? 'with revisions' : 'with revisions, versions or signatures'}
        short="with new periods only"
        asOf={asOf}
        today={Math.floor(Date.now() / dayMs)}
        note={(asOf === null ? noteToday : notes)[clock]}
        choose={(day, when) => choose(day, when)}
      />
    </div>
  )
}

/** Note at the top of a page that does not show today. */
export function PastNote({ cut, change }: Pick<CutAddress, 'cut' | 'change'>) {
  const text = cut.knownAt ?? cut.asOf
  if (text === undefined) return null
  const day = text.length > 10 ? formatInstant(text) : formatDate(text)
  return (
    <p className={classes.past} role="status">
      <span>
        <strong>As it stood on {day}</strong>,{' '}
        {cut.knownAt === undefined ? 'from the figures published by then.' : 'from the entries recorded here by then.'}
      </span>
      <Button size="compact-xs" variant="default" onClick={() => change({ asOf: undefined, knownAt: undefined })}>
        Back to today
      </Button>
    </p>
  )
}

interface NothingThenProps extends Pick<CutAddress, 'cut' | 'asked' | 'change'> {
  readonly slug: string
  readonly title: string
  readonly error: unknown
  readonly retry: () => void
}

/** Page for a day on which nothing existed: another day can be chosen. */
export function NothingThen({ slug, title, error, retry, cut, asked, change }: NothingThenProps) {
  const { slug: ws } = useWorkspace()
  return (
    <>
      <PageHead
        title={title}
        crumbs={[
          { label: 'Agreements', to: '/w/$ws/agreements', params: { ws } },
          ...(title === slug ? [] : [{ label: slug, to: '/w/$ws/agreements/$slug', params: { ws, slug } } as const]),
        ]}
      />
      <PastNote cut={cut} change={change} />
      {error instanceof ApiFailure && error.status === 404 ? (
        <Empty title="Nothing on that day">{asSentence(error.message)}</Empty>
      ) : (
        <Trouble error={error} retry={retry} />
      )}
      <AsItStood slug={slug} asked={asked} change={change} />
    </>
  )
}
