// Console calls about changes of terms: splices and amendments that both parties sign. Under `/console/w/:workspace`.

import type { TSchema } from 'typebox'
import { directions } from '../../core/index-changes/index-event.ts'
import { spliceMethods } from '../../core/index-changes/splice-schema.ts'
import { parties } from '../../core/parties.ts'
import { changesOfTerms } from '../../core/true-up/change-kinds.ts'
import { proposalStates } from '../../core/true-up/proposal-state.ts'
import { Type } from '../../formats/json-schema.ts'
import { limits } from '../../limits.ts'
import type {
  IndexChanges,
  SeriesIndexChanges,
  SpliceOffer,
  SpliceOfferPreview,
  SplicePreview,
  Successors,
  TermsChangeList,
  TermsChangePage,
  TermsProposed,
  TermsSigned,
} from '../shapes/index-changes.ts'
import type { WithSlips } from '../shapes/signatures.ts'
import { givenWords } from './agreement-calls.ts'
import { answers, type Calls, closed, type Sent } from './call.ts'
import { assertionBody, batchId, batchSalt } from './factor-calls.ts'

const hash = Type.String({ pattern: '^[0-9a-f]{64}$', description: '64 hexadecimal digits' })
const words = Type.String({ minLength: 1, maxLength: limits.objections.characters })
const slug = Type.String({ minLength: 1, maxLength: 200 })
/** Name of a series in formulas. */
const series = Type.String({ minLength: 3, maxLength: 300 })
const label = Type.String({ minLength: 4, maxLength: 20 })
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

const listQuery = Type.Object(
  {
    state: Type.Optional(Type.Enum(proposalStates)),
    kind: Type.Optional(Type.Enum(changesOfTerms)),
    formula: Type.Optional(slug),
    series: Type.Optional(series),
    /** `TermsChangeList.next` of the page before. */
    before: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  closed,
)
export type TermsListWanted = Sent<typeof listQuery>

const wishFields = {
  /** The series that ends, and the one that takes its place. */
  old: series,
  successor: series,
  /** Left out: every input that reads the series. */
  inputs: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 60 }), { minItems: 1, maxItems: 50 })),
  ground: Type.Object(
    {
      kind: Type.Enum(['EVENT', 'SUSPECT', 'BY_HAND']),
      /** For an event or a suspect. */
      event: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      sentence: words,
    },
    closed,
  ),
  method: Type.Enum(spliceMethods),
  direction: Type.Optional(Type.Enum(directions)),
  window: Type.Optional(Type.Object({ from: label, until: label }, closed)),
  /** With POINT: its period. */
  point: Type.Optional(label),
  /** Decimals of a computed coefficient; left out, 6. */
  decimals: Type.Optional(Type.Integer({ minimum: 0, maximum: 12 })),
  /** With PUBLISHED: the coefficient as it is printed. */
  published: Type.Optional(
    Type.Object(
      { direction: Type.Enum(directions), digits: Type.String({ minLength: 1, maxLength: 40 }), source: words },
      closed,
    ),
  ),
  /** Last period that is read from the old series. */
  join: Type.Optional(label),
  /** With RELEVEL: a period of the new series, or a number. */
  base: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
  waitFinal: Type.Optional(Type.Boolean()),
}
const wishBody = Type.Object(wishFields, closed)
export type SpliceWanted = Sent<typeof wishBody>

const offerBody = Type.Object(
  {
    ...wishFields,
    /** Left out: every agreement that reads the series. */
    agreements: Type.Optional(Type.Array(slug, { minItems: 1, maxItems: limits.batches.entries })),
  },
  closed,
)

const signBody = Type.Object(
  {
    party: Type.Enum(parties),
    /** Hash that was shown. */
    hash,
    passkey: Type.Optional(assertionBody),
    /** Takes the place of both: one touch of a passkey signed it among others. */
    batch: Type.Optional(Type.Object({ id: batchId, salt: batchSalt }, closed)),
  },
  closed,
)

const signManyBody = Type.Object(
  {
    changes: Type.Array(
      Type.Object(
        {
          id: Type.String({ minLength: 1, maxLength: 40 }),
          party: Type.Enum(parties),
          hash,
          /** With a batch: the salt that hides this change in it. */
          salt: Type.Optional(batchSalt),
        },
        closed,
      ),
      { minItems: 1, maxItems: limits.batches.entries },
    ),
    batch: Type.Optional(batchId),
  },
  closed,
)

export const indexChangeCalls = {
  /** Facts and suspicions about the indices of their agreements, and the proposals. */
  'GET /index-changes': { answer: answers<IndexChanges>() },
  'GET /series/:id/index-changes': { answer: answers<SeriesIndexChanges>() },
  'GET /series/:id/successors': { answer: answers<Successors>() },
  /** Sorted, the newest first. */
  'GET /terms-changes': { query: listQuery, answer: answers<TermsChangeList>() },
  'GET /terms-changes/:id': { answer: answers<TermsChangePage>() },
  /** Proposes another document for the agreement, with a reason. */
  'POST /agreements/:slug/amendments': {
    body: Type.Object({ text: Type.String({ minLength: 1 }), words: givenWords, reason: words }, closed),
    answer: answers<TermsProposed>(),
  },
  'POST /agreements/:slug/splices/preview': { body: wishBody, answer: answers<SplicePreview>() },
  'POST /agreements/:slug/splices': { body: wishBody, answer: answers<TermsProposed>() },
  /** One splice for each agreement that reads the series. */
  'POST /splices/offer/preview': { body: offerBody, answer: answers<SpliceOfferPreview>() },
  'POST /splices/offer': { body: offerBody, answer: answers<SpliceOffer>() },
  'POST /terms-changes/:id/sign': { body: signBody, answer: answers<TermsChangePage & WithSlips>() },
  /** Signs many at once, each whole or not at all; the refused ones are named with the reason. */
  'POST /terms-changes/sign': { body: signManyBody, answer: answers<TermsSigned & WithSlips>() },
  'POST /terms-changes/:id/refuse': {
    body: Type.Object({ hash: orNull(hash), reason: words }, closed),
    answer: answers<TermsChangePage>(),
  },
} satisfies Calls
