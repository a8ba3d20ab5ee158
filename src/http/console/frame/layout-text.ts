// Layout of a table as a page sends it in the address: JSON, with parts of its own for each kind of table.

import { Refusal } from '../../../core/refusal.ts'
import { dateOrders, decimalMarks, encodings, separators } from '../../../core/series/table-layout.ts'
import { Type } from '../../../formats/json-schema.ts'
import { limits } from '../../../limits.ts'
import { refuseUnstorable } from '../../frame/storable-request.ts'

/** Parts of every layout. */
export const layoutParts = {
  separator: Type.Enum(separators),
  encoding: Type.Enum(encodings),
  headerLine: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  decimal: Type.Enum(decimalMarks),
  dateOrder: Type.Enum(dateOrders),
  columns: Type.Array(Type.String({ maxLength: 300 }), { minItems: 1, maxItems: limits.workbookColumns }),
}

/** Parses without checking. */
export function parseLayout(text: string): unknown {
  const layout = parse(text)
  refuseUnstorable(layout)
  return layout
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal('invalid', 'layout must be JSON')
  }
}
