// Console routes about the company a person belongs to: its people, its confirmed list, its administrators, and its history.
// Everybody sees their own company and no other.
import { confirmPeople, nameAdministrator } from '../../../storage/people/company-list.ts'
import { markSeenEvents } from '../../../storage/people/people-events.ts'
import { withWorkspace } from '../../../storage/postgres/database.ts'
import { showCompany } from '../../../views/company-view.ts'
import { actorOf } from '../../../views/sight/seat.ts'
import { originOf, prove } from '../agreements/signing.ts'
import { type ConsoleParts, type ConsoleRequestOf, type ConsoleRoute, route } from '../frame/route.ts'

export function companyRoutes(parts: ConsoleParts): readonly ConsoleRoute[] {
  const { sql } = parts.installation
  return [
    route('GET /company', { answer: ({ seat }) => showCompany(parts, seat) }),
    route('POST /company/confirm', { answer: request => confirm(parts, request) }),
    route('POST /company/administrators', {
      async answer({ seat, body }) {
        const { id: personId, isOne } = body
        await nameAdministrator(sql, seat.workspace.id, { by: actorOf(seat), personId, isOne })
        return showCompany(parts, seat)
      },
    }),
    route('POST /company/seen', {
      async answer({ seat, body }) {
        const { workspace, person } = seat
        await withWorkspace(sql, workspace.id, tx => markSeenEvents(tx, workspace.id, person.id, body.until))
      },
    }),
    route('GET /signer', { answer: ({ seat }) => originOf(parts, seat) }),
  ]
}

async function confirm(parts: ConsoleParts, request: ConsoleRequestOf<'POST /company/confirm'>) {
  const { seat, body, origin } = request
  const { hash, passkey } = body
  const proof = await prove(parts, seat, origin, passkey, hash)
  const signer = proof.means === 'PASSKEY' ? proof.origin : await originOf(parts, seat)
  await confirmPeople(parts.installation.sql, seat.workspace.id, {
    by: actorOf(seat),
    hash,
    proof:
      proof.means === 'PASSKEY'
        ? { means: 'PASSKEY', passkey: proof.passkey, origin: signer }
        : { means: 'PASSWORD', passkey: null, origin: signer },
  })
  return showCompany(parts, seat)
}
