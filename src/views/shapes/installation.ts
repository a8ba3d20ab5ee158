// Wire types of the console for operators: about the whole installation, outside any workspace.
import type { CalendarRow, DecidedRow, ProviderRow, QuarantineRow } from './series.ts'
import type { QuotaView } from './settings.ts'

export interface InstallationPage {
  /** Of all public series, no matter who follows them. */
  readonly providers: readonly ProviderRow[]
  readonly waiting: readonly (QuarantineRow & { readonly followers: number })[]
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
