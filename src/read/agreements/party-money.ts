// Billed lines and declared quantities of an agreement for one of its suppliers: each line and quantity belongs to one supplier,
// whoever is the supplier since.

import { priceDayOf } from '../../core/invoices/agreement-book.ts'
import { normalForm } from '../../core/prices/line-identity.ts'
import { parseDay } from '../../core/time/day.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { AgreementParties } from '../../storage/agreements/agreements.ts'
import type { BilledAmounts } from '../../storage/agreements/billed-amounts.ts'
import type { StoredLine } from '../../storage/agreements/invoices.ts'
import type { AgreementSnapshot, AgreementState } from './agreement-snapshot.ts'
import { supplierOfPeriods } from './party-part.ts'
import { labelOn } from './priced-agreement.ts'
import { inForce, isWithin, sideKey, suppliersOf, type Tenure, tenureOfSupplier } from './tenure.ts'

type Supplier = AgreementParties['supplier']

/** Takes a part of an agreement and the standing of that part. */
export function moneyOfPart(money: BilledAmounts, part: AgreementSnapshot, standing: AgreementState): BilledAmounts {
  const owners = new Owners(part, standing)
  return {
    lines: money.lines.filter(line => owners.isOwn(owners.ofLine(line))),
    quantities: money.quantities.filter(({ period, recordedAt }) => owners.isOwn(owners.ofPeriod(period, recordedAt))),
    units: money.units,
  }
}

class Owners {
  readonly #standing: AgreementState
  readonly #own: ReadonlySet<string>
  readonly #times: readonly { readonly supplier: Supplier; readonly tenure: Tenure }[]
  /** Suppliers by the slug or address that invoices may name; `undefined` for a name that two of them have. */
  readonly #named = new Map<string, Supplier | undefined>()
  readonly #signed: ReadonlyMap<string, Supplier>
  readonly #labels = new Map<number, string | null>()

  constructor(part: AgreementSnapshot, { whole }: AgreementState) {
    const { states } = part.whole.kept
    this.#standing = whole
    this.#own = new Set(inForce(part.kept.states).map(({ parties }) => sideKey(parties.supplier)))
    this.#times = suppliersOf(states).map(supplier => ({ supplier, tenure: tenureOfSupplier(states, supplier)! }))
    for (const { supplier } of this.#times)
      for (const name of new Set((typeof supplier === 'string' ? [supplier] : (supplier ?? [])).map(normalForm)))
        this.#named.set(name, this.#named.has(name) ? undefined : supplier)
    this.#signed = supplierOfPeriods(part.whole.kept)
  }

  isOwn(supplier: Supplier | undefined): boolean {
    return supplier !== undefined && this.#own.has(sideKey(supplier))
  }

  /** The supplier that the line names, else the supplier of its period. */
  ofLine({ supplier, fields, importedAt }: StoredLine): Supplier | undefined {
    const named = this.#named.get(normalForm(supplier))
    if (named !== undefined) return named
    const dayOf = (text: string | null) => (text === null ? null : parseDay(text))
    const days = {
      date: dayOf(fields.date),
      serviceFrom: dayOf(fields.serviceFrom),
      orderDate: dayOf(fields.orderDate),
    }
    const day = priceDayOf(days, this.#standing)
    return this.ofPeriod(day === null ? null : this.#labelOn(day), importedAt)
  }

  /** The supplier who signed the period, if they were the supplier by then; else the supplier at the time of recording. */
  ofPeriod(period: string | null, recordedAt: Instant): Supplier | undefined {
    const signer = period === null ? undefined : this.#signed.get(period)
    const time = signer === undefined ? undefined : this.#times.find(each => sideKey(each.supplier) === sideKey(signer))
    if (time !== undefined && recordedAt >= time.tenure.spans[0]!.from) return signer
    return this.#times.find(({ tenure }) => isWithin(tenure, recordedAt))?.supplier
  }

  #labelOn(day: number): string | null {
    const known = this.#labels.get(day)
    if (known !== undefined) return known
    const label = labelOn(this.#standing, day)
    this.#labels.set(day, label)
    return label
  }
}
