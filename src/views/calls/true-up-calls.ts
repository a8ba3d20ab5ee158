// Console calls about revisions, corrections and ledgers. Under `/console/w/:workspace`.

import { languages } from '../../core/billing/languages.ts'
import { longestDetail } from '../../core/billing/party-fields.ts'
import type { CorrectionReceipt } from '../../core/true-up/correction-receipt.ts'
import { radarKinds } from '../../core/true-up/radar.ts'
import { Type } from '../../formats/json-schema.ts'
import { noteForms } from '../../formats/notes/note-forms.ts'
import type { PrintedSheet } from '../../formats/print/printed-sheet.ts'
import { limits } from '../../limits.ts'
import type { NoteFile } from '../shapes/billing.ts'
import type { WithSlips } from '../shapes/signatures.ts'
import type {
  CorrectionPage,
  DueCorrections,
  LedgerPage,
  LedgersPage,
  ProposedMany,
  Revisions,
} from '../shapes/true-up.ts'
import { answers, type Calls, closed, nothing, type Sent } from './call.ts'
import { assertionBody, batchId, batchSalt } from './factor-calls.ts'

const moment = Type.String({ minLength: 10, maxLength: 40 })
const hash = Type.String({ pattern: '^[0-9a-f]{64}$', description: '64 hexadecimal digits' })
const words = Type.String({ minLength: 1, maxLength: limits.objections.characters })

/** Left out, the buyer's language. */
const language = Type.Optional(Type.Enum([...languages]))

const causeKey = Type.String({ minLength: 1, maxLength: 400 })

const radarQuery = Type.Object(
  {
    /** Instant or day; `since` left out, revisions that this person has not seen. */
    since: Type.Optional(moment),
    until: Type.Optional(moment),
    kind: Type.Optional(Type.Enum(radarKinds)),
    /** Part of the name or slug of an agreement. */
    q: Type.Optional(Type.String({ maxLength: limits.formulaSearchLength })),
    /** Key of one cause: only its effects. */
    cause: Type.Optional(causeKey),
    /** Offset after an earlier page. */
    from: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  closed,
)
export type RevisionsWanted = Sent<typeof radarQuery>

const dueQuery = Type.Object(
  {
    /** Filters of the list of revisions. */
    since: Type.Optional(moment),
    q: Type.Optional(Type.String({ maxLength: limits.formulaSearchLength })),
    cause: Type.Optional(causeKey),
    /** All agreements, at any time. */
    of: Type.Optional(Type.Literal('all')),
  },
  closed,
)
export type DueWanted = Sent<typeof dueQuery>

const proposeBody = Type.Object(
  {
    agreements: Type.Array(
      Type.Object(
        {
          slug: Type.String({ minLength: 1, maxLength: 200 }),
          /** Hash of the proposal as it was shown. */
          hash,
          /** Side that signs at once; null: the proposal waits for both. */
          party: Type.Union([Type.Literal('buyer'), Type.Literal('supplier'), Type.Null()]),
          /** With a batch: the salt that hides this correction in it. */
          salt: Type.Optional(batchSalt),
        },
        closed,
      ),
      { minItems: 1, maxItems: limits.radar.proposals },
    ),
    /** Takes the place of the password: one touch of a passkey signed all of it. */
    batch: Type.Optional(batchId),
  },
  closed,
)

const signBody = Type.Object(
  {
    party: Type.Union([Type.Literal('buyer'), Type.Literal('supplier')]),
    /** Hash that was shown. */
    hash,
    passkey: Type.Optional(assertionBody),
    /** Takes the place of both: one touch of a passkey signed it among others. */
    batch: Type.Optional(Type.Object({ id: batchId, salt: batchSalt }, closed)),
  },
  closed,
)

export const trueUpCalls = {
  'GET /revisions': { query: radarQuery, answer: answers<Revisions>() },
  /** Corrections due and not proposed yet. */
  'GET /revisions/due': { query: dueQuery, answer: answers<DueCorrections>() },
  /** Each by itself: failed proposals are named, with the reason, beside the made ones. */
  'POST /revisions/propose': { body: proposeBody, answer: answers<ProposedMany & WithSlips>() },
  /** Null: as if they had never looked. */
  'POST /revisions/seen': {
    body: Type.Object({ until: Type.Union([moment, Type.Null()]) }, closed),
    answer: nothing,
  },
  /** Sums of the ledgers of all agreements. */
  'GET /ledgers': { answer: answers<LedgersPage>() },
  'GET /agreements/:slug/ledger': {
    query: Type.Object({ knownAt: Type.Optional(moment) }, closed),
    answer: answers<LedgerPage>(),
  },
  /** Proposed by the policy, or with a reason outside it. */
  'POST /agreements/:slug/corrections': {
    body: Type.Object({ reason: Type.Union([words, Type.Null()]) }, closed),
    answer: answers<{ readonly id: string }>(),
  },
  'GET /corrections/:id': { answer: answers<CorrectionPage>() },
  /** In the form that `assize verify` replays. */
  'GET /corrections/:id/receipt': { answer: answers<CorrectionReceipt>() },
  'POST /corrections/:id/sign': { body: signBody, answer: answers<CorrectionPage & WithSlips>() },
  'POST /corrections/:id/refuse': {
    body: Type.Object({ hash, reason: words }, closed),
    answer: answers<CorrectionPage>(),
  },
  /** Replaces the correction with a waiver. */
  'POST /corrections/:id/waive': { answer: answers<{ readonly id: string }>() },
  'POST /corrections/:id/note': {
    body: Type.Object(
      {
        number: Type.String({ minLength: 1, maxLength: 60 }),
        date: Type.String({ minLength: 10, maxLength: 10 }),
        /** Left out, CSV. */
        form: Type.Optional(Type.Enum([...noteForms])),
        /** Purchase order of this note alone. */
        order: Type.Optional(Type.String({ maxLength: longestDetail })),
      },
      closed,
    ),
    answer: answers<NoteFile>(),
  },
  /** An issued note, again. */
  'GET /corrections/:id/notes/:part': {
    query: Type.Object({ form: Type.Enum([...noteForms]), language }, closed),
    answer: answers<NoteFile>(),
  },
  'GET /corrections/:id/notes/:part/sheet': {
    query: Type.Object({ language }, closed),
    answer: answers<PrintedSheet>(),
  },
} satisfies Calls
