// Wire types of the console: parties as companies, and the sides of agreements.
import type { ListConfirmation } from './company.ts'

export interface PartyRow {
  /** Name in agreements; it never changes. */
  readonly slug: string
  readonly name: string
  readonly createdAt: string
  /** Names of its people. */
  readonly people: readonly string[]
  /** Addresses of people whom it let in by itself and whom agreements name: there they stand for nobody. */
  readonly waiting: readonly string[]
  /** Whether somebody of it ever joined: from then on it admits its own people. */
  readonly isOwn: boolean
  /** Its own confirmation of its list of people. */
  readonly confirmed: ListConfirmation | null
  /** Whether it keeps details for notes. */
  readonly hasBilling: boolean
  /** Number of agreements that name it, by side. */
  readonly agreements: { readonly buyer: number; readonly supplier: number }
}

/** A party by the slug that agreements use, and its current name. */
export interface PartyName {
  readonly slug: string
  readonly name: string
}

/** Side of an agreement: a party, or people by their addresses; null where nobody is named. */
export type SideView = PartyName | { readonly emails: readonly string[] } | null

/** Filter of agreement lists by `supplier=VALUE`. Empty for suppliers. */
export interface SupplierChoice {
  /** The slug of a party, an address, or `-` for agreements that name no supplier. */
  readonly value: string
  readonly label: string
  /** Number of agreements. */
  readonly agreements: number
}

/** Time for which somebody is or was the supplier of an agreement that had others. */
interface SupplierTime {
  /** Their first day; null: from the beginning. */
  readonly since: string | null
  /** First day of the next supplier; null while there is none. */
  readonly until: string | null
}

export interface InSupplierTime {
  /** Time of a supplier that was not the only one; null for everybody who sees all of the agreement. */
  readonly asSupplier: SupplierTime | null
}
