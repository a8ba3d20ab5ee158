// Words for due dates: states, the basis of a date, and the figures that an adjustment waits for.
import { formatDate } from '../../../src/core/text/words.ts'
import type { DueFigure, DueRow, DueState } from '../../../src/views/shapes/due.ts'
import type { StateKind } from '../../components/figures/state-kind.ts'
import { formatLabel } from '../../components/words/period-words.ts'
import { formatInstant } from '../../components/words/words.ts'

interface StateWords {
  readonly words: string
  readonly kind: StateKind
  readonly meaning: string
}

/** States; the one that needs somebody first comes first. */
export const stateWords: Readonly<Record<DueState, StateWords>> = {
  LATE: { words: 'Late', kind: 'trouble', meaning: 'A figure should have been published by now' },
  BLOCKED: { words: 'Blocked', kind: 'trouble', meaning: 'A figure will not come, or the formula gives no number' },
  AT_RISK: { words: 'At risk', kind: 'waiting', meaning: 'A figure is expected after the adjustment date' },
  READY: { words: 'Ready', kind: 'good', meaning: 'Can be computed now, and is not signed by both' },
  WAITING: { words: 'Waiting', kind: 'waiting', meaning: 'A figure is missing and not late' },
  FINAL_PENDING: { words: 'Final pending', kind: 'waiting', meaning: 'Signed on preliminary figures' },
  SCHEDULED: { words: 'Scheduled', kind: 'plain', meaning: 'Its date has not come, and nothing is late' },
}

export const states = Object.keys(stateWords) as DueState[]

type Basis = NonNullable<DueFigure['basis']>

const basisWords: Readonly<Record<Basis, string>> = {
  OFFICIAL: 'official',
  DATE_ONLY: 'official day',
  LEARNED: 'as in earlier periods',
  USUAL: 'by the usual delay',
}

export function isAnnounced(basis: Basis | null): boolean {
  return basis === 'OFFICIAL' || basis === 'DATE_ONLY'
}

/** An instant with its time, a day without. */
export function formatMoment(at: string): string {
  return at.length > 10 ? formatInstant(at) : formatDate(at)
}

/** `13 Nov 2026, 13:30 UTC, official`; `about 14 Nov 2026, as in earlier periods`. */
export function formatExpected(at: string, basis: Basis | null): string {
  const date = isAnnounced(basis) ? formatMoment(at) : `about ${formatDate(at)}`
  return basis === null ? date : `${date}, ${basisWords[basis]}`
}

/** `Steel mill products, 2026-10` */
export function nameFigure({ series, period, stage }: DueFigure): string {
  return `${series.name}, ${stage === 'FINAL' ? 'final ' : ''}${formatLabel(period)}`
}

/** `Steel mill products has probably ended` */
export function formatEnded({ name, sentence }: DueRow['ended'][number]): string {
  return sentence === null ? `${name} has probably ended: no figure has come for a long time` : `${name}: ${sentence}`
}
