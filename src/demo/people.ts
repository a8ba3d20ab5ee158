// Who works in the demo: an owner who applies the formulas and operates the installation, a buyer, and one person each of two
// companies that supply and see nothing of each other.

import type { Role } from '../core/roles.ts'
import type { NewCompany } from '../storage/people/parties.ts'

export interface DemoPerson {
  readonly email: string
  readonly name: string
  readonly role: Role
}

export const buyer: DemoPerson = { email: 'ann@buyer.test', name: 'Ann Becker', role: 'buyer' }
export const supplier: DemoPerson = { email: 'sam@supplier.test', name: 'Sam Ortiz', role: 'supplier' }
export const carrier: DemoPerson = { email: 'pia@haulage.test', name: 'Pia Marsh', role: 'supplier' }
export const owner: DemoPerson = { email: 'olga@demo.test', name: 'Olga Lindt', role: 'owner' }

export const demoPeople: readonly DemoPerson[] = [buyer, supplier, carrier, owner]

/** Each with the one who belongs to it. */
export const demoParties: readonly (NewCompany & { readonly person: DemoPerson })[] = [
  { slug: 'ohio-forge', name: 'Ohio Forge Inc.', person: supplier },
  { slug: 'peach-haulage', name: 'Peach Haulage LLC', person: carrier },
]
