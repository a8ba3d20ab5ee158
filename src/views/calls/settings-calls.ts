// Console calls about keys, people, the workspace and its activity. Under `/console/w/:workspace`. Keys: owner and editor. People
// and the workspace's name: owner. Activity and the check of the chains: everybody except suppliers.

import { keyScopes } from '../../core/people/key-scope.ts'
import { optionalMailKinds } from '../../core/people/mail-kinds.ts'
import { roles } from '../../core/roles.ts'
import { Type } from '../../formats/json-schema.ts'
import { limits } from '../../limits.ts'
import { feedBounds } from '../../storage/people/feed-bounds.ts'
import type {
  ActivityPage,
  ChainReport,
  FeedContent,
  FeedRow,
  Invited,
  IssuedFeed,
  IssuedKey,
  KeyRow,
  MailSettings,
  PersonRow,
  WorkspacePage,
} from '../shapes/settings.ts'
import { answers, type Calls, closed, nothing, type Sent } from './call.ts'

const nameText = Type.String({ minLength: 1, maxLength: limits.namesLength })
const role = Type.Enum(roles)
/** Slug of a company, or null for none. */
const party = Type.Union([Type.String({ minLength: 1, maxLength: limits.slugLength }), Type.Null()])

/** The default scope is `read`. */
const keyBody = Type.Object(
  {
    name: nameText,
    scope: Type.Optional(Type.Enum([...keyScopes])),
    expiresAt: Type.Union([Type.String(), Type.Null()]),
  },
  closed,
)
/** By default both contents, of all agreements that the person sees. */
const feedBody = Type.Object(
  {
    name: nameText,
    shows: Type.Optional(Type.Enum(['ALL', 'RELEASES', 'DATES'] satisfies FeedContent[])),
    agreements: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: limits.slugLength }), {
        minItems: 1,
        maxItems: feedBounds.agreements,
      }),
    ),
  },
  closed,
)
const rotateBody = Type.Object({ overlapHours: Type.Integer({ minimum: 0, maximum: limits.keyOverlapHours }) }, closed)
const inviteBody = Type.Object(
  {
    email: Type.String({ minLength: 1, maxLength: limits.emailLength }),
    name: Type.String({ maxLength: limits.namesLength }),
    role,
    party: Type.Optional(party),
  },
  closed,
)
export type InviteRequest = Sent<typeof inviteBody>

/** Fields left out stay. */
const personBody = Type.Object({ role: Type.Optional(role), party: Type.Optional(party) }, closed)
export type PersonRequest = Sent<typeof personBody>

/** Fields left out stay. */
const mailBody = Type.Object(
  {
    isDigest: Type.Optional(Type.Boolean()),
    muted: Type.Optional(
      Type.Array(Type.Enum([...optionalMailKinds]), { maxItems: optionalMailKinds.length, uniqueItems: true }),
    ),
  },
  closed,
)

const activityText = Type.Optional(Type.String({ maxLength: limits.formulaSearchLength }))
const activityQuery = Type.Object(
  {
    before: Type.Optional(Type.String()),
    /** Filters: part of the person's name; part of the act or its subject; days in UTC, both included; slug of an agreement. */
    who: activityText,
    q: activityText,
    from: Type.Optional(Type.String({ maxLength: 10 })),
    to: Type.Optional(Type.String({ maxLength: 10 })),
    formula: activityText,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
  },
  closed,
)
export type ActivityRequest = Sent<typeof activityQuery>

export const settingsCalls = {
  'GET /keys': { answer: answers<readonly KeyRow[]>() },
  /** 201 with the key in clear text, once. */
  'POST /keys': { body: keyBody, answer: answers<IssuedKey>() },
  /** 201 with the new key; the old one keeps working for the overlap. */
  'POST /keys/:id/rotate': { body: rotateBody, answer: answers<IssuedKey>() },
  'DELETE /keys/:id': { answer: nothing },
  /** Calendar feeds of the person who asks, in this workspace. */
  'GET /feeds': { answer: answers<readonly FeedRow[]>() },
  /** 201 with the address, once. */
  'POST /feeds': { body: feedBody, answer: answers<IssuedFeed>() },
  'DELETE /feeds/:id': { answer: nothing },
  'GET /people': { answer: answers<readonly PersonRow[]>() },
  /** Answers 201. */
  'POST /people': { body: inviteBody, answer: answers<Invited>() },
  /** 201 with a new one-time link, for somebody who has not joined yet. */
  'POST /people/:id/link': { answer: answers<Invited>() },
  /**
   * 201 with a one-time link for somebody who has joined and forgot their password: they join again with it. 409 for
   * yourself.
   */
  'POST /people/:id/password-link': { answer: answers<Invited>() },
  'PATCH /people/:id': { body: personBody, answer: answers<PersonRow>() },
  /** The last owner cannot be removed. */
  'DELETE /people/:id': { answer: nothing },
  /** Settings of the person who asks, in this workspace. */
  'GET /mail': { answer: answers<MailSettings>() },
  'PATCH /mail': { body: mailBody, answer: answers<MailSettings>() },
  'GET /workspace': { answer: answers<WorkspacePage>() },
  'PATCH /workspace': { body: Type.Object({ name: nameText }, closed), answer: answers<WorkspacePage>() },
  /** By default 50 at a time, the newest first; `before` is the last id of the page before. */
  'GET /activity': {
    query: activityQuery,
    answer: answers<ActivityPage>(),
  },
  /** Checks the hash chains of this workspace and of the public series. */
  'POST /chain/verify': { answer: answers<ChainReport>() },
} satisfies Calls
