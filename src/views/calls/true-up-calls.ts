// The calls of the console about revisions, corrections and ledgers. Under `/console/w/:workspace`.

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

/** The buyer's where it is left out. */
const language = Type.Optional(Type.Enum([...languages]))

const causeKey = Type.String({ minLength: 1, maxLength: 400 })

const radarQuery = Type.Object(
  {
    /** An instant or a day; left out, what this person has not seen. */
    since: Type.Optional(moment),
    until: Type.Optional(moment),
    kind: Type.Optional(Type.Enum(radarKinds)),
    /** Part of the name or slug of an agreement. */
    q: Type.Optional(Type.String({ maxLength: limits.formulaSearchLength })),
    /** The key of one cause: only what it moved. */
    cause: Type.Optional(causeKey),
    /** Of an earlier page. */
    from: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  closed,
)
export type RevisionsWanted = Sent<typeof radarQuery>

const dueQuery = Type.Object(
  {
    /** As the list of revisions is filtered. */
    since: Type.Optional(moment),
    q: Type.Optional(Type.String({ maxLength: limits.formulaSearchLength })),
    cause: Type.Optional(causeKey),
    /** Of all agreements, whenever they moved. */
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
          /** Of what would be proposed, as it was shown. */
          hash,
          /** The side that signs at once; null: it is proposed and waits for both. */
          party: Type.Union([Type.Literal('buyer'), Type.Literal('supplier'), Type.Null()]),
          /** With a batch: what hides this correction in it. */
          salt: Type.Optional(batchSalt),
        },
        closed,
      ),
      { minItems: 1, maxItems: limits.radar.proposals },
    ),
    /** In place of the password: what one touch of a passkey signed for all of it. */
    batch: Type.Optional(batchId),
  },
  closed,
)

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
  /** What is due and not proposed yet. */
  'GET /revisions/due': { query: dueQuery, answer: answers<DueCorrections>() },
  /** Each by itself: what cannot be proposed is named, with the reason, beside what was. */
  'POST /revisions/propose': { body: proposeBody, answer: answers<ProposedMany & WithSlips>() },
  /** Null: as if they had never looked. */
  'POST /revisions/seen': {
    body: Type.Object({ until: Type.Union([moment, Type.Null()]) }, closed),
    answer: nothing,
  },
  /** What the ledgers of all agreements come to. */
  'GET /ledgers': { answer: answers<LedgersPage>() },
  'GET /agreements/:slug/ledger': {
    query: Type.Object({ knownAt: Type.Optional(moment) }, closed),
    answer: answers<LedgerPage>(),
  },
  /** By the policy, or with a reason outside it. */
  'POST /agreements/:slug/corrections': {
    body: Type.Object({ reason: Type.Union([words, Type.Null()]) }, closed),
    answer: answers<{ readonly id: string }>(),
  },
  'GET /corrections/:id': { answer: answers<CorrectionPage>() },
  /** As `assize verify` replays it. */
  'GET /corrections/:id/receipt': { answer: answers<CorrectionReceipt>() },
  'POST /corrections/:id/sign': { body: signBody, answer: answers<CorrectionPage & WithSlips>() },
  'POST /corrections/:id/refuse': {
    body: Type.Object({ hash, reason: words }, closed),
    answer: answers<CorrectionPage>(),
  },
  /** Replaces it with a waiver. */
  'POST /corrections/:id/waive': { answer: answers<{ readonly id: string }>() },
  'POST /corrections/:id/note': {
    body: Type.Object(
      {
        number: Type.String({ minLength: 1, maxLength: 60 }),
        date: Type.String({ minLength: 10, maxLength: 10 }),
        /** CSV where it is left out. */
        form: Type.Optional(Type.Enum([...noteForms])),
        /** The purchase order, for this note alone. */
        order: Type.Optional(Type.String({ maxLength: longestDetail })),
      },
      closed,
    ),
    answer: answers<NoteFile>(),
  },
  /** A note that was issued, again. */
  'GET /corrections/:id/notes/:part': {
    query: Type.Object({ form: Type.Enum([...noteForms]), language }, closed),
    answer: answers<NoteFile>(),
  },
  'GET /corrections/:id/notes/:part/sheet': {
    query: Type.Object({ language }, closed),
    answer: answers<PrintedSheet>(),
  },
} satisfies Calls
