// State of the periods of a row, in a few words.
import type { WaitingTally } from '../../../../src/views/shapes/agreements.ts'
import type { InboxPeriod, InboxRow } from '../../../../src/views/shapes/inbox.ts'
import { countOf, formatParties } from '../../../components/words/words.ts'

interface StateWords {
  readonly kind: 'waiting' | 'trouble'
  readonly words: string
}

export function stateOfRow(row: InboxRow): StateWords {
  if (row.kind === 'periods') {
    if (row.hindrance !== null)
      return { kind: 'waiting', words: row.hindrance.isConsent ? 'a change of terms comes first' : 'not yours to sign' }
    return stateOfPeriods(row.periods)
  }
  return row.waitsFor.length === 2 ? { kind: 'waiting', words: 'nobody signed' } : signedByOther(row.waitsFor)
}

/** State of the periods; the most important one comes first. */
export function stateOfPeriods(periods: readonly InboxPeriod[]): StateWords {
  const disputed = periods.filter(({ isDisputed }) => isDisputed).length
  if (disputed > 0)
    return { kind: 'trouble', words: periods.length === 1 ? 'disputed' : `${countOf(disputed, 'period')} disputed` }
  if (periods.some(({ hasMoved }) => hasMoved)) return { kind: 'trouble', words: 'moved since signed' }
  const half = periods.filter(({ waitsFor }) => waitsFor.length === 1)
  if (half.length === 0) return { kind: 'waiting', words: 'nobody signed' }
  const { kind, words } = signedByOther(half[0]!.waitsFor)
  return { kind, words: half.length === periods.length ? words : `${words} ${half.length} of ${periods.length}` }
}

function signedByOther(waitsFor: InboxPeriod['waitsFor']): StateWords {
  const other = waitsFor.includes('buyer') ? 'supplier' : 'buyer'
  return { kind: 'waiting', words: `${formatParties([other])} signed` }
}

/** `701 periods and 2 corrections of 125 agreements wait for your signature`; null for nothing. */
export function formatTally(
  { agreements, periods, corrections, changes }: WaitingTally,
  forWhom = 'for your signature',
): string | null {
  const parts = [
    ...(periods > 0 ? [countOf(periods, 'period')] : []),
    ...(corrections > 0 ? [countOf(corrections, 'correction')] : []),
    ...(changes > 0 ? [`${countOf(changes, 'change')} of terms`] : []),
  ]
  if (parts.length === 0) return null
  const verb = periods + corrections + changes === 1 ? 'waits' : 'wait'
  return `${parts.join(' and ')} of ${countOf(agreements, 'agreement')} ${verb} ${forWhom}`
}
