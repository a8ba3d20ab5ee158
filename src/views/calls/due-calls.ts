// Console calls about due dates. Under `/console/w/:workspace`.

import { dueStates } from '../../core/calendar/due.ts'
import { Type } from '../../formats/json-schema.ts'
import { limits } from '../../limits.ts'
import type { DuePage, DueRows } from '../shapes/due.ts'
import { answers, type Calls, closed, type Sent } from './call.ts'

const filters = {
  /** Number of days ahead; left out, 90. */
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.due.mostDays })),
  q: Type.Optional(Type.String({ maxLength: limits.formulaSearchLength })),
  /** `SupplierChoice.value`. */
  supplier: Type.Optional(Type.String({ maxLength: limits.emailLength })),
  /** Series id: dates that wait for it. */
  series: Type.Optional(Type.String({ maxLength: 60 })),
  state: Type.Optional(Type.Enum(dueStates)),
}
const dueQuery = Type.Object(filters, closed)
export type DueRequest = Sent<typeof dueQuery>

const rowsQuery = Type.Object({ ...filters, from: Type.Integer({ minimum: 0 }) }, closed)
export type DueRowsRequest = Sent<typeof rowsQuery>

export const dueCalls = {
  /** The first rows, the releases of the days ahead, and late figures. */
  'GET /due': { query: dueQuery, answer: answers<DuePage>() },
  /** More rows, from an offset on. */
  'GET /due/rows': { query: rowsQuery, answer: answers<DueRows>() },
} satisfies Calls
