// The wire of the console for operators: `GET /console/installation`, for the whole installation and no workspace. Others
// get 403. `POST /console/installation/quarantine/:id` with `{ decision }` releases or rejects: 204.
import type { DecidedRow, ProviderRow, QuarantineRow } from './series.ts'
import type { QuotaView } from './settings.ts'

export interface InstallationPage {
  /** Of all public series, whoever follows them. */
  readonly providers: readonly ProviderRow[]
  readonly waiting: readonly (QuarantineRow & { readonly followers: number })[]
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

/** `GET /console/installation/workspaces`: all of them, by slug. */
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

/**
 * `PATCH /console/installation/workspaces/:slug`: 200 with the workspace as it is then. Whole numbers; null goes back to the
 * default, and what is left out stays.
 */
export type LimitsQuestion = Readonly<Partial<Record<LimitKey, number | null>>>
