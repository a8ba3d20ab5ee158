// People of the demo: an owner who applies the agreements and operates the installation, a buyer, and one person each of two
// supplying companies, which see nothing of each other.

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

/** A company, with its person. */
export interface DemoParty extends NewCompany {
  readonly person: DemoPerson
}

export const demoParties: readonly DemoParty[] = [
  { slug: 'ohio-forge', name: 'Ohio Forge Inc.', person: supplier },
  { slug: 'peach-haulage', name: 'Peach Haulage LLC', person: carrier },
]

/** Further suppliers, of a demo with many agreements. */
export const portfolioParties: readonly DemoParty[] = [
  {
    slug: 'kessler-wire',
    name: 'Kessler Drahtwerke KG',
    person: { email: 'jana@kessler.test', name: 'Jana Kessler', role: 'supplier' },
  },
  {
    slug: 'nordform-plastics',
    name: 'Nordform Kunststoffe GmbH',
    person: { email: 'nils@nordform.test', name: 'Nils Harms', role: 'supplier' },
  },
  {
    slug: 'valmora-castings',
    name: 'Valmora Castings S.p.A.',
    person: { email: 'rita@valmora.test', name: 'Rita Valli', role: 'supplier' },
  },
]
