// Wire types of the console for operators: the whole installation, outside any workspace.
import type { CalendarRow, DecidedRow, ProviderRow, QuarantineRow } from './series.ts'
import type { QuotaView } from './settings.ts'

export interface InstallationPage {
  readonly database: 'embedded' | 'own'
  /** Providers of all public series, no matter who follows them. */
  readonly providers: readonly ProviderRow[]
  /** Single answers to decide; answers held with a drift are decided with it. */
  readonly waiting: readonly (QuarantineRow & { readonly followers: number })[]
  readonly drifts: readonly DriftRow[]
  readonly calendars: readonly CalendarRow[]
  /** Last decisions, the newest first. */
  readonly decided: readonly DecidedRow[]
  readonly operators: readonly {
    readonly email: string
    readonly isMe: boolean
    readonly addedBy: string
    readonly addedAt: string
  }[]
}

/** Answers of a provider that no longer look like those before them. */
export interface DriftRow {
  readonly id: string
  readonly provider: string
  readonly kind: 'values' | 'calendar'
  readonly foundAt: string
  readonly reason: string
  /** Codes of the series whose figures wait. */
  readonly held: readonly string[]
  /** First places, each with the old shape beside the new one. */
  readonly places: readonly {
    readonly name: string
    readonly signs: readonly string[]
    readonly lines: readonly { readonly what: string; readonly before: string | null; readonly after: string | null }[]
  }[]
  readonly morePlaces: number
}

export type LimitKey = 'rateLimit' | 'workspaceRateLimit' | QuotaView['kind']

export interface InstallationWorkspace {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly createdAt: string
  readonly limits: readonly LimitView[]
}

/** One limit of a workspace: `rateLimit` is requests a minute of each key, `workspaceRateLimit` of all keys together. */
export interface LimitView {
  readonly key: LimitKey
  readonly most: number
  readonly isDefault: boolean
  readonly byDefault: number
  /** Null where nothing is counted. */
  readonly used: number | null
  /** Bounds of its values. */
  readonly least: number
  readonly highest: number
}
