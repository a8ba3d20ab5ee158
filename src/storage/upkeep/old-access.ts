// Records who had access before there was a log of it, as it stands: with the migration that brings the log, in its
// transaction, and never again. A row that is added later without the secret stays without an entry.
import type { Json } from '../../core/text/canonical-json.ts'
import type { Instant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import { accountsScope, appendEntries, type NewEntry, openAccessLog } from '../log/access-log.ts'
import type { AccessSeals } from '../log/access-seals.ts'
import type { Transaction } from '../postgres/database.ts'
import { RowCursor } from '../postgres/row-cursor.ts'

/** Whether the installation was set up, or somebody is in it. */
export async function hasAccessRows(tx: Transaction): Promise<boolean> {
  await tx`select set_config('assize.workspace', '*', true)`
  const [found] = await tx`select 1 from installation union all select 1 from workspace limit 1`
  return found !== undefined
}

interface StateRow {
  readonly kind: string
  readonly scope: string
  readonly subject: string
  readonly facts: Json
}

/** For the owner's connection. */
export async function recordOldAccess(tx: Transaction, seals: AccessSeals): Promise<void> {
  await tx`select set_config('assize.workspace', '*', true)`
  const [clock] = await tx<{ now: Instant }[]>`select clock_timestamp() as now`
  const workspaces = await tx<{ id: string }[]>`select id from workspace order by id`
  for (const scope of [accountsScope, ...workspaces.map(({ id }) => id)]) {
    let end: NewEntry['end'] = await openAccessLog(tx, seals, scope)
    const state = tx<StateRow[]>`
      select kind, scope, subject, facts from access_state where scope = ${scope} and kind <> 'ended-session'
      order by kind, subject`
    const cursor = await RowCursor.open(tx, 'access_before', state, limits.accessEntriesTogether)
    for (let rows = await cursor.nextPiece(); rows.length > 0; rows = await cursor.nextPiece()) {
      const entries = rows.map(({ facts, ...row }) => ({ ...row, at: clock!.now, content: facts, end }))
      end = (await appendEntries(tx, seals, entries)).get(scope)!
    }
    await cursor.close()
  }
}
