// Check of the secret that a database was set up with. With other secrets every key would be refused one by one; the check
// reports that once, at the start.

import { type KeyRing, lastingKeysOf } from '../keys/key-ring.ts'
import { logNameOf, receiptKeyOf } from '../keys/receipt-key.ts'
import { type DatabaseTarget, inTransaction, publicScope, type Queryable } from '../postgres/database.ts'
import { makeIdentifier } from '../postgres/identifier.ts'
import { emptyTree } from '../trees/tree-growth.ts'
import { accountsScope, openAccessLog } from './access-log.ts'
import { AccessSeals } from './access-seals.ts'
import { hasRing, loadRing, loadRingRow, makeRing } from './ring-state.ts'
import { makeHead, noInstants } from './scope-head.ts'

/** The target, for connections that may publish. */
export function withRing(target: DatabaseTarget, ring: KeyRing): DatabaseTarget {
  return { ...target, ring: ring.shared }
}

/**
 * Refuses secrets without the current one. The first start writes down which secret it is, and opens the log of the public series under it.
 */
export async function checkSecrets(sql: Queryable, ring: KeyRing): Promise<void> {
  const receiptKey = receiptKeyOf(ring, ring.ids[0]!)
  const lasting = { ...lastingKeysOf(ring.secrets[0]!), logName: logNameOf(receiptKey) }
  const head = makeHead(ring, { scope: publicScope, seq: 0, tree: emptyTree, instants: noInstants })
  // A database with workspaces had a secret: if it has lost its ring, it is not set up again.
  await inTransaction(sql, async tx => {
    const made = await tx`
    with made as (
      insert into installation (id) select ${makeIdentifier('ins')} where not exists (select 1 from workspace)
      on conflict do nothing returning 1)
    insert into scope_clock (scope, seq, covered_seq, settled_at, head)
    select ${publicScope}, 0, 0, '1970-01-01T00:00:00Z'::timestamptz, ${head} from made returning 1`
    if (made.length > 0) await makeRing(tx, ring, lasting, receiptKey)
  })
  await loadRing(sql, ring)
  const [isNew] =
    await sql`select 1 where not exists (select 1 from access_entry) and not exists (select 1 from workspace)`
  if (isNew !== undefined) await openAccessLog(sql, new AccessSeals(ring), accountsScope)
}

/**
 * Refuses other secrets before anything is changed in a database that may be older. An empty database, or one that was never set
 * up, takes any secrets.
 */
export async function refuseOtherSecrets(sql: Queryable, ring: KeyRing): Promise<void> {
  if ((await hasRing(sql)) && (await loadRingRow(sql)) !== null) await loadRing(sql, ring)
}
