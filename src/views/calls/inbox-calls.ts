// The calls of the console about what waits for signatures. Under `/console/w/:workspace`.

import type { TObject, TSchema } from 'typebox'
import { parties } from '../../core/parties.ts'
import { Type } from '../../formats/json-schema.ts'
import { limits } from '../../limits.ts'
import {
  type Inbox,
  type InboxPage,
  inboxStates,
  type OpenedBatch,
  type RecentlySigned,
  type SignedSome,
  type SigningVisit,
  type ToSign,
  type VisitOutcome,
} from '../shapes/inbox.ts'
import type { WithSlips } from '../shapes/signatures.ts'
import { answers, closed, type Sent } from './call.ts'
import { assertionBody, batchId, batchSalt } from './factor-calls.ts'

const filters = {
  q: Type.Optional(Type.String({ maxLength: limits.formulaSearchLength })),
  /** `SupplierChoice.value`. */
  supplier: Type.Optional(Type.String({ maxLength: limits.emailLength })),
  /** The id of a series: what reads it. */
  series: Type.Optional(Type.String({ maxLength: 60 })),
  /** A month: what is due in it, with what has to be signed before. */
  due: Type.Optional(Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$', description: 'a month, 2024-04' })),
  state: Type.Optional(Type.Enum(inboxStates)),
}
const inboxQuery = Type.Object(filters, closed)
export type InboxRequest = Sent<typeof inboxQuery>

const partQuery = Type.Object(
  { ...filters, side: Type.Enum(['mine', 'others']), from: Type.Integer({ minimum: 0 }) },
  closed,
)
export type InboxPartRequest = Sent<typeof partQuery>

const { state: _state, due: _due, ...narrowing } = filters
const recentQuery = Type.Object(narrowing, closed)
export type RecentRequest = Sent<typeof recentQuery>

const slug = Type.String({ maxLength: 200 })
const label = Type.String({ maxLength: 40 })

const toSignBody = Type.Object(
  {
    agreements: Type.Array(
      Type.Object(
        {
          slug,
          /** Up to which period; left out, all that wait. */
          through: Type.Optional(label),
        },
        closed,
      ),
      { minItems: 1, maxItems: limits.agreementsShownAtOnce },
    ),
  },
  closed,
)
export type ToSignRequest = Sent<typeof toSignBody>

const seenPeriod = Type.Object(
  { period: label, hash: Type.String({ pattern: '^[0-9a-f]{64}$', description: '64 hexadecimal digits' }) },
  closed,
)
/** In place of the password: what one touch of a passkey signed for all of it. */
const batchBody = Type.Object(
  {
    /** Of everything that is signed, see `batchEntry`; ascending. */
    entries: Type.Array(Type.String({ pattern: '^[0-9a-f]{64}$' }), { minItems: 1, maxItems: limits.batches.entries }),
    /** With the hash of the entries as its challenge. */
    passkey: assertionBody,
  },
  closed,
)

const signManyBody = Type.Object(
  {
    /** Each with every period that is signed, by date, and the hash that was shown. */
    agreements: Type.Array(
      Type.Object(
        {
          slug,
          party: Type.Enum(parties),
          periods: Type.Array(seenPeriod, { minItems: 1, maxItems: limits.signedAtOnce }),
          /** With a batch: what hides this agreement in it. */
          salt: Type.Optional(batchSalt),
        },
        closed,
      ),
      { minItems: 1, maxItems: limits.agreementsAtOnce },
    ),
    batch: Type.Optional(batchId),
  },
  closed,
)
export type SignManyRequest = Sent<typeof signManyBody>

const seenHash = Type.String({ pattern: '^[0-9a-f]{64}$' })
const listed = <T extends TSchema>(item: T) => Type.Optional(Type.Array(item, { maxItems: limits.batches.entries }))
const signedById = Type.Object(
  { id: Type.String({ maxLength: 40 }), party: Type.Enum(parties), hash: seenHash },
  closed,
)
/** Everything that one sign-in at the provider signs, each with what was shown of it. */
const askedFields = {
  agreements: listed(
    Type.Object(
      {
        slug,
        party: Type.Enum(parties),
        periods: Type.Array(seenPeriod, { minItems: 1, maxItems: limits.signedAtOnce }),
      },
      closed,
    ),
  ),
  corrections: listed(signedById),
  changes: listed(signedById),
  /** Corrections that are due: proposed and signed at once. */
  proposals: listed(Type.Object({ slug, party: Type.Enum(parties), hash: seenHash }, closed)),
}
export type AskedSigning = Sent<TObject<typeof askedFields>>

const visitBody = Type.Object(
  {
    ...askedFields,
    /** Where the person is: a path of ours. */
    returnTo: Type.String({ pattern: '^/(?![/\\\\])[^\\s\\\\]*$', maxLength: 2_000 }),
  },
  closed,
)

export const inboxCalls = {
  /** The first rows of both lists, and how many there are in all. */
  'GET /sign-offs': { query: inboxQuery, answer: answers<Inbox>() },
  /** More of one list, from an offset on. */
  'GET /sign-offs/waiting': { query: partQuery, answer: answers<InboxPage>() },
  'GET /sign-offs/recent': { query: recentQuery, answer: answers<RecentlySigned>() },
  /** What would be signed now, with the hashes that stand for it. */
  'POST /sign-offs/to-sign': { body: toSignBody, answer: answers<ToSign>() },
  /** Keeps what a passkey signed for several agreements and corrections: requests that sign some of it name it. */
  'POST /sign-offs/batch': { body: batchBody, answer: answers<OpenedBatch>() },
  /**
   * Signs periods of several agreements: each agreement whole or not at all, and those that are refused are named with the
   * reason. 403 with `needs` where the password has to be given again.
   */
  'POST /sign-offs/sign': { body: signManyBody, answer: answers<SignedSome & WithSlips>() },
  /** Keeps what is to be signed, and sends the person to their identity provider for it. */
  'POST /sign-offs/visits': { body: visitBody, answer: answers<SigningVisit>() },
  /** Back from there: signs exactly what was asked, once. */
  'POST /sign-offs/visits/:id/sign': { answer: answers<VisitOutcome>() },
}
