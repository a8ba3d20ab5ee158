// A price list as a table: its columns, the meaning of a row, and every reason why one is refused. It reads cells;
// list-check.ts checks whether the list fits its contract.

import { compare, equal, one, ratio, zero } from '../numbers/ratio.ts'
import { HeadedTable } from '../series/headed-table.ts'
import { isDecimal } from '../series/observation-table.ts'
import type { RowProblem } from '../series/table-problems.ts'
import { isOneLine, oneLineRule } from '../text/one-line.ts'
import { parseDay } from '../time/day.ts'
import { compareRows, type ListRow, readStepRounding, startLabel } from './price-list.ts'

export const listColumns = [
  'item',
  'price',
  'currency',
  'per',
  'unit',
  'base',
  'share',
  'from_quantity',
  'round',
  'valid_from',
  'valid_to',
  'replaces',
] as const
type ListColumn = (typeof listColumns)[number]

export const requiredColumns = ['item', 'price', 'currency'] as const
const erpPrefix = 'erp_'

export const listBounds = { rows: 100_000, keyLength: 60, unitLength: 60, erpLength: 200, erpColumns: 50 } as const

/** A row and its line in the file, for problems that are found later. */
export interface PlacedRow extends ListRow {
  readonly line: number
}

export interface ReadRows {
  /** Rows; empty with any problem. */
  readonly rows: readonly PlacedRow[]
  /** Rows without a problem of their own, whose further problems can be named at once. */
  readonly sound: readonly PlacedRow[]
  /** Sorted by line. */
  readonly problems: readonly RowProblem[]
}

export class ListTable extends HeadedTable<ListColumn> {
  readonly #erp: (readonly [name: string, place: number])[]
  readonly #rows: PlacedRow[] = []
  #cells: readonly string[] = []
  #line = 0

  constructor() {
    const erp: (readonly [name: string, place: number])[] = []
    const problemOf = (name: string, place: number) => {
      if (!name.startsWith(erpPrefix) || name.length === erpPrefix.length) return undefined
      if (name.length > listBounds.keyLength + erpPrefix.length || !isOneLine(name))
        return `the name behind erp_ has at most ${listBounds.keyLength} characters`
      erp.push([name.slice(erpPrefix.length), place])
      return null
    }
    super(
      { columns: listColumns, required: requiredColumns, others: { words: 'erp_…', problemOf } },
      { rows: listBounds.rows, message: `the list has more than ${listBounds.rows} rows` },
    )
    this.#erp = erp
  }

  /** All rows by item and quantity, or all problems by line with the sound rows. */
  finish(): ReadRows {
    const rows = this.#rows.sort((a, b) => compareRows(a, b) || a.line - b.line)
    this.#checkItems(rows)
    const problems = this.allProblems('the list has no items')
    if (problems.length === 0) return { rows, sound: rows, problems }
    const wrong = new Set(problems.map(({ line }) => line))
    return { rows: [], sound: rows.filter(({ line }) => !wrong.has(line)), problems }
  }

  protected override headerRead(_cells: readonly string[], line: number): void {
    const count = this.#erp.length
    if (count > listBounds.erpColumns)
      this.refuse(line, '', `${count} columns erp_… are written; at most ${listBounds.erpColumns} are allowed`)
  }

  protected override readRow(cells: readonly string[], line: number): void {
    this.#cells = cells
    this.#line = line
    const item = this.#key('item')
    if (item === null && this.#text('item') === null) this.refuse(line, 'item', 'is empty')
    const price = this.#number('price', 'must not be negative', text => compare(ratio(text), zero) >= 0)
    if (price === null && this.#text('price') === null) this.refuse(line, 'price', 'is empty')
    const currency = this.#currency()
    const row = {
      line,
      per: this.#number('per', 'must be more than 0', text => compare(ratio(text), zero) > 0),
      unit: this.#label('unit', listBounds.unitLength),
      base: this.#label('base', listBounds.keyLength) ?? startLabel,
      share: this.#number('share', 'must lie between 0 and 1', isShare),
      fromQuantity: this.#number('from_quantity', 'must not be negative', text => compare(ratio(text), zero) >= 0),
      round: this.#round(),
      validFrom: this.#day('valid_from'),
      validTo: this.#day('valid_to'),
      replaces: this.#key('replaces'),
      erp: this.#erpKeys(),
    }
    if (row.validFrom !== null && row.validTo !== null && row.validFrom > row.validTo)
      this.refuse(line, 'valid_to', `${row.validTo} lies before valid_from ${row.validFrom}`)
    if (item !== null && row.replaces === item) this.refuse(line, 'replaces', 'an item cannot replace itself')
    if (item !== null && price !== null && currency !== null) this.#rows.push({ ...row, item, price, currency })
  }

  #text(column: ListColumn): string | null {
    return this.textOf(this.#cells, column)
  }

  #label(column: ListColumn, most: number): string | null {
    const text = this.#text(column)
    if (text === null) return null
    if ([...text].length > most)
      return this.refuse(this.#line, column, `has at most ${most} characters, got ${[...text].length}`)
    return isOneLine(text) ? text : this.refuse(this.#line, column, oneLineRule)
  }

  #key(column: 'item' | 'replaces'): string | null {
    return this.#label(column, listBounds.keyLength)
  }

  #number(column: ListColumn, rule: string, isGood: (text: string) => boolean): string | null {
    const text = this.#text(column)
    if (text === null) return null
    if (!isDecimal(text))
      return this.refuse(this.#line, column, `must be a decimal number such as 12.40, got "${text}"`)
    if (!isGood(text)) return this.refuse(this.#line, column, `${rule}, got "${text}"`)
    return text.startsWith('+') ? text.slice(1) : text
  }

  #currency(): string | null {
    const text = this.#text('currency')
    if (text === null) return this.refuse(this.#line, 'currency', 'is empty')
    if (/^[A-Z]{3}$/.test(text)) return text
    return this.refuse(this.#line, 'currency', `must be three capital letters such as EUR, got "${text}"`)
  }

  #round(): string | null {
    const text = this.#text('round')
    if (text === null || readStepRounding(text) !== null) return text
    const rule = 'must be a number of decimals from 0 to 15, or with a point a multiple such as 0.05'
    return this.refuse(this.#line, 'round', `${rule}, got "${text}"`)
  }

  #day(column: 'valid_from' | 'valid_to'): string | null {
    const text = this.#text(column)
    if (text === null || parseDay(text) !== null) return text
    return this.refuse(this.#line, column, `must be a day such as 2024-01-31, got "${text}"`)
  }

  #erpKeys(): Record<string, string> {
    const keys: [string, string][] = []
    for (const [name, place] of this.#erp) {
      const text = this.#cells[place]!.trim()
      if ([...text].length > listBounds.erpLength || !isOneLine(text))
        this.refuse(
          this.#line,
          `${erpPrefix}${name}`,
          `must be a text of at most ${listBounds.erpLength} characters without control characters and hidden signs`,
        )
      else if (text !== '') keys.push([name, text])
    }
    return Object.fromEntries(keys.sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** Problems that appear only in comparison with other rows. The rows are ordered by item and quantity. */
  #checkItems(rows: readonly PlacedRow[]): void {
    const items = Map.groupBy(rows, ({ item }) => item)
    for (const steps of items.values()) this.#checkSteps(steps)
    const replaced = new Map<string, PlacedRow>()
    for (const row of rows) {
      if (row.replaces === null) continue
      const [itself] = items.get(row.replaces) ?? []
      const taken = replaced.get(row.replaces)
      if (itself !== undefined)
        this.refuse(row.line, 'replaces', `"${row.replaces}" is itself an item (line ${itself.line})`)
      else if (taken !== undefined && taken.item !== row.item)
        this.refuse(
          row.line,
          'replaces',
          `"${row.replaces}" is replaced by "${taken.item}" already (line ${taken.line})`,
        )
      else replaced.set(row.replaces, row)
    }
  }

  /** An item has each quantity once, and one unit and one validity whatever the quantity. */
  #checkSteps(rows: readonly PlacedRow[]): void {
    rows.forEach((row, i) => {
      const before = rows[i - 1]
      if (before !== undefined && equal(quantityOf(before), quantityOf(row)))
        this.refuse(
          row.line,
          'item',
          `"${row.item}" from quantity ${row.fromQuantity ?? '0'} is there already (line ${before.line})`,
        )
    })
    // A unit that is left out is the contract's; the other fields need to be written once only.
    this.#checkSame('unit', rows, ({ unit }) => unit?.toLowerCase() ?? '')
    this.#checkSame('valid_from', rows, ({ validFrom }) => validFrom)
    this.#checkSame('valid_to', rows, ({ validTo }) => validTo)
    this.#checkSame('replaces', rows, ({ replaces }) => replaces)
  }

  #checkSame(column: ListColumn, rows: readonly PlacedRow[], read: (row: PlacedRow) => string | null): void {
    const first = rows.find(row => read(row) !== null)
    if (first === undefined) return
    for (const row of rows) {
      const [found, expected] = [read(row), read(first)]
      if (found !== null && found !== expected)
        this.refuse(
          row.line,
          column,
          `must be the same in every row of "${row.item}": "${found}" here, "${expected}" in line ${first.line}`,
        )
    }
  }
}

function quantityOf({ fromQuantity }: ListRow) {
  return ratio(fromQuantity ?? '0')
}

function isShare(text: string): boolean {
  const share = ratio(text)
  return compare(share, zero) >= 0 && compare(share, one) <= 0
}
