// Console calls about series: the list, single series, new ones, the quarantine, and the providers. Behind `/console/w/:workspace`.

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
    /** Left out: the built-in list and the followed series. */
    provider: Type.Optional(Type.String({ maxLength: limits.namesLength })),
  },
  closed,
)

/**
 * The file itself is sent as `application/octet-stream`. `series` is for a file of one series without a column for it: a code of
 * the workspace's own, or PROVIDER/code; the fields after it describe that series.
 */
const uploadFields = {
  file: Type.String({ pattern: '[^\\s/]', description: 'the name of the file, such as prices.csv' }),
  /** `look`: the likely layout of the file. A preview of a file that is not in the usual form gets the same answer. */
  mode: Type.Enum(['look', 'preview', 'import']),
  /** Layout of the table, as JSON: see `TableLayout`. */
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
 * agreements `agreement` is the template, one of the workspace or of the builder, and `status` their new status; values for the
 * whole file are in `supplier`, `currency`, `period`, `unit` and, for lines and quantities, `agreement`.
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
  /** All series, by provider and code. */
  'GET /series': { answer: answers<readonly SeriesRow[]>() },
  /** `ids` are separated by commas, at most 100. */
  'GET /series/sparks': { query: Type.Object({ ids: Type.String() }, closed), answer: answers<Sparks>() },
  'GET /series/search': { query: searchQuery, answer: answers<SeriesSearch>() },
  'GET /series/:id': { answer: answers<SeriesPage>() },
  /** 201, or 200 if it was already followed; 422 with the provider's problem in words. */
  'POST /series/follow': { body: followBody, answer: answers<Followed>() },
  /** Lines of JSON: progress during the reading, and one result as the last line. */
  'POST /series/upload': { query: uploadQuery, answer: answers<UploadLine>() },
  /** A file of any kind, answered in such lines too. */
  'POST /import': { query: importQuery, answer: answers<ImportLine>() },
  'GET /quarantine': { answer: answers<QuarantinePage>() },
  /** For operators of the installation alone. */
  'POST /quarantine/:id': { body: decisionBody, answer: nothing },
  'GET /providers': { answer: answers<readonly ProviderRow[]>() },
} satisfies Calls
