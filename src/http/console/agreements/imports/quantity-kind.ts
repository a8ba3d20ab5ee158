// Declared quantities from a page: new and changed ones, then all of them at once.
import { importQuantities, previewQuantities } from '../../../../agreements/quantities.ts'
import { writers } from '../../../../core/roles.ts'
import { readQuantityFile } from '../../../../import/price-list.ts'
import { todayOf } from '../../../../views/agreements/opened-agreement.ts'
import type { TableResult } from '../../../../views/shapes/imports.ts'
import { actorOf } from '../../../../views/sight/seat.ts'
import { changedTable, type FileToRead, type KindOfImport, refusedTable } from './import-kind.ts'

export const quantityKind: KindOfImport<TableResult> = {
  files: ['csv', 'xlsx'],
  previewers: writers,
  importers: writers,
  preview: planQuantities,
  async import(file) {
    const planned = await planQuantities(file)
    if (planned.problemCount > 0) return planned
    const { rows, notes } = await readQuantityFile(file.source())
    const { parts, sql, seat, request } = file
    const asked = { workspaceId: seat.workspace.id, rows, today: todayOf(parts), source: request.name }
    const imported = await importQuantities(sql, parts.library, { ...asked, by: actorOf(seat) })
    if (imported.outcome !== 'refused') return planned
    return refusedTable(file, 'quantities', { problems: imported.problems, notes })
  },
}

async function planQuantities(file: FileToRead): Promise<TableResult> {
  const { parts, sql, seat } = file
  const { rows, problems, notes } = await readQuantityFile(file.source())
  if (problems.length > 0) return refusedTable(file, 'quantities', { problems, notes })
  const asked = { workspaceId: seat.workspace.id, rows, today: todayOf(parts) }
  const planned = await previewQuantities(sql, parts.library, asked)
  if ('problems' in planned) return refusedTable(file, 'quantities', { problems: planned.problems, notes })
  const changes = planned.changes.map(({ agreement, item, period, quantity, before }) => ({
    name: item,
    about: [agreement, period],
    before,
    after: quantity,
    now: null,
  }))
  return changedTable(file, 'quantities', { changes, rows: rows.length, notes })
}
