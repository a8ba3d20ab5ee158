// Console calls about open signatures. Under `/console/w/:workspace`.

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
  /** Series id: agreements that read it. */
  series: Type.Optional(Type.String({ maxLength: 60 })),
  /** Month: periods due in it, with those that have to be signed before. */
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
          /** Last period; left out, all that wait. */
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
/** Takes the place of the password: one touch of a passkey signed all of it. */
const batchBody = Type.Object(
  {
    /** Entries of everything signed, see `batchEntry`; ascending. */
    entries: Type.Array(Type.String({ pattern: '^[0-9a-f]{64}$' }), { minItems: 1, maxItems: limits.batches.entries }),
    /** The hash of the entries is its challenge. */
    passkey: assertionBody,
  },
  closed,
)

const signManyBody = Type.Object(
  {
    /** Agreements with every period to sign, by date, and the hash that was shown. */
    agreements: Type.Array(
      Type.Object(
        {
          slug,
          party: Type.Enum(parties),
          periods: Type.Array(seenPeriod, { minItems: 1, maxItems: limits.signedAtOnce }),
          /** With a batch: the salt that hides this agreement in it. */
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
/** Everything that one sign-in at the provider signs, with the displayed facts of each. */
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
  /** Due corrections: proposed and signed at once. */
  proposals: listed(Type.Object({ slug, party: Type.Enum(parties), hash: seenHash }, closed)),
}
export type AskedSigning = Sent<TObject<typeof askedFields>>

const visitBody = Type.Object(
  {
    ...askedFields,
    /** Path of this site where the person is. */
    returnTo: Type.String({ pattern: '^/(?![/\\\\])[^\\s\\\\]*$', maxLength: 2_000 }),
  },
  closed,
)

export const inboxCalls = {
  /** The first rows of both lists, and the number of all. */
  'GET /sign-offs': { query: inboxQuery, answer: answers<Inbox>() },
  /** A further part of one list, from an offset on. */
  'GET /sign-offs/waiting': { query: partQuery, answer: answers<InboxPage>() },
  'GET /sign-offs/recent': { query: recentQuery, answer: answers<RecentlySigned>() },
  /** Signable periods of now, with the hashes that stand for them. */
  'POST /sign-offs/to-sign': { body: toSignBody, answer: answers<ToSign>() },
  /** Stores a passkey's signature for several agreements and corrections: later requests name it. */
  'POST /sign-offs/batch': { body: batchBody, answer: answers<OpenedBatch>() },
  /**
   * Signs periods of several agreements: each agreement whole or not at all, and the refused ones are named with the reason. 403
   * with `needs` where the password has to be given again.
   */
  'POST /sign-offs/sign': { body: signManyBody, answer: answers<SignedSome & WithSlips>() },
  /** Stores a list to sign, and sends the person to their identity provider for it. */
  'POST /sign-offs/visits': { body: visitBody, answer: answers<SigningVisit>() },
  /** After the return: signs exactly the stored list, once. */
  'POST /sign-offs/visits/:id/sign': { answer: answers<VisitOutcome>() },
}
