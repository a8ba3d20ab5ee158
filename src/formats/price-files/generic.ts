// Prices as they are listed, with every digit, for people who map columns themselves: CSV and JSON.
import type { ExactRow, PriceRow } from '../../core/prices/price-rows.ts'
import { columnOf } from '../../core/text/sheet-text.ts'
import { type Cell, writeCsv } from '../sheet.ts'
import { chosenRows, columnText, type FileWriter, figure, openEnd, type PriceFileOptions } from './price-file.ts'

const fields: readonly (keyof PriceRow)[] = [
  'agreement',
  'item',
  'fromQuantity',
  'period',
  'validFrom',
  'validTo',
  'price',
  'per',
  'unit',
  'currency',
  'factor',
  'status',
  'receiptHash',
  'listVersion',
]
const figures: readonly (keyof PriceRow)[] = ['fromQuantity', 'price', 'per', 'factor', 'listVersion']

/** All keys of other systems, by name. */
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
  const rows = chosenRows(all, options.only)
  const names = erpNames(rows, options.set)
  const cell = (row: PriceRow, field: keyof PriceRow): Cell => {
    const value = field === 'validTo' ? (row.validTo ?? openEnd) : row[field]
    if (value === null) return null
    return figures.includes(field) ? figure(`${value}`) : `${value}`
  }
  const head = [...fields.map(columnOf), ...names.map(name => `erp_${name}`)]
  const cells = rows.map(exact => [
    ...fields.map(field => cell(exact.row, field)),
    ...names.map(name => columnText(name, exact, options.set) || null),
  ])
  return { text: writeCsv({ name: 'Prices', head, rows: cells }) }
}

export const writeGenericJson: FileWriter = (all, options) => {
  const refused = refuseDecimals(options)
  if (refused !== null) return refused
  const rows = chosenRows(all, options.only)
  const names = erpNames(rows, options.set)
  const data = rows.map(exact => ({
    ...exact.row,
    validTo: exact.row.validTo ?? openEnd,
    ...Object.fromEntries(names.map(name => [`erp_${name}`, columnText(name, exact, options.set) || null])),
  }))
  return { text: `${JSON.stringify({ data }, null, 2)}\n` }
}
