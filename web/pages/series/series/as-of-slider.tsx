// The as-of slider: a time axis with a tick on every day something was published. Dragging it, or stepping from tick to tick
// with the arrow keys, shows the series as it stood; the day can be typed as well.

import { Button, TextInput } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { type KeyboardEvent, memo, type PointerEvent, useEffect, useMemo, useState } from 'react'
import { formatDate } from '../../../../src/core/text/words.ts'
import { addMonths, type Day, formatDay as dayText } from '../../../../src/core/time/day.ts'
import { countOf, formatInstant } from '../../../components/words/words.ts'
import classes from './as-of-slider.module.css'
import { timeMarks } from './chart/plot.ts'
import { readDayText } from './day-text.ts'
import { type AsOf, type PublicationDay, type Since, stepDay } from './vintages.ts'

interface AsOfSliderProps {
  /** Days on which something was published or recorded. */
  readonly days: readonly PublicationDay[]
  /** Meaning of the tall and the short ticks: `days with revisions`. */
  readonly tall: string
  readonly short: string
  /** The axis of the chart above; if it is missing or null, the slider has its own. */
  readonly axis?: SliderAxis | null
  readonly asOf: AsOf | null
  readonly today: Day
  /** Changes since that day, in a sentence. */
  readonly note: string
  /** Called with a day, or with undefined for what is known today. */
  readonly choose: (day: string | undefined, when: 'now' | 'soon') => void
}

/** Days from left to right, and the margins on both sides. */
interface SliderAxis {
  readonly left: number
  readonly right: number
  readonly fromDay: number
  readonly toDay: number
}

/**
 * The chart's axis, if it reaches today and publications cover enough of it: a century of periods that were all published
 * last year would leave the slider only a few pixels.
 */
export function sharedAxis(axis: SliderAxis, days: readonly PublicationDay[], today: Day): SliderAxis | null {
  const first = days[0]?.day
  if (first === undefined || axis.toDay < today || first < axis.fromDay) return null
  return (today - first) * 3 >= axis.toDay - axis.fromDay ? axis : null
}

const trackHeight = 56
const axisAt = 30
/** Space before the first publication, so that the empty time before it can be selected. */
const leadShare = 0.03
const leastLeadDays = 20
/** Keeps the thumb inside. */
const inset = 8

export function AsOfSlider({ days, tall, short, axis = null, asOf, today, note, choose }: AsOfSliderProps) {
  const { ref, width } = useElementSize()
  const firstDay = days[0]?.day ?? today
  const own = firstDay - Math.max(leastLeadDays, Math.round((today - firstDay) * leadShare))
  const { fromDay: from, left, right } = axis ?? { fromDay: own, left: inset, right: inset }
  const scale = (width - left - right) / Math.max(1, today - from)
  const at = asOf === null ? today : Math.min(Math.max(asOf.day, from), today)
  const go = (day: Day | null, when: 'now' | 'soon') =>
    choose(day === null || day >= today ? undefined : dayText(Math.max(day, from)), when)
  const onPointer = (event: PointerEvent) => {
    if (event.type === 'pointerdown') event.currentTarget.setPointerCapture(event.pointerId)
    else if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left
    go(from + Math.round((x - left) / scale), 'soon')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const to = dayAfter(event.key, asOf?.day ?? null, days, today)
    if (to === undefined) return
    event.preventDefault()
    go(to, 'soon')
  }
  return (
    <div className={classes.slider}>
      <DayLine asOf={asOf} today={today} note={note} choose={choose} />
      <div
        ref={ref}
        className={classes.track}
        role="slider"
        tabIndex={0}
        aria-label="As it stood on; arrow keys go from publication to publication"
        aria-valuemin={from}
        aria-valuemax={today}
        aria-valuenow={at}
        aria-valuetext={asOf === null ? 'today' : formatDate(dayText(asOf.day))}
        onPointerDown={onPointer}
        onPointerMove={onPointer}
        onKeyDown={onKeyDown}
      >
        {width > 0 && (
          <>
            <Ticks days={days} from={from} today={today} width={width} left={left} right={right} />
            <div className={classes.thumb} style={{ left: left + (at - from) * scale, top: axisAt - 24 }} />
          </>
        )}
      </div>
      <Key days={days} tall={tall} short={short} />
    </div>
  )
}

const wayPattern: Readonly<Record<string, -1 | 1>> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }

/** Next day for a key; null means today, undefined is for keys without a function here. */
function dayAfter(key: string, at: Day | null, days: readonly PublicationDay[], today: Day): Day | null | undefined {
  const way = wayPattern[key]
  if (way !== undefined) return stepDay(days, at, way)
  if (key === 'Home') return days[0]?.day ?? null
  if (key === 'End') return null
  if (key === 'PageUp') return at === null ? null : addMonths(at, 12)
  if (key === 'PageDown') return addMonths(at ?? today, -12)
  return undefined
}

/** The day as editable text, the button back to today, and what has changed since. */
function DayLine({ asOf, today, note, choose }: Pick<AsOfSliderProps, 'asOf' | 'today' | 'note' | 'choose'>) {
  const shown =
    asOf === null
      ? formatDate(dayText(today))
      : asOf.text.length > 10
        ? formatInstant(asOf.text)
        : formatDate(asOf.text)
  const [typed, setTyped] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a day that was dragged or stepped to replaces the typed one.
  useEffect(() => {
    setTyped(null)
    setProblem(null)
  }, [shown])
  const settle = () => {
    if (typed === null || typed.trim() === shown) return setTyped(null)
    const day = typed.trim() === '' || typed.trim().toLowerCase() === 'today' ? today : readDayText(typed)
    if (day === null) return setProblem('Write a day such as 1 Apr 2024 or 2024-04-01.')
    if (day > today) return setProblem('That day has not come yet. Choose one up to today.')
    setProblem(null)
    setTyped(null)
    choose(day === today ? undefined : dayText(day), 'now')
  }
  return (
    <div className={classes.line}>
      <label className={classes.label} htmlFor="as-of-day">
        As it stood on
      </label>
      <TextInput
        id="as-of-day"
        size="xs"
        className={classes.field}
        value={typed ?? shown}
        error={problem !== null}
        aria-describedby={problem === null ? undefined : 'as-of-problem'}
        onChange={event => setTyped(event.currentTarget.value)}
        onFocus={event => event.currentTarget.select()}
        onBlur={settle}
        onKeyDown={event => event.key === 'Enter' && settle()}
      />
      <span className={classes.since} aria-live="polite">
        {note}
      </span>
      <Button
        variant="default"
        size="xs"
        className={asOf === null ? (classes.hidden ?? '') : ''}
        onClick={() => choose(undefined, 'now')}
      >
        Today
      </Button>
      {problem !== null && (
        <p id="as-of-problem" role="alert" className={classes.problem}>
          {problem}
        </p>
      )}
    </div>
  )
}

/** Changes of a series since that day. */
export function sinceWords(since: Since | null): string {
  if (since === null) return 'As known today. Drag to see what was known on an earlier day.'
  const { changed, added } = since
  if (changed + added === 0) return 'Nothing has changed since then.'
  const parts = [
    changed === 0 ? '' : `${countOf(changed, 'value has', 'values have')} changed since`,
    added === 0 ? '' : `${countOf(added, 'period was', 'periods were')} not out yet`,
  ]
  return `${parts.filter(part => part !== '').join('; ')}.`
}

interface TicksProps {
  readonly days: readonly PublicationDay[]
  readonly from: Day
  readonly today: Day
  readonly width: number
  readonly left: number
  readonly right: number
}

/** Drawn again only when the axis changes. */
const Ticks = memo(function Ticks({ days, from, today, width, left, right }: TicksProps) {
  const scale = (width - left - right) / Math.max(1, today - from)
  const x = (day: Day) => left + (day - from) * scale
  const { firsts, revisions, isDense } = useMemo(() => {
    const columns = new Map<number, boolean>()
    for (const { day, isRevision } of days) {
      const column = Math.round(left + (day - from) * scale)
      columns.set(column, isRevision || columns.get(column) === true)
    }
    const draw = (wanted: boolean, height: number) =>
      [...columns].map(([at, is]) => (is === wanted ? `M${at}.5 ${axisAt}v${-height}` : '')).join('')
    return { firsts: draw(false, 8), revisions: draw(true, 16), isDense: columns.size > width / 3 }
  }, [days, from, scale, width, left])
  const marks = timeMarks(from, today, Math.max(2, (width - left - right) / markWidth))
  return (
    <svg
      className={classes.ticks}
      data-dense={isDense}
      width={width}
      height={trackHeight}
      aria-hidden="true"
      focusable="false"
    >
      <path d={`M${left - inset} ${axisAt}.5H${width - right + inset}`} className={classes.axis} />
      <path d={firsts} className={classes.first} />
      <path d={revisions} className={classes.revision} />
      {marks.map(({ day, label }, i) => (
        <g key={day}>
          <path d={`M${Math.round(x(day))}.5 ${axisAt}v6`} className={classes.axis} />
          {/* The first label may be the longest, so the one next to it is left out if there is no room. */}
          {(i !== 1 || x(day) - x(marks[0]!.day) > (marks[0]!.label.length > yearLength ? firstWidth : markWidth)) && (
            <text x={x(day)} y={axisAt + 20} textAnchor={anchorAt(x(day), width)} className={classes.year}>
              {label}
            </text>
          )}
        </g>
      ))}
    </svg>
  )
})

/** Labels at the ends stay inside. */
function anchorAt(x: number, width: number): 'start' | 'middle' | 'end' {
  return x < markWidth / 2 ? 'start' : x > width - markWidth / 2 ? 'end' : 'middle'
}

/** An axis label with the space around it. */
const markWidth = 80
const firstWidth = 104
const yearLength = '2024'.length

const Key = memo(function Key({ days, tall, short }: Pick<AsOfSliderProps, 'days' | 'tall' | 'short'>) {
  const tallDays = days.filter(({ isRevision }) => isRevision).length
  const tick = (name: string, height: number) => (
    <svg width="3" height="16" aria-hidden="true" focusable="false">
      <path d={`M1.5 16v${-height}`} className={name} />
    </svg>
  )
  return (
    <div className={classes.key}>
      <span>
        {tick(classes.first!, 8)}
        {countOf(days.length - tallDays, 'day', 'days')} {short}
      </span>
      {tallDays > 0 && (
        <span>
          {tick(classes.revision!, 16)}
          {countOf(tallDays, 'day', 'days')} {tall}
        </span>
      )}
    </div>
  )
})
