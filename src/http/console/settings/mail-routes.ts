// Console routes about the mail that a person gets from a workspace. Everybody sets their own, and nobody else's.
import type { OptionalMailKind } from '../../../core/people/mail-kinds.ts'
import { changeMailChoice, loadMailChoice, type MailChoice } from '../../../storage/people/mail.ts'
import { withWorkspace } from '../../../storage/postgres/database.ts'
import type { MailSettings } from '../../../views/shapes/settings.ts'
import type { Seat } from '../../../views/sight/seat.ts'
import { type ConsoleParts, type ConsoleRoute, route } from '../frame/route.ts'

export function mailRoutes({ installation, config }: ConsoleParts): readonly ConsoleRoute[] {
  const { sql } = installation
  const view = ({ person }: Seat, { isDigest, muted }: MailChoice): MailSettings => {
    return { isOn: config.smtp !== null, email: person.email, isDigest, muted }
  }
  return [
    route('GET /mail', {
      async answer({ seat }) {
        const { workspace, person } = seat
        return view(seat, await withWorkspace(sql, workspace.id, tx => loadMailChoice(tx, workspace.id, person.email)))
      },
    }),
    route('PATCH /mail', {
      async answer({ seat, body }) {
        const { workspace, person } = seat
        const change: { isDigest?: boolean; muted?: readonly OptionalMailKind[] } = { ...body }
        const choice = await withWorkspace(sql, workspace.id, tx =>
          changeMailChoice(tx, workspace.id, person.email, change),
        )
        return view(seat, choice)
      },
    }),
  ]
}
