// The wire of the console for operators: `GET /console/installation`, for the whole installation and no workspace. Others
// get 403. `POST /console/installation/quarantine/:id` with `{ decision }` releases or rejects: 204.
import type { DecidedRow, ProviderRow, QuarantineRow } from './series.ts'

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
