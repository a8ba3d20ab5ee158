// Which tables grow with the log: each row has the scope and the number of its entry, so that a position in the log says what is in them.
import type { TableShape } from '../upkeep/backup.ts'

/** The column that says whose log it is; `null` for a table that does not grow with one. */
export function scopeColumnOf({ columns }: Pick<TableShape, 'columns'>): string | null {
  if (!columns.includes('seq')) return null
  return ['workspace_id', 'owner', 'scope'].find(column => columns.includes(column)) ?? null
}
