// Wire types of the console for operators: about the whole installation, outside any workspace.
import type { CalendarRow, DecidedRow, ProviderRow, QuarantineRow } from './series.ts'
import type { QuotaView } from './settings.ts'

export interface InstallationPage {
  readonly database: 'embedded' | 'own'
  /** Of all public series, no matter who follows them. */
  readonly providers: readonly ProviderRow[]
  /** Each decided alone; what is held with a change of answers is decided with it. */
  readonly waiting: readonly (QuarantineRow & { readonly followers: number })[]
  readonly drifts: readonly DriftRow[]
  readonly calendars: readonly CalendarRow[]
  /** The last ones, the newest first. */
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
  /** The codes of the series whose figures wait. */
  readonly held: readonly string[]
  /** The first ones, each with the shape until now beside the one that came. */
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
  /** What it can be set to. */
  readonly least: number
  readonly highest: number
}
