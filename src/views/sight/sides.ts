// Sides of agreements for the pages, and lists filtered by one supplier. Uses the lists in memory; nothing is opened.
import { spell } from '../../agreements/parties.ts'
import type { Party } from '../../core/parties.ts'
import type { CachedIndex } from '../../read/lists/cached-index.ts'
import { Slices } from '../../read/memory/slices.ts'
import type { AgreementParties, AgreementRecord } from '../../storage/agreements/agreements.ts'
import type { InboxRequest } from '../calls/inbox-calls.ts'
import type { SideView, SupplierChoice } from '../shapes/parties.ts'
import type { Seat } from './seat.ts'
import { stateFor } from './visibility.ts'

/** The current name of a party; its slug if it is not in the workspace. */
export function companyNames(index: CachedIndex): (slug: string) => string {
  const { companyName } = index.identity!.issuerAt(null)
  return slug => companyName(slug) ?? slug
}

export function sideView(side: AgreementParties[Party], nameOf: (slug: string) => string): SideView {
  if (side === null) return null
  return typeof side === 'string' ? { slug: side, name: nameOf(side) } : { emails: side }
}

/** Filter value for agreements that name no supplier. */
const nobody = '-'

/** Filter values of an agreement: the slug of its supplier, or the addresses of its people. */
function keysOf(side: AgreementParties['supplier'] | undefined): readonly string[] {
  if (side == null || side.length === 0) return [nobody]
  return typeof side === 'string' ? [side] : [...new Set(side.map(spell))]
}

/** The supplier's filter value and name. */
export function supplierOf(
  side: AgreementParties['supplier'] | undefined,
  nameOf: (slug: string) => string,
): Pick<SupplierChoice, 'value' | 'label'> {
  const value = keysOf(side)[0]!
  return { value, label: labelOf(value, nameOf) }
}

/** The requested supplier; null for any. */
export function readSupplier({ supplier = '' }: Pick<InboxRequest, 'supplier'>): string | null {
  return supplier === '' ? null : spell(supplier)
}

export function hasSupplier(seat: Seat, row: AgreementRecord, wanted: string | null): boolean {
  return wanted === null || keysOf(stateFor(seat, row)?.parties.supplier).includes(wanted)
}

/**
 * Parties by name, then addresses, then nobody. A supplier sees only agreements that name it, so it has no choices. In slices:
 * there may be many thousands of agreements.
 */
export async function supplierChoices(
  seat: Seat,
  rows: readonly AgreementRecord[],
  index: CachedIndex,
): Promise<SupplierChoice[]> {
  if (seat.role === 'supplier') return []
  const nameOf = companyNames(index)
  const counts = new Map<string, number>()
  const slices = new Slices()
  for (const row of rows) {
    for (const key of keysOf(stateFor(seat, row)?.parties.supplier)) counts.set(key, (counts.get(key) ?? 0) + 1)
    await slices.rest()
  }
  const choices = [...counts].map(([value, agreements]) => ({ value, label: labelOf(value, nameOf), agreements }))
  return choices.sort((a, b) => placeOf(a) - placeOf(b) || a.label.localeCompare(b.label, 'en'))
}

function labelOf(value: string, nameOf: (slug: string) => string): string {
  if (value === nobody) return 'No supplier named'
  return value.includes('@') ? value : nameOf(value)
}

function placeOf({ value }: SupplierChoice): number {
  return value === nobody ? 2 : value.includes('@') ? 1 : 0
}
