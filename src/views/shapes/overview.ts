// Wire types of the console: the home page. Changes, due dates, open signatures, and problems.

import type { PeriodRow, WaitingCounts, WaitingRow } from './agreements.ts'
import type { PeopleNews } from './company.ts'
import type { DueCalendar } from './due.ts'
import type { Portfolio } from './portfolio.ts'
import type { VersionTag } from './series.ts'

export interface MovedContract {
  readonly slug: string
  readonly name: string
  readonly period: string
  /** Number of its further changed periods. */
  readonly morePeriods: number
  /** Null where there was no number. */
  readonly before: { readonly adjustmentPct: string | null; readonly price: string | null } | null
  readonly after: { readonly adjustmentPct: string | null; readonly price: string | null }
  readonly currency: string | null
  /** Unit of the price: `piece`. */
  readonly unit: string | null
}

export interface Overview {
  /** New and revised values of the last 30 days that agreements read, the newest first. At most 20. */
  readonly changes: readonly {
    readonly seriesId: string
    readonly name: string
    readonly provider: string
    readonly code: string
    readonly period: string
    readonly value: string | null
    readonly before: string | null
    readonly tag: VersionTag | null
    readonly publishedAt: string
    readonly recordedAt: string
    /** First five that read it, and the number of further ones. */
    readonly agreements: readonly { readonly slug: string; readonly name: string }[]
    readonly moreAgreements: number
  }[]
  /** Effects of those figures on open numbers, by recording moment, the contracts with the largest difference first. */
  readonly effects: readonly {
    readonly recordedAt: string
    /** Active contracts whose open numbers changed at that moment. */
    readonly moved: number
    /** The first twelve of them, each with the newest period that changed. */
    readonly contracts: readonly MovedContract[]
  }[]
  /** First line: late figures, and dates of this week. */
  readonly calendar: DueCalendar
  /** The next adjustment date of active agreements, the nearest first. At most 8. */
  readonly due: readonly {
    readonly slug: string
    readonly name: string
    readonly date: string
    readonly last: PeriodRow | null
    readonly currency: string | null
  }[]
  /** Signatures that wait for the person who asks; if none do, for anybody. At most 8. */
  readonly waiting: readonly WaitingRow[]
  /** Whether they wait for the person who asks. */
  readonly waitsForMe: boolean
  /** Disputed numbers, the oldest date first. At most 8, and the number of all. */
  readonly disputed: readonly WaitingRow[]
  readonly disputedCount: number
  /** Number of open periods, listed or not. */
  readonly waitingCount: number
  /** Counts of all open signatures, corrections too: equal to those of the badge and the inbox. */
  readonly waits: WaitingCounts
  /** Money effect of adjustments; null where there are no agreements. */
  readonly portfolio: Portfolio | null
  /** Number of active agreements with their next date in a month, `2026-12`, the nearest first. At most 12. */
  readonly dueMonths: readonly { readonly month: string; readonly agreements: number }[]
  /** Unseen acts about the people of one's company, or about oneself, the newest first. At most 20. */
  readonly people: readonly PeopleNews[]
  /** Problems in words, each with a link. */
  readonly troubles: readonly {
    /** `missing`: one value that several agreements wait for. */
    readonly kind: 'series' | 'agreement' | 'missing' | 'quarantine' | 'provider' | 'webhook'
    readonly subject: string
    readonly words: string
    /** A series' or a webhook's id, or an agreement's slug. */
    readonly target: string | null
  }[]
  /** Number of problems beyond those listed. */
  readonly moreTroubles: number
  readonly counts: { readonly series: number; readonly agreements: number; readonly keys: number }
  /** Agreements still to be computed: everything here has their last known state, or leaves them out. Ask again in a moment. */
  readonly pending: number
}
