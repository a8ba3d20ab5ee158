// Console calls about agreements: lists, pages, trials and saving of documents, signatures. Behind `/console/w/:workspace`.

import { statuses } from '../../core/formula/formula.ts'
import { wordsBounds } from '../../core/formula/words/contract-words.ts'
import { parties } from '../../core/parties.ts'
import type { Receipt } from '../../core/receipt/receipt.ts'
import { Type } from '../../formats/json-schema.ts'
import { limits } from '../../limits.ts'
import { agreementSorts, agreementStates } from '../shapes/agreement-filters.ts'
import type {
  AdjustmentPage,
  AgreementComparison,
  AgreementList,
  AgreementPage,
  Preview,
  Saved,
  SearchHits,
  SeriesChoice,
  WaitingTally,
} from '../shapes/agreements.ts'
import type { AgreementMoments, ProposalHistory } from '../shapes/history.ts'
import type { Overview } from '../shapes/overview.ts'
import type { WithSlips } from '../shapes/signatures.ts'
import type { VersionView, WordsView } from '../shapes/versions.ts'
import { answers, type Calls, closed, nothing, type Sent } from './call.ts'
import { assertionBody } from './factor-calls.ts'

/** Cut of a page: publications up to `asOf`, records up to `knownAt`. A day counts to its end. */
const cut = {
  asOf: Type.Optional(Type.String({ maxLength: 40 })),
  knownAt: Type.Optional(Type.String({ maxLength: 40 })),
}
const cutQuery = Type.Object(cut, closed)
export type CutRequest = Sent<typeof cutQuery>

const words = Type.Optional(Type.String({ maxLength: limits.formulaSearchLength }))

/** `SupplierChoice.value`. */
const supplier = Type.Optional(Type.String({ maxLength: limits.emailLength }))

/** Series id: agreements that read it. */
const series = Type.Optional(Type.String({ maxLength: 60 }))
/** Month: dates in it. */
const due = Type.Optional(Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$', description: 'a month, 2024-04' }))

const listQuery = Type.Object(
  {
    q: words,
    status: Type.Optional(Type.Enum(statuses)),
    supplier,
    series,
    /** Month of the next adjustment date. */
    due,
    state: Type.Optional(Type.Enum(agreementStates)),
    sort: Type.Optional(Type.Enum(agreementSorts)),
    /** `AgreementList.next` of the page before. */
    after: Type.Optional(Type.String()),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.formulaPage.most })),
  },
  closed,
)
export type AgreementListRequest = Sent<typeof listQuery>

const previewBody = Type.Object(
  {
    text: Type.String(),
    /** Slug of the stored agreement to compare with. */
    against: Type.Union([Type.String(), Type.Null()]),
  },
  closed,
)
export type PreviewRequest = Sent<typeof previewBody>

/**
 * The contract's own words: null for none; left out, those of the version before stay. Their counts are checked with the document,
 * so that all problems are reported at once.
 */
export const givenWords = Type.Optional(
  Type.Union([
    Type.Object(
      {
        sentences: Type.Array(Type.String()),
        links: Type.Array(
          Type.Object(
            {
              sentence: Type.Integer({ minimum: 1 }),
              path: Type.Union([Type.String({ maxLength: wordsBounds.path }), Type.Null()]),
            },
            closed,
          ),
        ),
      },
      closed,
    ),
    Type.Null(),
  ]),
)

const saveBody = Type.Object(
  {
    text: Type.String(),
    /** Version the change was made from; 0 for a new agreement. */
    basedOn: Type.Integer({ minimum: 0 }),
    /** `AgreementPage.revision` as it was seen: a change of status, parties or billing terms meanwhile is then a 409 too. */
    revision: Type.Optional(Type.Integer({ minimum: 0 })),
    words: givenWords,
  },
  closed,
)
export type SaveRequest = Sent<typeof saveBody>

const lookBody = Type.Object(
  { hash: Type.String({ pattern: '^[0-9a-f]{64}$', description: '64 hexadecimal digits' }) },
  closed,
)

const seenPeriod = Type.Object(
  {
    period: Type.String({ maxLength: 40 }),
    hash: Type.String({ pattern: '^[0-9a-f]{64}$', description: '64 hexadecimal digits' }),
  },
  closed,
)
const signBody = Type.Object(
  {
    party: Type.Enum(parties),
    /** Every period to sign, by date, with the hash that was shown. */
    periods: Type.Array(seenPeriod, { minItems: 1, maxItems: limits.signedAtOnce }),
    /** Takes the place of the password; its challenge is the hash of the receipt, or of the list. */
    passkey: Type.Optional(assertionBody),
  },
  closed,
)
export type SignOffRequest = Sent<typeof signBody>

const day = Type.String({ maxLength: 10 })
const evidenceQuery = Type.Object({ from: Type.Optional(day), to: Type.Optional(day) }, closed)

/** The badge beside the sign-offs in the list of pages, counted without opening agreements. */
export interface WaitingCount extends WaitingTally {
  /** Number of periods, corrections and changes of terms. */
  readonly mineCount: number
  /** Agreements that still have to be computed: ask again in a moment. */
  readonly pending: number
}

export const agreementCalls = {
  'GET /overview': { answer: answers<Overview>() },
  'GET /sign-offs/count': { answer: answers<WaitingCount>() },
  /** Sorted by slug unless asked otherwise, 50 at a time. */
  'GET /agreements': { query: listQuery, answer: answers<AgreementList>() },
  /** Series that most agreements read, at most 200. */
  'GET /series-read': { answer: answers<readonly SeriesChoice[]>() },
  /** Slugs of all agreements. */
  'GET /slugs': { answer: answers<readonly string[]>() },
  /** Agreements and series whose name, slug or code has the words, the first twelve of each. */
  'GET /find': { query: Type.Object({ q: words }, closed), answer: answers<SearchHits>() },
  /** Saves a document. 201; 422 with problems; 409 where a newer version was saved meanwhile. */
  'POST /agreements': { body: saveBody, answer: answers<Saved>() },
  /**
   * The document over the whole history, with nothing saved. 200 with problems if it has some. Signed periods and earlier versions
   * are left out on both sides.
   */
  'POST /agreements/preview': { body: previewBody, answer: answers<Preview>() },
  /** The document under other readings. */
  'POST /agreements/compare': {
    body: Type.Object({ text: Type.String() }, closed),
    answer: answers<AgreementComparison>(),
  },
  'GET /agreements/:slug': { query: cutQuery, answer: answers<AgreementPage>() },
  /** The contract's own words, of a version that the person sees. */
  'GET /agreements/:slug/versions/:version/words': { answer: answers<WordsView>() },
  /** Sorted, the newest first. */
  'GET /agreements/:slug/versions': { answer: answers<readonly VersionView[]>() },
  /** A ZIP: receipts, pages, tables and an offline check. Days of adjustments, both included. */
  'GET /agreements/:slug/evidence': { query: evidenceQuery, answer: nothing },
  /** Days for the slider. */
  'GET /agreements/:slug/moments': { answer: answers<AgreementMoments>() },
  'GET /agreements/:slug/periods/:period': { query: cutQuery, answer: answers<AdjustmentPage>() },
  /** Every number that was proposed for the period. */
  'GET /agreements/:slug/periods/:period/history': { answer: answers<ProposalHistory>() },
  /** Records that the number with this hash was shown to the person. */
  'POST /agreements/:slug/periods/:period/look': { body: lookBody, answer: nothing },
  'GET /agreements/:slug/periods/:period/receipt': { answer: answers<Receipt>() },
  /**
   * Returns the page after signing. 409 if a period has changed, is missing or is not expected: then nothing is signed. 403 with
   * `needs` where the password has to be entered again (`POST /confirm`).
   */
  'POST /agreements/:slug/periods/:period/sign': { body: signBody, answer: answers<AdjustmentPage & WithSlips>() },
} satisfies Calls
