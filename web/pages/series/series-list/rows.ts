// Rows of the list: the shown ones, their order, and a table of them to download. Changes are compared as exact fractions, so
// that the order is correct.

import { compare, divide, parseRatio, type Ratio } from '../../../../src/core/numbers/ratio.ts'
import { rankOf } from '../../../../src/core/time/period.ts'
import type { Cell, Sheet } from '../../../../src/formats/sheet.ts'
import type { SeriesRow } from '../../../../src/views/shapes/series.ts'
import { changePct } from '../../../components/figures/exact-figures.ts'
import { figureCell, sheetOf } from '../../../components/table/column.ts'
import { formatSource, type ProviderNames, sourceKey } from '../../../components/words/provider-words.ts'
import { publishedColumns } from '../../../components/words/publication-words.ts'
import { formatFrequency } from '../../../components/words/words.ts'

export interface ListRow extends SeriesRow {
  /** The change from the previous period, in percent. */
  readonly changePct: string | null
  /** The last value divided by the previous one. */
  readonly movement: Ratio | null
  /** Name of its provider, or that the figures are the workspace's own. */
  readonly sourceName: string
  /** Name, source and code in lower case. */
  readonly words: string
}

const sortKeys = ['name', 'source', 'frequency', 'period', 'change', 'changed'] as const
type SortKey = (typeof sortKeys)[number]

export interface Order {
  readonly key: SortKey
  readonly isDown: boolean
}

export interface ListFilter {
  readonly text: string
  /** A provider, or `own`. */
  readonly source: string | null
  readonly frequency: string | null
  readonly isTroubled: boolean
  readonly order: Order
}

/** `-changed` is descending; unknown text means by name. */
export function readOrder(text: string | undefined): Order {
  const isDown = text?.startsWith('-') === true
  const key = sortKeys.find(each => each === (isDown ? text!.slice(1) : text))
  return key === undefined ? { key: 'name', isDown: false } : { key, isDown }
}

export function formatOrder({ key, isDown }: Order): string | undefined {
  return key === 'name' && !isDown ? undefined : `${isDown ? '-' : ''}${key}`
}

export function readRows(rows: readonly SeriesRow[], names: ProviderNames): ListRow[] {
  return rows.map(row => {
    const { last, previousValue } = row
    const isKnown = last !== null && previousValue !== null
    const sourceName = formatSource(row, names)
    return {
      ...row,
      changePct: isKnown ? changePct(previousValue, last.value) : null,
      movement: isKnown ? movementOf(previousValue, last.value) : null,
      sourceName,
      words: `${row.name} ${row.provider}/${row.code} ${sourceName}`.toLowerCase(),
    }
  })
}

function movementOf(before: string, after: string): Ratio | null {
  const [from, to] = [parseRatio(before), parseRatio(after)]
  return from === null || to === null || from.n <= 0n ? null : divide(to, from)
}

export function isTroubled({ trouble, alarm, notice }: SeriesRow): boolean {
  return trouble !== null || alarm !== null || notice !== null
}

export function chooseRows(rows: readonly ListRow[], filter: ListFilter): ListRow[] {
  const wanted = filter.text.toLowerCase().split(/\s+/).filter(Boolean)
  const chosen = rows.filter(
    row =>
      (filter.source === null || sourceKey(row) === filter.source) &&
      (filter.frequency === null || row.frequency === filter.frequency) &&
      (!filter.isTroubled || isTroubled(row)) &&
      wanted.every(word => row.words.includes(word)),
  )
  return sortRows(chosen, filter.order)
}

// Created once: comparing with it is much faster than `localeCompare`.
const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

type Compare = (a: ListRow, b: ListRow) => number

const compareRows: Readonly<Record<SortKey, Compare>> = {
  name: (a, b) => byName.compare(a.name, b.name),
  source: (a, b) => byName.compare(a.sourceName, b.sourceName),
  frequency: (a, b) => rankOf(a.frequency) - rankOf(b.frequency),
  period: (a, b) => compareTexts(a.last!.publishedAt, b.last!.publishedAt),
  change: (a, b) => compare(a.movement!, b.movement!),
  changed: (a, b) => compareTexts(a.lastChangedAt!, b.lastChangedAt!),
}

const isLacking: Readonly<Record<SortKey, (row: ListRow) => boolean>> = {
  name: () => false,
  source: () => false,
  frequency: () => false,
  period: row => row.last === null,
  change: row => row.movement === null,
  changed: row => row.lastChangedAt === null,
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Rows without the value come last, whatever the direction. */
function sortRows(rows: ListRow[], { key, isDown }: Order): ListRow[] {
  const sign = isDown ? -1 : 1
  const lacks = isLacking[key]
  return rows.sort((a, b) => {
    const [aLacks, bLacks] = [lacks(a), lacks(b)]
    if (aLacks || bLacks) return Number(aLacks) - Number(bLacks) || compareRows.name(a, b)
    return sign * compareRows[key](a, b) || compareRows.name(a, b)
  })
}

/** Cells of each series in a file: more than there is room for on the page. */
const cells: Readonly<Record<string, (row: ListRow) => Cell>> = {
  Series: ({ provider, code }) => `${provider}/${code}`,
  Source: ({ sourceName }) => sourceName,
  Name: ({ name }) => name,
  Frequency: ({ frequency }) => formatFrequency(frequency),
  Unit: ({ unit }) => unit,
  'Last value': ({ last }) => figureCell(last?.value),
  Period: ({ last }) => last?.period ?? null,
  Tag: ({ last }) => last?.tag ?? null,
  Published: ({ last }) => (last === null ? null : publishedColumns.Published(last)),
  'First seen': ({ last }) => (last === null ? null : publishedColumns['First seen'](last)),
  'Change, %': ({ changePct: pct }) => figureCell(pct),
  'Last changed': ({ lastChangedAt }) => lastChangedAt,
  Trouble: ({ trouble, alarm, notice }) => trouble ?? alarm ?? notice,
}

export function listSheet(rows: readonly ListRow[]): Sheet {
  return sheetOf({ name: 'Series', columns: [{ head: 'Series', sheet: cells }], rows })
}
