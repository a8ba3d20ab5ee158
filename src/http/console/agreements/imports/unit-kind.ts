// Factors between units from a page: new and changed ones, then all of them at once.
import { pairOf } from '../../../../core/invoices/unit-table.ts'
import { writers } from '../../../../core/roles.ts'
import { countOf } from '../../../../core/text/words.ts'
import { readUnitFile } from '../../../../import/price-list.ts'
import { isSameUnit, listUnits, setUnits } from '../../../../storage/agreements/units.ts'
import { noteActivity } from '../../../../storage/workspaces/activity.ts'
import type { TableResult } from '../../../../views/shapes/imports.ts'
import { actorOf } from '../../../../views/sight/seat.ts'
import { changedTable, type FileToRead, type KindOfImport, refusedTable } from './import-kind.ts'

export const unitKind: KindOfImport<TableResult> = {
  files: ['csv', 'xlsx'],
  previewers: writers,
  importers: writers,
  preview: planUnits,
  async import(file) {
    const planned = await planUnits(file)
    if (planned.problemCount > 0) return planned
    const { rows } = await readUnitFile(file.source())
    const { sql, seat, request } = file
    const by = actorOf(seat)
    await setUnits(sql, seat.workspace.id, rows, by.who, (tx, changed) => {
      const subject = `${request.name}: ${countOf(changed, 'factor')}`
      return noteActivity(tx, seat.workspace.id, { ...by, act: 'unit.set', what: 'units set', subject })
    })
    return planned
  },
}

async function planUnits(file: FileToRead): Promise<TableResult> {
  const { rows, problems, notes } = await readUnitFile(file.source())
  if (problems.length > 0) return refusedTable(file, 'units', { problems, notes })
  const held = new Map((await listUnits(file.sql, file.seat.workspace.id)).map(each => [pairOf(each), each]))
  const changes = rows.flatMap(row => {
    const known = held.get(pairOf(row))
    if (known !== undefined && isSameUnit(known, row)) return []
    const before = known === undefined ? null : `1 ${known.unit} = ${known.factor} ${known.other}`
    return [
      { name: row.unit, about: [row.other], before, after: `1 ${row.unit} = ${row.factor} ${row.other}`, now: null },
    ]
  })
  return changedTable(file, 'units', { changes, rows: rows.length, notes })
}
