// Finding the account that an address and a password open. The work does not depend on how many accounts the address has: all of
// them share their salt, so the password is hashed once and looked up (decision 0463). Also the networks from which each account
// was signed in to. An account whose password the access log does not know opens nothing.

import { type AccessFacts, accountsScope, type ConfirmedRow, confirmedFacts } from '../log/access-log.ts'
import { accessSealsOf } from '../log/access-seals.ts'
import type { Queryable } from '../postgres/database.ts'
import { accountLimits } from './account-limits.ts'
import { isSaidOf } from './confirmed-people.ts'
import type { SignIn } from './member.ts'

/** Facts of an address before its password is hashed; found with the same work for one that nobody has. */
interface AddressFacts {
  /** The salt of its accounts, or none; several only where an operator restored or changed something by hand. */
  readonly salts: readonly string[]
  /** Whether some account of the address was signed in to from this network before. */
  readonly isKnown: boolean
}

export async function loadSignInGround(sql: Queryable, email: string, network: string): Promise<AddressFacts> {
  const [row] = await sql<AddressFacts[]>`
    select salts, is_known as "isKnown"
    from sign_in_ground(${email.trim().toLowerCase()}, ${network}, ${accountLimits.saltsOfAddress})`
  return row!
}

export interface FoundAccount extends SignIn {
  /** Whether this account was signed in to from this network before. */
  readonly isKnown: boolean
}

/** The oldest account of the address with one of these hashes; `null` also where its row was put in or changed with SQL alone. */
export async function findByHash(
  sql: Queryable,
  email: string,
  hashes: readonly string[],
  network: string,
): Promise<FoundAccount | null> {
  // One statement reads the account and its log facts: they are asked for as well where nothing is found.
  const [row] = await sql<(FoundAccount & ConfirmedRow)[]>`
    select f.id, f.email, f.name, f.password_hash as "passwordHash", f.is_known as "isKnown", c.*
    from find_by_hash(${email.trim().toLowerCase()}, ${[...hashes]}, ${network}, 1) f
    cross join lateral confirm_access(array['password'], array[${accountsScope}], array[f.id]) c`
  if (row === undefined) return null
  const { id, name, passwordHash, isKnown } = row
  const account = { id, email: row.email, name, passwordHash, isKnown }
  const entry = { ...row, kind: 'password', scope: accountsScope, subject: id }
  const said = confirmedFacts(accessSealsOf(sql), entry) as AccessFacts['password'] | null
  return isSaidOf(account, said) ? account : null
}

export async function rememberNetwork(sql: Queryable, personId: string, network: string): Promise<void> {
  await sql`select remember_network(${personId}, ${network}, ${accountLimits.networksOfPerson})`
}
