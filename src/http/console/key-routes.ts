// The routes of the console about API keys. A key in clear is in one answer, once, and nowhere else.
import Type, { type Static } from 'typebox'
import { type Instant, parseInstant } from '../../core/instant.ts'
import { Refusal } from '../../core/refusal.ts'
import { limits } from '../../limits.ts'
import { createApiKey, listApiKeyStates, revokeApiKey, rotateApiKey } from '../../storage/api-keys.ts'
import { deriveKey } from '../../storage/secret.ts'
import { actorOf, type ConsoleParts, type ConsoleRoute, created, done, ok } from './route.ts'
import type { IssuedKey, KeyRow } from './wire/settings.ts'

const closed = { additionalProperties: false }
const keyBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: limits.namesLength }),
    expiresAt: Type.Union([Type.String(), Type.Null()]),
  },
  closed,
)
const rotateBody = Type.Object({ overlapHours: Type.Integer({ minimum: 0, maximum: limits.keyOverlapHours }) }, closed)

export function keyRoutes({ installation, now }: ConsoleParts): readonly ConsoleRoute[] {
  const { sql, secret } = installation
  const digestKey = deriveKey(secret, 'api-key digests')
  const roles = ['owner', 'editor'] as const
  return [
    {
      method: 'GET',
      path: '/keys',
      roles,
      async answer({ seat }) {
        const keys: readonly KeyRow[] = await listApiKeyStates(sql, seat.workspace.id)
        return ok(keys)
      },
    },
    {
      method: 'POST',
      path: '/keys',
      roles,
      body: keyBody,
      async answer({ seat, body }) {
        const { name, expiresAt } = body as Static<typeof keyBody>
        const issued: IssuedKey = await createApiKey(sql, digestKey, {
          workspaceId: seat.workspace.id,
          name: name.trim(),
          expiresAt: expiresAt === null ? null : readEnd(expiresAt, now()),
          by: actorOf(seat),
        })
        return created(issued)
      },
    },
    {
      method: 'POST',
      path: '/keys/:id/rotate',
      roles,
      body: rotateBody,
      async answer({ seat, params, body }) {
        const { overlapHours } = body as Static<typeof rotateBody>
        const workspaceId = seat.workspace.id
        const rotation = { workspaceId, id: params.id!, overlapHours, by: actorOf(seat) }
        const issued: IssuedKey = await rotateApiKey(sql, digestKey, rotation)
        return created(issued)
      },
    },
    {
      method: 'DELETE',
      path: '/keys/:id',
      roles,
      async answer({ seat, params }) {
        await revokeApiKey(sql, seat.workspace.id, params.id!, actorOf(seat))
        return done
      },
    },
  ]
}

function readEnd(text: string, now: Instant): Instant {
  const instant = parseInstant(text)
  if (instant === null)
    throw new Refusal('invalid', `expiresAt must be an instant such as 2027-01-31T12:00:00Z, got "${text}"`)
  if (instant <= now) throw new Refusal('invalid', `expiresAt must lie in the future, got ${text}`)
  return instant
}
