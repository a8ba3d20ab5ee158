// Who works in the demo: an owner who hands in the formulas and operates the installation, and one person on each side who
// signs.
import type { Role } from '../storage/people.ts'

export interface DemoPerson {
  readonly email: string
  readonly name: string
  readonly role: Role
}

export const buyer: DemoPerson = { email: 'ann@buyer.test', name: 'Ann Becker', role: 'buyer' }
export const supplier: DemoPerson = { email: 'sam@supplier.test', name: 'Sam Ortiz', role: 'supplier' }
export const owner: DemoPerson = { email: 'olga@demo.test', name: 'Olga Lindt', role: 'owner' }

export const demoPeople: readonly DemoPerson[] = [buyer, supplier, owner]
