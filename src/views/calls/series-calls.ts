// The calls of the console about series: the list, single series, how new ones are added, what is in quarantine, and
// the providers. Behind `/console/w/:workspace`.

import { importKinds } from '../../core/invoices/table-kinds.ts'
import { dataTypes } from '../../core/series/series.ts'
import { frequencies } from '../../core/time/period.ts'
import { Type } from '../../formats/json-schema.ts'
import { limits } from '../../limits.ts'
import { longestSearch } from '../../providers/search/search.ts'
import type { ImportLine } from '../shapes/imports.ts'
import type {
  Followed,
  ProviderRow,
  QuarantinePage,
  SeriesPage,
  SeriesRow,
  SeriesSearch,
  Sparks,
  UploadLine,
} from '../shapes/series.ts'
import { answers, type Calls, closed, nothing, type Sent } from './call.ts'

const followBody = Type.Object(
  {
    provider: Type.String({ minLength: 1, maxLength: limits.namesLength }),
    code: Type.String({ minLength: 1, maxLength: limits.seriesCodeLength }),
  },
  closed,
)
export type FollowRequest = Sent<typeof followBody>

export const decisionBody = Type.Object({ decision: Type.Enum(['release', 'reject']) }, closed)
export type QuarantineDecision = Sent<typeof decisionBody>

const searchQuery = Type.Object(
  {
    q: Type.String({ pattern: '\\S', maxLength: longestSearch }),
    /** Without one: the built-in list and what is followed. */
    provider: Type.Optional(Type.String({ maxLength: limits.namesLength })),
  },
  closed,
)

/**
 * The file itself is sent as `application/octet-stream`. `series` is for a file of one series without a column for it: a
 * code of the workspace's own, or PROVIDER/code; what follows describes that series.
 */
const uploadFields = {
  file: Type.String({ pattern: '[^\\s/]', description: 'the name of the file, such as prices.csv' }),
  /**
   * `look`: how the file seems to be laid out. A preview of a file that is not in the usual form is answered the
   * same way.
   */
  mode: Type.Enum(['look', 'preview', 'import']),
  /** How the table is read, as JSON: see `TableLayout`. */
  layout: Type.Optional(Type.String({ maxLength: limits.uploadLayoutLength })),
  sheet: Type.Optional(Type.String()),
  series: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  unit: Type.Optional(Type.String()),
  frequency: Type.Optional(Type.Enum(frequencies)),
  dataType: Type.Optional(Type.Enum(dataTypes)),
}
const uploadQuery = Type.Object(uploadFields, closed)
export type UploadRequest = Sent<typeof uploadQuery>

/**
 * A file of any kind. Without `kind` it is recognised by its columns. `agreement` and `from` are those of a price list; of many
 * agreements `agreement` is the template, one of the workspace or of the builder, and `status` what they become;
 * what is said once for the whole file is in `supplier`, `currency`, `period`, `unit` and, for lines and quantities, `agreement`.
 */
const importQuery = Type.Object(
  {
    ...uploadFields,
    kind: Type.Optional(Type.Enum(importKinds)),
    agreement: Type.Optional(Type.String({ maxLength: limits.namesLength })),
    from: Type.Optional(Type.String({ maxLength: limits.namesLength })),
    supplier: Type.Optional(Type.String({ maxLength: limits.namesLength })),
    currency: Type.Optional(Type.String({ maxLength: limits.namesLength })),
    period: Type.Optional(Type.String({ maxLength: limits.namesLength })),
    status: Type.Optional(Type.Enum(['DRAFT', 'ACTIVE'])),
  },
  closed,
)
export type ImportRequest = Sent<typeof importQuery>

export const seriesCalls = {
  /** All of them, by provider and code. */
  'GET /series': { answer: answers<readonly SeriesRow[]>() },
  /** `ids` are separated by commas, at most 100. */
  'GET /series/sparks': { query: Type.Object({ ids: Type.String() }, closed), answer: answers<Sparks>() },
  'GET /series/search': { query: searchQuery, answer: answers<SeriesSearch>() },
  'GET /series/:id': { answer: answers<SeriesPage>() },
  /** 201, or 200 if it was already followed; 422 with the provider's problem in words. */
  'POST /series/follow': { body: followBody, answer: answers<Followed>() },
  /** Lines of JSON: progress while it is read, and one result as the last line. */
  'POST /series/upload': { query: uploadQuery, answer: answers<UploadLine>() },
  /** The same for a file of any kind. */
  'POST /import': { query: importQuery, answer: answers<ImportLine>() },
  'GET /quarantine': { answer: answers<QuarantinePage>() },
  /** For operators of the installation. */
  'POST /quarantine/:id': { body: decisionBody, answer: nothing },
  'GET /providers': { answer: answers<readonly ProviderRow[]>() },
} satisfies Calls
