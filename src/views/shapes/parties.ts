// Wire types of the console: parties as companies, and who is on the sides of agreements.
import type { ListConfirmation } from './company.ts'

export interface PartyRow {
  /** As agreements name it; it never changes. */
  readonly slug: string
  readonly name: string
  readonly createdAt: string
  /** The names of its people. */
  readonly people: readonly string[]
  /** The addresses of those of them whom it let in by itself and whom agreements name: there they stand for nobody. */
  readonly waiting: readonly string[]
  /** Somebody of it has joined at some time: from then on it admits its own people. */
  readonly isOwn: boolean
  /** The list of its people that it confirmed itself. */
  readonly confirmed: ListConfirmation | null
  /** Whether it keeps details for notes. */
  readonly hasBilling: boolean
  /** How many agreements name it on each side. */
  readonly agreements: { readonly buyer: number; readonly supplier: number }
}

/** A party by the slug that agreements use, and its current name. */
export interface PartyName {
  readonly slug: string
  readonly name: string
}

/** Who is on a side of an agreement: a party, or people by their addresses; null where nobody is named. */
export type SideView = PartyName | { readonly emails: readonly string[] } | null

/** What lists of agreements can be filtered by with `supplier=VALUE`. Empty for suppliers. */
export interface SupplierChoice {
  /** The slug of a party, an address, or `-` for agreements that name no supplier. */
  readonly value: string
  readonly label: string
  /** How many agreements. */
  readonly agreements: number
}

/** From when to when somebody is or was the supplier of an agreement that had others. */
interface SupplierTime {
  /** The day on which they became it; null: from the beginning. */
  readonly since: string | null
  /** The day on which another one did; null: they are. */
  readonly until: string | null
}

export interface InSupplierTime {
  /** For a supplier that was not the only one; null for everybody who sees all of it. */
  readonly asSupplier: SupplierTime | null
}
