// The calls of the console about revisions, corrections and ledgers. Under `/console/w/:workspace`.
import Type from 'typebox'
import type { CorrectionReceipt } from '../../core/true-up/correction-receipt.ts'
import { radarKinds } from '../../core/true-up/radar.ts'
import { limits } from '../../limits.ts'
import type { CorrectionPage, LedgerPage, NoteDocument, Revisions } from '../shapes/true-up.ts'
import { answers, type Calls, closed, nothing, type Sent } from './call.ts'
import { assertionBody, batchId, batchSalt } from './factor-calls.ts'

const moment = Type.String({ minLength: 10, maxLength: 40 })
const hash = Type.String({ pattern: '^[0-9a-f]{64}$', description: '64 hexadecimal digits' })
const words = Type.String({ minLength: 1, maxLength: limits.objections.characters })

const radarQuery = Type.Object(
  {
    /** An instant or a day; left out, what this person has not seen. */
    since: Type.Optional(moment),
    until: Type.Optional(moment),
    kind: Type.Optional(Type.Enum(radarKinds)),
    /** Part of the name or slug of an agreement. */
    q: Type.Optional(Type.String({ maxLength: limits.formulaSearchLength })),
    /** Of an earlier page, with its `until`. */
    from: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  closed,
)
export type RevisionsWanted = Sent<typeof radarQuery>

const signBody = Type.Object(
  {
    party: Type.Union([Type.Literal('buyer'), Type.Literal('supplier')]),
    /** That was shown. */
    hash,
    passkey: Type.Optional(assertionBody),
    /** In place of both: it is among what one touch of a passkey signed. */
    batch: Type.Optional(Type.Object({ id: batchId, salt: batchSalt }, closed)),
  },
  closed,
)

export const trueUpCalls = {
  'GET /revisions': { query: radarQuery, answer: answers<Revisions>() },
  /** Null: as if they had never looked. */
  'POST /revisions/seen': {
    body: Type.Object({ until: Type.Union([moment, Type.Null()]) }, closed),
    answer: nothing,
  },
  'GET /formulas/:slug/ledger': {
    query: Type.Object({ knownAt: Type.Optional(moment) }, closed),
    answer: answers<LedgerPage>(),
  },
  /** By the policy, or with a reason outside it. */
  'POST /formulas/:slug/corrections': {
    body: Type.Object({ reason: Type.Union([words, Type.Null()]) }, closed),
    answer: answers<{ readonly id: string }>(),
  },
  'GET /corrections/:id': { answer: answers<CorrectionPage>() },
  /** As `assize verify` replays it. */
  'GET /corrections/:id/receipt': { answer: answers<CorrectionReceipt>() },
  'POST /corrections/:id/sign': { body: signBody, answer: answers<CorrectionPage>() },
  'POST /corrections/:id/refuse': {
    body: Type.Object({ hash, reason: words }, closed),
    answer: answers<CorrectionPage>(),
  },
  /** Replaces it with a waiver. */
  'POST /corrections/:id/waive': { answer: answers<{ readonly id: string }>() },
  'POST /corrections/:id/note': {
    body: Type.Object(
      { number: Type.String({ minLength: 1, maxLength: 60 }), date: Type.String({ minLength: 10, maxLength: 10 }) },
      closed,
    ),
    answer: answers<NoteDocument>(),
  },
} satisfies Calls
