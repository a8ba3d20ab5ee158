// A price list: items with their quantity steps, each step with a base price and the share of it that moves. A list is stored
// as the rows somebody wrote; the contract's part (unit, rounding) is looked up when a price is computed.

import { compare, one, type Ratio, ratio, zero } from '../numbers/ratio.ts'
import { type Day, parseDay } from '../time/day.ts'
import { visibleForm } from './line-identity.ts'

/** A row as it is written: every cell was checked, and null stands for an empty one. */
export interface ListRow {
  readonly item: string
  readonly price: string
  readonly currency: string
  readonly per: string | null
  readonly unit: string | null
  /** `start`, or the label of the period whose price this is. */
  readonly base: string
  readonly share: string | null
  readonly fromQuantity: string | null
  readonly round: string | null
  readonly validFrom: string | null
  readonly validTo: string | null
  readonly replaces: string | null
  /** Keys of other systems, without `erp_`, by name. */
  readonly erp: Readonly<Record<string, string>>
}

/** The row of a list with one item: the price of its contract, in the contract's unit and with its rounding. */
export function onlyRow(item: string, price: string, currency: string): ListRow {
  return {
    item,
    price,
    currency,
    per: null,
    unit: null,
    base: startLabel,
    share: null,
    fromQuantity: null,
    round: null,
    validFrom: null,
    validTo: null,
    replaces: null,
    erp: {},
  }
}

/** The period before the first adjustment, and the base of a price that is written without one. */
export const startLabel = 'start'

/** The rounding of a step if the list gives one; the mode is always the contract's. */
type StepRounding = { readonly dp: number } | { readonly multiple: Ratio }

/** The price of an item from a quantity on. */
export interface PriceStep {
  readonly from: Ratio
  readonly fromText: string
  readonly price: Ratio
  readonly priceText: string
  readonly per: Ratio
  readonly perText: string
  readonly base: string
  /** The part of the price that moves. */
  readonly share: Ratio
  /** The rounding; null for the contract's. */
  readonly round: StepRounding | null
  readonly erp: Readonly<Record<string, string>>
}

export interface ListItem {
  readonly item: string
  /** The unit; null for the contract's. */
  readonly unit: string | null
  readonly validFrom: Day | null
  readonly validTo: Day | null
  /** Steps by quantity, the lowest first; at least one. */
  readonly steps: readonly PriceStep[]
}

export interface PriceList {
  readonly currency: string
  /** Items by code points of the key. */
  readonly items: readonly ListItem[]
  /** The item of a line that names none: the only one there is; null where there are several. */
  readonly sole: ListItem | null
  /** Keys of all items, and keys that items replace. */
  readonly keys: readonly string[]
  /** An item by its key, or by an earlier one that it replaces; as written, else as it looks, if only one looks so. */
  readonly find: (key: string) => ListItem | undefined
  /** The list's spelling of the key by which an item is found. */
  readonly keyOf: (key: string) => string | undefined
}

/** A list, with the period from which it governs. */
export interface ListVersion {
  readonly number: number
  /** The period from which it governs: `start` or a label. */
  readonly from: string
  readonly fromDate: Day
  /** The last date that both had signed when the list was agreed to reach back: until then the contract's own price stays an item. */
  readonly ownPriceUntil: Day | null
  readonly list: PriceList
}

/** Order of keys: by code points, which is the order of their bytes in UTF-8. */
export function compareKeys(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  let at = 0
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++
  return (a.codePointAt(at) ?? -1) - (b.codePointAt(at) ?? -1)
}

export function compareRows(a: ListRow, b: ListRow): number {
  return compareKeys(a.item, b.item) || compare(ratio(a.fromQuantity ?? '0'), ratio(b.fromQuantity ?? '0'))
}

/**
 * The stored form of a list: its rows without their line numbers, by item and quantity. Two lists with one meaning are equal.
 */
export function contentOf(rows: readonly ListRow[]): readonly ListRow[] {
  return [...rows].sort(compareRows).map(row => ({
    item: row.item,
    price: row.price,
    currency: row.currency,
    per: row.per,
    unit: row.unit,
    base: row.base,
    share: row.share,
    fromQuantity: row.fromQuantity,
    round: row.round,
    validFrom: row.validFrom,
    validTo: row.validTo,
    replaces: row.replaces,
    erp: row.erp,
  }))
}

/** The list made of checked rows, which may come in any order. */
export function makePriceList(rows: readonly ListRow[]): PriceList {
  const groups = Map.groupBy([...rows].sort(compareRows), ({ item }) => item)
  const items = [...groups.values()].map(makeItem)
  const byKey = new Map(items.map(item => [item.item, item]))
  rows.forEach(({ item, replaces }) => {
    if (replaces !== null && !byKey.has(replaces)) byKey.set(replaces, byKey.get(item)!)
  })
  let forms: ReadonlyMap<string, string | null> | null = null
  const keyOf = (key: string) => {
    if (byKey.has(key)) return key
    forms ??= formsOf(byKey)
    return forms.get(visibleForm(key)) ?? undefined
  }
  const find = (key: string) => byKey.get(key) ?? byKey.get(keyOf(key) ?? '')
  const sole = items.length === 1 ? items[0]! : null
  return { currency: rows[0]?.currency ?? '', items, sole, keys: [...byKey.keys()], find, keyOf }
}

/** The list with the only item of another one beside its own: lines that name no item mean that one. */
export function withSole(list: PriceList, { items: [sole], find, keyOf }: PriceList): PriceList {
  return {
    ...list,
    items: [...list.items, sole!].sort((a, b) => compareKeys(a.item, b.item)),
    sole: sole!,
    keys: [...list.keys, sole!.item],
    find: key => find(key) ?? list.find(key),
    keyOf: key => keyOf(key) ?? list.keyOf(key),
  }
}

/** The key of each visible form; null where keys of several items have it. */
function formsOf(byKey: ReadonlyMap<string, ListItem>): ReadonlyMap<string, string | null> {
  const forms = new Map<string, string | null>()
  for (const [key, item] of byKey) {
    const form = visibleForm(key)
    const other = forms.get(form)
    const isSame = other === undefined || (other !== null && byKey.get(other) === item)
    forms.set(form, isSame ? (other ?? key) : null)
  }
  return forms
}

function makeItem(rows: readonly ListRow[]): ListItem {
  const written = <K extends 'unit' | 'validFrom' | 'validTo'>(key: K) =>
    rows.map(row => row[key]).find(text => text !== null) ?? null
  const day = (text: string | null) => (text === null ? null : parseDay(text))
  return {
    item: rows[0]!.item,
    unit: written('unit'),
    validFrom: day(written('validFrom')),
    validTo: day(written('validTo')),
    steps: rows.map(makeStep),
  }
}

function makeStep({ price, per, base, share, fromQuantity, round, erp }: ListRow): PriceStep {
  return {
    from: fromQuantity === null ? zero : ratio(fromQuantity),
    fromText: fromQuantity ?? '0',
    price: ratio(price),
    priceText: price,
    per: per === null ? one : ratio(per),
    perText: per ?? '1',
    base,
    share: share === null ? one : ratio(share),
    round: round === null ? null : readStepRounding(round),
    erp,
  }
}

const mostDecimals = 15

/** `2` is two decimals, `0.05` a multiple; null for anything else. */
export function readStepRounding(text: string): StepRounding | null {
  if (/^\d{1,2}$/.test(text)) {
    const dp = Number.parseInt(text, 10)
    return dp <= mostDecimals ? { dp } : null
  }
  if (!/^\d{1,30}\.\d{1,30}$/.test(text)) return null
  const multiple = ratio(text)
  return multiple.n === 0n ? null : { multiple }
}

/** The highest step that is not above a quantity; null below the lowest. */
export function stepFor({ steps }: ListItem, quantity: Ratio): PriceStep | null {
  return steps.findLast(({ from }) => compare(from, quantity) <= 0) ?? null
}
