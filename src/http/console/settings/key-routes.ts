// Console routes about API keys. A key in clear text is in exactly one answer, and nowhere else.

import { Refusal } from '../../../core/refusal.ts'
import { writers } from '../../../core/roles.ts'
import { type Instant, parseInstant } from '../../../core/time/instant.ts'
import { KeyedDigests } from '../../../storage/keys/key-ring.ts'
import { createApiKey, listApiKeyStates, revokeApiKey, rotateApiKey } from '../../../storage/workspaces/api-keys.ts'
import { actorOf } from '../../../views/sight/seat.ts'
import { type ConsoleParts, type ConsoleRoute, created, route } from '../frame/route.ts'

export function keyRoutes({ installation, now }: ConsoleParts): readonly ConsoleRoute[] {
  const { sql, ring } = installation
  const digests = new KeyedDigests(ring, 'api-key digests')
  const roles = writers
  return [
    route('GET /keys', { roles, answer: ({ seat }) => listApiKeyStates(sql, seat.workspace.id) }),
    route('POST /keys', {
      roles,
      async answer({ seat, body: { name, scope, expiresAt } }) {
        const issued = await createApiKey(sql, digests, {
          workspaceId: seat.workspace.id,
          name: name.trim(),
          ...(scope === undefined ? {} : { scope }),
          expiresAt: expiresAt === null ? null : readEnd(expiresAt, now()),
          by: actorOf(seat),
        })
        return created(issued)
      },
    }),
    route('POST /keys/:id/rotate', {
      roles,
      async answer({ seat, params: { id }, body: { overlapHours } }) {
        const rotation = { workspaceId: seat.workspace.id, id, overlapHours, by: actorOf(seat) }
        return created(await rotateApiKey(sql, digests, rotation))
      },
    }),
    route('DELETE /keys/:id', {
      roles,
      answer: ({ seat, params }) => revokeApiKey(sql, seat.workspace.id, params.id, actorOf(seat)),
    }),
  ]
}

function readEnd(text: string, now: Instant): Instant {
  const instant = parseInstant(text)
  if (instant === null)
    throw new Refusal('invalid', `expiresAt must be an instant such as 2027-01-31T12:00:00Z, got "${text}"`)
  if (instant <= now) throw new Refusal('invalid', `expiresAt must lie in the future, got ${text}`)
  return instant
}
