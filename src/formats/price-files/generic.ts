// Prices as they are listed, with every digit, for people who map columns themselves: CSV and JSON.
import type { ExactRow, PriceRow } from '../../core/prices/price-rows.ts'
import { columnOf } from '../../core/text/sheet-text.ts'
import { type Cell, formatCsv } from '../sheet.ts'
import { columnText, type FileWriter, figure, fileRows, openEnd, type PriceFileOptions } from './price-file.ts'

const fields: readonly (keyof PriceRow)[] = [
  'agreement',
  'item',
  'fromQuantity',
  'period',
  'validFrom',
  'validTo',
  'inForceUntil',
  'proposed',
  'price',
  'per',
  'unit',
  'currency',
  'factor',
  'status',
  'receiptHash',
  'listVersion',
]
const proposedFields = ['period', 'price', 'status'] as const
const figures: readonly string[] = ['fromQuantity', 'price', 'per', 'factor', 'listVersion']

/**
 * The chosen rows with their last days, by price and by file, so that one price of the file is in force on a day. A price
 * without end has a last day too.
 */
function datedRows(all: readonly ExactRow[], { only }: PriceFileOptions): readonly ExactRow[] {
  return fileRows(all, { only }).map(({ lastDay, ...exact }) => {
    const { row } = exact
    const inForceUntil = row.status === 'AGREED' ? (lastDay ?? openEnd) : null
    return { ...exact, row: { ...row, validTo: row.validTo ?? openEnd, inForceUntil } }
  })
}

const columns = fields.flatMap(field =>
  field === 'proposed' ? proposedFields.map(each => `proposed_${each}`) : [columnOf(field)],
)

function cellsOf(row: PriceRow): Cell[] {
  const cell = (field: string, value: string | number | null): Cell =>
    value !== null && figures.includes(field) ? figure(`${value}`) : (value as string | null)
  return fields.flatMap(field =>
    field === 'proposed'
      ? proposedFields.map(each => cell(each, row.proposed?.[each] ?? null))
      : [cell(field, row[field])],
  )
}

/** Keys of other systems, sorted by name. */
function erpNames(rows: readonly ExactRow[], set: PriceFileOptions['set']): string[] {
  return [...new Set([...rows.flatMap(({ erp }) => Object.keys(erp)), ...set.keys()])].sort()
}

function refuseDecimals({ decimals }: PriceFileOptions) {
  if (decimals === null) return null
  const message = 'decimals are for files of SAP, Dynamics 365 and Business Central; this one keeps every digit'
  return { problems: [{ agreement: null, item: null, message }] }
}

export const writeGenericCsv: FileWriter = (all, options) => {
  const refused = refuseDecimals(options)
  if (refused !== null) return refused
  const rows = datedRows(all, options)
  const names = erpNames(rows, options.set)
  const head = [...columns, ...names.map(name => `erp_${name}`)]
  const cells = rows.map(exact => [
    ...cellsOf(exact.row),
    ...names.map(name => columnText(name, exact, options.set) || null),
  ])
  return { text: formatCsv({ name: 'Prices', head, rows: cells }) }
}

export const writeGenericJson: FileWriter = (all, options) => {
  const refused = refuseDecimals(options)
  if (refused !== null) return refused
  const rows = datedRows(all, options)
  const names = erpNames(rows, options.set)
  const data = rows.map(exact => ({
    ...exact.row,
    ...Object.fromEntries(names.map(name => [`erp_${name}`, columnText(name, exact, options.set) || null])),
  }))
  return { text: `${JSON.stringify({ data }, null, 2)}\n` }
}
