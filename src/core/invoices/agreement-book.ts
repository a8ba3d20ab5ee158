// The agreement and the item that a line of an invoice means. Nothing is guessed: an unclear line is reported as unknown, with
// the agreements it might mean.

import type { PricedAgreement } from '../prices/agreement.ts'
import { type Offer, Pricing } from '../prices/item-prices.ts'
import { type NamedSupplier, SupplierNames } from '../prices/line-identity.ts'
import { compareKeys, type ListItem } from '../prices/price-list.ts'
import { InForce } from '../prices/prices-in-force.ts'
import type { Day } from '../time/day.ts'
import { Hypotheses } from './hypotheses.ts'
import type { InvoiceLine, LineField, LineSequence } from './invoice-line.ts'
import type { IssuedNote } from './issued-note.ts'
import { OtherPaths, type PathContext, type PathMemory } from './other-paths.ts'

/** An agreement with its prices, and the data of other readings. */
export interface BookedAgreement {
  readonly agreement: PricedAgreement
  /** The paths of other readings; null where they are not tried. */
  readonly ground: PathContext | null
  /** Answers of the paths to earlier checks. */
  readonly paths?: PathMemory
  /** Notes by which agreed corrections were billed. */
  readonly notes?: readonly IssuedNote[]
}

/** An agreement while lines are checked against it. */
export interface OpenAgreement {
  readonly agreement: PricedAgreement
  readonly pricing: Pricing
  readonly inForce: InForce
  readonly hypotheses: Hypotheses
  /** The companies that are or were its supplier. */
  readonly suppliers: SupplierNames
  readonly notes: readonly IssuedNote[]
}

interface Unclear {
  /** The field that caused it. */
  readonly field: LineField
  readonly message: string
  /** Slugs, if the line may mean several agreements. */
  readonly candidates: readonly string[]
}

/** The facts that a check needs before it can begin: names of agreements, references, and keys of items. */
interface Needs {
  readonly agreements: ReadonlySet<string>
  readonly references: ReadonlySet<string>
  readonly items: ReadonlySet<string>
}

/** The agreements that lines may mean: by slug or id; by reference, slug or id; by an item of their lists. */
export function needsOf(lines: LineSequence): Needs {
  const [agreements, references, items] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const { agreement, contractRef, items: keys } of lines.names?.() ?? lines) {
    if (agreement !== null) {
      agreements.add(agreement)
      continue
    }
    if (contractRef !== null) references.add(contractRef)
    for (const key of keys) items.add(key)
  }
  return { agreements, references, items }
}

/** The day that decides the price of a line; null if the line does not have it. */
export function priceDayOf(
  { serviceFrom, date, orderDate }: Pick<InvoiceLine, 'serviceFrom' | 'date' | 'orderDate'>,
  { billing }: Pick<PricedAgreement, 'billing'>,
): Day | null {
  if (billing.priceDate === 'ORDER') return orderDate
  return billing.priceDate === 'INVOICE' ? date : (serviceFrom ?? date)
}

/**
 * The supplier of a line's invoice number. If the agreement names a company, a line may name that company, or one that it named
 * before; otherwise the line's own text is kept as it is written, and the agreement stands for a line without one.
 */
export function supplierOf({ supplier }: Pick<InvoiceLine, 'supplier'>, open: OpenAgreement): NamedSupplier | Unclear {
  const { agreement, suppliers } = open
  const { slug, supplier: own } = agreement
  if (supplier === null) return { company: own, supplier: own ?? slug }
  const company = suppliers.find(supplier)
  if (company !== null) return { company, supplier: company }
  if (own === null) return { company: null, supplier }
  const { names } = agreement.suppliers.find(each => each.slug === own) ?? { names: [] }
  const known = names.length === 0 ? own : `${own} (${names[0]})`
  return unclear('supplier', `"${supplier}" is not the supplier of ${slug}, which is ${known}`)
}

export class AgreementBook {
  readonly #named = new Map<string, OpenAgreement>()
  readonly #referenced = new Map<string, OpenAgreement[]>()
  readonly #holding = new Map<string, OpenAgreement[]>()

  constructor(agreements: readonly BookedAgreement[]) {
    for (const { agreement, ground, paths, notes = [] } of agreements) {
      const pricing = new Pricing(agreement)
      const hypotheses = new Hypotheses(pricing, ground === null ? null : new OtherPaths(ground, paths))
      const suppliers = new SupplierNames(agreement.suppliers)
      this.#enter({ agreement, pricing, inForce: new InForce(pricing), hypotheses, notes, suppliers })
    }
  }

  #enter(open: OpenAgreement): void {
    const { pricing, agreement } = open
    const { id, slug, status, billing, lists } = agreement
    this.#named.set(slug, open).set(id, open)
    // Drafts and archived agreements are found only by their names.
    if (status === 'DRAFT' || status === 'ARCHIVED') return
    for (const text of new Set([...billing.references, slug, id])) push(this.#referenced, text, open)
    const keys = new Set(lists.flatMap(({ list }) => list.keys))
    if (pricing.hasOwnPrice) keys.add(slug)
    for (const key of keys) push(this.#holding, key, open)
  }

  /** An agreement by its id. */
  open(id: string): OpenAgreement | undefined {
    return this.#named.get(id)
  }

  /** The one agreement that a line means. */
  find(line: InvoiceLine): OpenAgreement | Unclear {
    const { agreement, contractRef, items } = line
    if (agreement !== null)
      return this.#named.get(agreement) ?? unclear('agreement', `there is no agreement "${agreement}"`)
    const referenced = contractRef === null ? [] : (this.#referenced.get(contractRef) ?? [])
    const found = referenced.length > 0 ? referenced : this.#withItem(line)
    const [only] = found
    if (found.length === 1) return only!
    const covering = found.filter(open => covers(open, line))
    if (covering.length === 1) return covering[0]!
    const candidates = (covering.length > 0 ? covering : found).map(open => open.agreement.slug).sort(compareKeys)
    return unclear('agreement', whyUnclear(contractRef, items, candidates), candidates)
  }

  /** Agreements whose list has the item on the day of the line; where there are none, those whose list ever had it. */
  #withItem(line: InvoiceLine): readonly OpenAgreement[] {
    for (const key of line.items) {
      const ever = this.#holding.get(key) ?? []
      const then = ever.filter(open => {
        const day = priceDayOf(line, open.agreement)
        const offer = day === null ? null : offerOn(open, day)
        return offer !== null && offer.list.find(key) !== undefined
      })
      if (ever.length > 0) return then.length > 0 ? then : ever
    }
    return []
  }
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}

function covers({ agreement }: OpenAgreement, line: InvoiceLine): boolean {
  const day = priceDayOf(line, agreement)
  return day !== null && day >= agreement.start && (agreement.end === null || day <= agreement.end)
}

function whyUnclear(contractRef: string | null, items: readonly string[], candidates: readonly string[]): string {
  const names = [
    ...(contractRef === null ? [] : [`the reference "${contractRef}"`]),
    ...items.map(item => `the item "${item}"`),
  ]
  if (names.length === 0) return 'the line names neither an agreement nor a contract nor an item'
  if (candidates.length === 0) return `no agreement has ${names.join(' or ')}`
  return `${candidates.length} agreements have ${names.join(' or ')}: ${candidates.join(', ')}`
}

/** The offer on a day; null where nothing has a price. */
function offerOn({ pricing }: OpenAgreement, day: Day): Offer | null {
  const place = pricing.placeOn(day)
  const offer = place < 0 ? null : pricing.offer(place)
  return offer === null || 'gap' in offer ? null : offer
}

export interface FoundItem {
  readonly item: ListItem
  readonly offer: Offer
}

/** The item that a line means, in the list of a period; if there is no such list, in any list of the agreement. */
export function findItem(open: OpenAgreement, place: number, keys: readonly string[]): FoundItem | Unclear {
  const { pricing, agreement } = open
  const offer = place < 0 ? pricing.offer(0) : pricing.offer(place)
  const offers: Offer[] =
    'gap' in offer || place < 0
      ? [...('gap' in offer ? [] : [offer]), ...agreement.lists.map(({ list, number }) => ({ list, version: number }))]
      : [offer]
  for (const each of offers) {
    const item =
      keys.length === 0 ? each.list.sole : keys.map(key => each.list.find(key)).find(found => found !== undefined)
    if (item != null) return { item, offer: each }
  }
  const { slug } = agreement
  if (offers.length === 0) return unclear('item', `${slug} has neither a price list nor a price of its own`)
  if (keys.length === 0) return unclear('item', `the line names no item, and ${slug} has several`)
  const named = keys.map(key => `"${key}"`).join(' or ')
  const isElsewhere = agreement.lists.some(({ list }) => keys.some(key => list.find(key) !== undefined))
  const { period } = pricing.at(Math.max(place, 0))
  if (isElsewhere && offers[0]!.version === null)
    return unclear('item', `no price list governs ${period} of ${slug}, and ${named} is not the contract's own price`)
  return unclear(
    'item',
    isElsewhere
      ? `${named} is not in the price list that governs ${period} of ${slug}`
      : `${slug} has no item ${named}`,
  )
}

function unclear(field: LineField, message: string, candidates: readonly string[] = []): Unclear {
  return { field, message, candidates }
}
