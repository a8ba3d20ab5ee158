// Console calls about identity providers: sign-in through one, and the choice of one for the people of a party.

import { roles } from '../../core/roles.ts'
import { Type } from '../../formats/json-schema.ts'
import { limits } from '../../limits.ts'
import type { SignInAnswer, SignInStart, WayInView } from '../shapes/session.ts'
import type { IdentityProvidersPage, ProviderTest } from '../shapes/settings.ts'
import { answers, type Calls, closed, nothing, type Sent } from './call.ts'

const wayInText = Type.String({ minLength: 1, maxLength: 40 })
const placeText = Type.String({ pattern: '^/(?![/\\\\])[^\\s\\\\]*$', maxLength: 2_000 })

/** Calls under `/console`. */
export const identityCalls = {
  /** Owner of a way in. 404 where there is none, in words that reveal nothing. */
  'POST /sso/look': { body: Type.Object({ wayIn: wayInText }, closed), answer: answers<WayInView>() },
  /** Begins in this browser; `link` is the token of a one-time link to accept. */
  'POST /sso/begin': {
    body: Type.Object(
      {
        wayIn: wayInText,
        returnTo: Type.Optional(placeText),
        link: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
      },
      closed,
    ),
    answer: answers<SignInStart>(),
  },
  /** The query with which the provider sent the browser back. 401 with a sentence where it is refused. */
  'POST /sso/answer': {
    body: Type.Object({ query: Type.String({ maxLength: 8_000 }) }, closed),
    answer: answers<SignInAnswer>(),
  },
} as const satisfies Calls

const groupRole = Type.Object(
  {
    group: Type.String({ minLength: 1, maxLength: 200 }),
    role: Type.Enum(roles),
  },
  closed,
)

const providerBody = Type.Object(
  {
    party: Type.Union([Type.String({ minLength: 1, maxLength: limits.slugLength }), Type.Null()]),
    issuer: Type.String({ minLength: 8, maxLength: 500 }),
    clientId: Type.String({ minLength: 1, maxLength: 200 }),
    /** Left out, the secret stays. */
    clientSecret: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
    isRequired: Type.Boolean(),
    except: Type.Optional(Type.String({ minLength: 1, maxLength: limits.emailLength })),
    groupsClaim: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    groups: Type.Array(groupRole, { maxItems: 50 }),
    joining: Type.Optional(groupRole),
  },
  closed,
)
export type ProviderRequest = Sent<typeof providerBody>

/** Calls under `/console/w/:workspace`. */
export const providerCalls = {
  'GET /identity-providers': { answer: answers<IdentityProvidersPage>() },
  /** Sets a party's only provider: it replaces the one before. */
  'POST /identity-providers': { body: providerBody, answer: answers<IdentityProvidersPage>() },
  'DELETE /identity-providers/:id': { answer: nothing },
  'POST /identity-providers/:id/test': { answer: answers<ProviderTest>() },
} as const satisfies Calls
