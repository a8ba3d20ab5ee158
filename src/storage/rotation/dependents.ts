// Dependents of a secret: rows that a rotation seals again, and digests of secrets that only their holders have, which change at their next
// use and end with the secret. For the owner's connection.
import { type EntryKind, entryKinds, kindsWhere } from '../log/entry-kinds.ts'
import { type Sql, type Transaction, withWorkspace } from '../postgres/database.ts'

export interface Hanging {
  /** Seals of rows, heads, entries of who has access, and what is stored encrypted: a rotation brings them to 0. */
  readonly sealed: number
  readonly apiKeys: readonly HangingName[]
  readonly feeds: readonly HangingName[]
  /** Owners of sessions, once for each session. */
  readonly sessions: readonly string[]
  /** Addresses of people with unused recovery codes. */
  readonly recoveryCodes: readonly string[]
}

interface HangingName {
  readonly workspace: string
  readonly id: string
  readonly name: string
}

export function loadHanging(owner: Sql, id: string): Promise<Hanging> {
  return withWorkspace(owner, '*', async tx => {
    await tx`select set_config('statement_timeout', '0', true)`
    const apiKeys = await tx<HangingName[]>`
      select w.slug as workspace, k.id, k.name from api_key k join workspace w on w.id = k.workspace_id
      where substring(k.digest from 1 for 4) = decode(${id}, 'hex') and k.revoked_at is null
        and (k.expires_at is null or k.expires_at > clock_timestamp()) order by 1, 2`
    const feeds = await tx<HangingName[]>`
      select w.slug as workspace, f.id, f.name from feed f join workspace w on w.id = f.workspace_id
      where substring(f.digest from 1 for 4) = decode(${id}, 'hex') and f.revoked_at is null order by 1, 2`
    const sessions = await tx<{ email: string }[]>`
      select p.email from session s join person p on p.id = s.person_id
      where substring(s.token_hash from 1 for 4) = decode(${id}, 'hex') and s.ended_at is null
        and s.expires_at > clock_timestamp() order by 1`
    const codes = await tx<{ email: string }[]>`
      select distinct p.email from recovery_code r join person p on p.id = r.person_id
      where substring(r.digest from 1 for 4) = decode(${id}, 'hex') and r.used_at is null order by 1`
    return {
      sealed: await countSealed(tx, id),
      apiKeys,
      feeds,
      sessions: sessions.map(({ email }) => email),
      recoveryCodes: codes.map(({ email }) => email),
    }
  })
}

/** Number of rows that a rotation away from a secret still has to seal again. */
export function loadLeft(owner: Sql, id: string): Promise<number> {
  return withWorkspace(owner, '*', async tx => {
    await tx`select set_config('statement_timeout', '0', true)`
    return countSealed(tx, id)
  })
}

/** Tables with a seal that are no rows of entries, each with its column and which of its rows count. */
const otherSeals: readonly (readonly [table: string, column: string, where: string])[] = [
  ['scope_clock', 'head', 'true'],
  ['access_entry', 'seal', 'true'],
  ['access_head', 'head', 'true'],
  ['session', 'seal', 'ended_at is null and expires_at > clock_timestamp()'],
  ['log_state', 'seal', 'true'],
  ['webhook_delivery', 'seal', 'outcome is null'],
  ['identity_provider', 'client_secret', 'true'],
  ['webhook', 'secret', 'true'],
  ['webhook', 'old_secret', 'true'],
  ['second_factor', 'code_secret', 'true'],
]

async function countSealed(tx: Transaction, id: string): Promise<number> {
  const entryTables = new Set(kindsWhere(({ seal }) => seal !== null).map((kind: EntryKind) => entryKinds[kind].table))
  const places = [...[...entryTables].map(table => [table, 'seal', 'true'] as const), ...otherSeals]
  let sum = 0
  for (const [table, column, where] of places) {
    // Names of our own tables alone.
    const [row] = await tx<{ count: number }[]>`
      select count(*) as count from ${tx(table)} t
      where substring(t.${tx(column)} from 1 for 4) = decode(${id}, 'hex') and ${tx.unsafe(where)}`
    sum += row!.count
  }
  return sum
}
