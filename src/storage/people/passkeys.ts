// Passkeys of people: the public half, and the authenticator's counter. They are reached through functions only, like the person
// they belong to. A passkey that the access log does not know, or knows as removed, is none.

import type { PasskeyAssertion } from '../../core/receipt/party-signature.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Instant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import { accountsScope, changingAccess, confirmAll } from '../log/access-log.ts'
import type { Queryable } from '../postgres/database.ts'
import { confirmSignIns } from './confirmed-people.ts'
import type { SignIn } from './member.ts'

export interface NewPasskey extends Pick<PasskeyAssertion, 'credentialId' | 'publicKey' | 'algorithm' | 'rpId'> {
  readonly name: string
  /** The authenticator asked for a PIN or a finger when it was registered. */
  readonly verifiesUser: boolean
  readonly counter: number
  readonly transports: readonly string[]
}

export interface Passkey extends NewPasskey {
  readonly personId: string
  readonly createdAt: Instant
  readonly lastUsedAt: Instant | null
}

const uniqueViolation = '23505'
const checkViolation = '23514'

export async function addPasskey(sql: Queryable, personId: string, given: NewPasskey): Promise<void> {
  const { credentialId, name, publicKey, algorithm, rpId, verifiesUser, counter, transports } = given
  const most = limits.passkeysPerPerson
  const [row] = await changingAccess(
    sql,
    tx => tx<{ added: boolean }[]>`
      select add_passkey(${personId}, ${credentialId}, ${name}, ${publicKey}, ${algorithm}, ${rpId}, ${verifiesUser},
        ${counter}, ${transports as string[]}::text[], ${most}) as added`,
  ).catch(error => {
    if (error.code === uniqueViolation) throw new Refusal('conflict', 'this passkey is registered already')
    throw error
  })
  if (!row!.added) throw new Refusal('conflict', `at most ${most} passkeys are kept; remove one first`)
}

/** Passkeys, oldest first. */
export async function listPasskeys(sql: Queryable, personId: string): Promise<readonly Passkey[]> {
  const rows = await sql<Passkey[]>`
    select credential_id as "credentialId", person_id as "personId", name, public_key as "publicKey", algorithm,
      rp_id as "rpId", verifies_user as "verifiesUser", counter, transports, created_at as "createdAt",
      last_used_at as "lastUsedAt"
    from passkeys_of(${personId})`
  const said = await confirmAll(
    sql,
    'passkey',
    accountsScope,
    rows.map(({ credentialId }) => credentialId),
  )
  return rows.filter(row => {
    const facts = said.get(row.credentialId)
    const isTheirs = facts?.person_id === personId && row.personId === personId
    return (
      isTheirs && facts.public_key === row.publicKey && facts.algorithm === row.algorithm && facts.rp_id === row.rpId
    )
  })
}

/** Owner of a passkey; `null` for an unknown one. */
export async function findPasskeyOwner(sql: Queryable, credentialId: string): Promise<SignIn | null> {
  const rows = await sql<SignIn[]>`
    select id, email, name, password_hash as "passwordHash" from passkey_owner(${credentialId})
    where password_hash is not null`
  return (await confirmSignIns(sql, rows))[0] ?? null
}

/** Counts on; false where the authenticator has not, so that the answer was seen before or there are two authenticators. */
export async function countPasskey(sql: Queryable, credentialId: string, counter: number): Promise<boolean> {
  const [row] = await sql<{ used: boolean | null }[]>`select use_passkey(${credentialId}, ${counter}) as used`
  return row?.used === true
}

/** Removes a passkey and returns its name. */
export async function removePasskey(sql: Queryable, personId: string, credentialId: string): Promise<string> {
  const [row] = await changingAccess(
    sql,
    tx => tx<{ name: string | null }[]>`select remove_passkey(${personId}, ${credentialId}) as name`,
  ).catch(error => {
    if (error.code === checkViolation)
      throw new Refusal(
        'conflict',
        'this is your only passkey and signing in takes one; allow the password again before you remove it',
      )
    throw error
  })
  if (row!.name === null) throw new Refusal('not-found', 'there is no such passkey; it may be removed already')
  return row!.name
}
