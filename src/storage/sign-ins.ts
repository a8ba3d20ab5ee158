// Finding the account that an address and a password open. The work does not depend on how many accounts the address has:
// all of them share their salt, so the password is hashed once and looked up (decision 0463). And the networks from which
// each account was signed in to.
import { accountLimits } from './account-limits.ts'
import type { Queryable } from './database.ts'
import type { SignIn } from './people.ts'

/** What is known of an address before its password is hashed; the same work for one that nobody has. */
export interface SignInGround {
  /** One, or none; several only where an operator restored or changed something by hand. */
  readonly salts: readonly string[]
  /** Whether some account of the address was signed in to from this network before. */
  readonly isKnown: boolean
}

export async function readSignInGround(sql: Queryable, email: string, network: string): Promise<SignInGround> {
  const [row] = await sql<SignInGround[]>`
    select salts, is_known as "isKnown"
    from sign_in_ground(${email.trim().toLowerCase()}, ${network}, ${accountLimits.saltsOfAddress})`
  return row!
}

export interface FoundAccount extends SignIn {
  /** Whether this account was signed in to from this network before. */
  readonly isKnown: boolean
}

/** The oldest account of the address with one of these hashes. */
export async function findByHash(
  sql: Queryable,
  email: string,
  hashes: readonly string[],
  network: string,
): Promise<FoundAccount | null> {
  const [row] = await sql<FoundAccount[]>`
    select id, email, name, password_hash as "passwordHash", is_known as "isKnown"
    from find_by_hash(${email.trim().toLowerCase()}, ${[...hashes]}, ${network}, 1)`
  return row ?? null
}

export async function rememberNetwork(sql: Queryable, personId: string, network: string): Promise<void> {
  await sql`select remember_network(${personId}, ${network}, ${accountLimits.networksOfPerson})`
}
