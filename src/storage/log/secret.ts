// The server's secret and the keys made from it. Each purpose has its own key, so that one never opens the other's
// locks. The secret itself is written nowhere but in its file of mode 0600 and, with the embedded database, in backups.
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import { Refusal } from '../../core/refusal.ts'
import { limits } from '../../limits.ts'
import { keepFile } from '../embedded/kept-file.ts'
import { type DatabaseTarget, publicScope, type Queryable, schemaName } from '../postgres/database.ts'
import { makeIdentifier } from '../postgres/identifier.ts'
import { emptyTree } from '../trees/tree-growth.ts'
import { accountsScope, openAccessLog } from './access-log.ts'
import { AccessSeals } from './access-seals.ts'
import { makeHead, noInstants } from './scope-head.ts'

type SecretPurpose =
  | 'api-key digests'
  | 'cursors'
  | 'feed cursors'
  | 'feed digests'
  | 'receipt seal'
  | 'sessions'
  | 'set-up links'
  | 'chain'
  | 'check'
  | 'passkey challenges'
  | 'one-time codes'
  | 'recovery codes'
  | 'mail links'
  | 'unsubscribing'
  | 'known browsers'
  | 'log checkpoint'
  | 'log scopes'
  | 'identity provider secrets'
  | 'identity requests'
  | 'awaited signings'
  | 'webhook secrets'
  | 'webhook bodies'

export function deriveKey(secret: string, purpose: SecretPurpose): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'assize', purpose, 32))
}

/** As hexadecimal digits. */
export function chainKeyOf(secret: string): string {
  return deriveKey(secret, 'chain').toString('hex')
}

/** The same place, for connections that may publish. */
export function withChainKey(target: DatabaseTarget, secret: string): DatabaseTarget {
  return { ...target, chainKey: chainKeyOf(secret) }
}

function secretFile(dataFolder: string): string {
  return join(dataFolder, 'secret')
}

/** The secret of an embedded installation, made at first use. */
export async function keepSecret(dataFolder: string): Promise<string> {
  const path = secretFile(dataFolder)
  const secret = await keepFile(path, () => randomBytes(limits.secretBytes).toString('base64url'))
  if (Buffer.byteLength(secret) < limits.secretBytes)
    throw new Refusal(
      'invalid',
      `${path} must have at least ${limits.secretBytes} bytes, got ${Buffer.byteLength(secret)}`,
    )
  return secret
}

/** For a restore: puts the secret of the backup in place, or refuses where another one is. */
export async function placeSecret(dataFolder: string, secret: string): Promise<void> {
  const kept = await keepFile(secretFile(dataFolder), () => secret)
  if (kept !== secret)
    throw new Refusal(
      'conflict',
      `${secretFile(dataFolder)} has a different secret than the backup: restore into an empty ASSIZE_DATA`,
    )
}

/**
 * With another secret every key would be refused one by one; this is reported once, at the start. The first start
 * writes down which secret it is, and opens the chain of the public series under it.
 */
export async function checkSecret(sql: Queryable, secret: string): Promise<void> {
  const chainKey = chainKeyOf(secret)
  const head = makeHead(chainKey, { scope: publicScope, seq: 0, tree: emptyTree, instants: noInstants })
  // Where there are workspaces there was a secret: a database that has lost its mark is not set up again.
  await sql`
    with made as (
      insert into installation (secret_check, id) select ${markOf(secret)}, ${makeIdentifier('ins')} where not exists (select 1 from workspace)
      on conflict do nothing returning 1)
    insert into scope_clock (scope, seq, covered_seq, settled_at, head)
    select ${publicScope}, 0, 0, '1970-01-01T00:00:00Z'::timestamptz, ${head} from made`
  await compareSecret(sql, secret)
  const [isNew] =
    await sql`select 1 where not exists (select 1 from access_entry) and not exists (select 1 from workspace)`
  if (isNew !== undefined) await openAccessLog(sql, new AccessSeals(chainKey), accountsScope)
}

/** Before anything is changed in a database that may be older. One that is empty, or was never set up, takes any secret. */
export async function refuseOtherSecret(sql: Queryable, secret: string): Promise<void> {
  const [schema] = await sql<{ isMade: boolean }[]>`
    select to_regclass(${`${schemaName}.installation`}) is not null as "isMade"`
  if (!schema!.isMade) return
  const [stored] = await sql`select 1 from installation`
  if (stored !== undefined) await compareSecret(sql, secret)
}

/** Refuses another secret than the one the database was set up with. */
export async function compareSecret(sql: Queryable, secret: string): Promise<void> {
  const [stored] = await sql<{ secret_check: Buffer }[]>`select secret_check from installation`
  if (stored === undefined)
    throw new Refusal('conflict', 'the database does not say which secret it was set up with: restore it from a backup')
  if (!timingSafeEqual(stored.secret_check, markOf(secret)))
    throw new Refusal(
      'conflict',
      'ASSIZE_SECRET is not the one this database was set up with: keys and sign-ins made under it would all be refused',
    )
}

function markOf(secret: string): Buffer {
  return createHmac('sha256', deriveKey(secret, 'check')).update('assize').digest()
}
