// Wire types of the console: what a person sees first. What changed, what is due, what waits, and what is wrong.

import type { PeriodRow, WaitingCounts, WaitingRow } from './agreements.ts'
import type { PeopleNews } from './company.ts'
import type { DueCalendar } from './due.ts'
import type { Portfolio } from './portfolio.ts'
import type { VersionTag } from './series.ts'

export interface MovedContract {
  readonly slug: string
  readonly name: string
  readonly period: string
  /** How many more of its periods changed. */
  readonly morePeriods: number
  /** Null where there was no number. */
  readonly before: { readonly adjustmentPct: string | null; readonly price: string | null } | null
  readonly after: { readonly adjustmentPct: string | null; readonly price: string | null }
  readonly currency: string | null
  /** What the price is for: `piece`. */
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
    /** The first five that read it, and how many more do. */
    readonly agreements: readonly { readonly slug: string; readonly name: string }[]
    readonly moreAgreements: number
  }[]
  /** What those figures did to open numbers, by the moment they were recorded: the contracts with the largest difference first. */
  readonly effects: readonly {
    readonly recordedAt: string
    /** Active contracts whose open numbers changed at that moment. */
    readonly moved: number
    /** The first twelve of them, each with the newest period that changed. */
    readonly contracts: readonly MovedContract[]
  }[]
  /** What is late, and what is due this week: the first line. */
  readonly calendar: DueCalendar
  /** The next adjustment date of active agreements, the nearest first. At most 8. */
  readonly due: readonly {
    readonly slug: string
    readonly name: string
    readonly date: string
    readonly last: PeriodRow | null
    readonly currency: string | null
  }[]
  /** What waits for the person who asks; if nothing does, for anybody. At most 8. */
  readonly waiting: readonly WaitingRow[]
  /** Whether these wait for the person who asks. */
  readonly waitsForMe: boolean
  /** Numbers that a side objects to, the oldest date first. At most 8, and how many there are. */
  readonly disputed: readonly WaitingRow[]
  readonly disputedCount: number
  /** How many periods there are, listed or not. */
  readonly waitingCount: number
  /** How much waits in all, corrections too: the same numbers as in the badge and the inbox. */
  readonly waits: WaitingCounts
  /** What adjustments do to money; null where there are no agreements. */
  readonly portfolio: Portfolio | null
  /** How many active agreements have their next date in a month, `2026-12`, the nearest first. At most 12. */
  readonly dueMonths: readonly { readonly month: string; readonly agreements: number }[]
  /** What was done about the people of one's company, or about oneself, and not seen yet; the newest first. At most 20. */
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
  /** How many problems there are beyond those listed. */
  readonly moreTroubles: number
  readonly counts: { readonly series: number; readonly agreements: number; readonly keys: number }
  /**
   * Agreements that still have to be computed: everything here is as it was last known of them, or without them. Ask again
   * in a moment.
   */
  readonly pending: number
}
