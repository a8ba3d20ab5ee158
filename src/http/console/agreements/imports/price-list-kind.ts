// Price lists from a page: the changes item by item, then a first list or a new version of the agreement's.
import { applyPriceList, previewPriceList } from '../../../../agreements/price-list.ts'
import { Refusal } from '../../../../core/refusal.ts'
import { writers } from '../../../../core/roles.ts'
import { readPriceList } from '../../../../import/price-list.ts'
import { limits } from '../../../../limits.ts'
import { todayOf } from '../../../../views/agreements/opened-agreement.ts'
import type { TableChange, TableResult } from '../../../../views/shapes/imports.ts'
import { actorOf } from '../../../../views/sight/seat.ts'
import {
  countChanges,
  type FileToRead,
  type KindOfImport,
  presentProblems,
  readAs,
  refusedTable,
} from './import-kind.ts'

export const priceListKind: KindOfImport<TableResult> = {
  files: ['csv', 'xlsx'],
  previewers: writers,
  importers: writers,
  preview: planList,
  async import(file) {
    const planned = await planList(file)
    if (planned.problemCount > 0) return planned
    const { rows } = await readPriceList(file.source())
    const { parts, sql, seat } = file
    const applied = await applyPriceList(sql, parts.library, { ...requestOf(file), rows, by: actorOf(seat) })
    if (applied.outcome !== 'refused') {
      const { outcome, proposal } = applied
      return { ...planned, list: planned.list === null ? null : { ...planned.list, outcome, proposal } }
    }
    return refusedTable(file, 'prices', { problems: applied.problems, notes: planned.notes })
  },
}

function requestOf({ seat, request, parts }: FileToRead) {
  if (request.agreement === null) throw new Refusal('invalid', 'say which agreement the price list is of')
  const { agreement, from } = request
  return { workspaceId: seat.workspace.id, agreement, from: from ?? null, today: todayOf(parts) }
}

async function planList(file: FileToRead): Promise<TableResult> {
  const request = requestOf(file)
  const { sound, problems, notes } = await readPriceList(file.source())
  const planned = await previewPriceList(file.sql, file.parts.library, { ...request, rows: sound, problems })
  if (planned.outcome === 'refused') return refusedTable(file, 'prices', { problems: planned.problems, notes })
  const { changes, unchanged, agreement, outcome, from, consent, items, currency, period } = planned
  const all = changes.map(
    ({ item, fromQuantity, before, after, nowBefore, nowAfter, status }): TableChange => ({
      name: item,
      about: fromQuantity === '0' ? [] : [`from ${fromQuantity}`],
      before,
      after,
      now: { before: nowBefore, after: nowAfter, isAgreed: status === 'AGREED' },
    }),
  )
  return {
    ...readAs(file, notes),
    kind: 'prices',
    ...presentProblems([]),
    counts: { ...countChanges(all), unchanged },
    changes: all.slice(0, limits.uploadChanges),
    list: { agreement, outcome, proposal: null, from, consent, items, currency, period },
  }
}
