// Who did what, when, from where: rows for people to read, added and never changed.
import type { Transaction } from './database.ts'
import { makeIdentifier } from './identifier.ts'

export interface Activity {
  readonly who: string
  readonly what: string
  readonly subject: string
  readonly fromAddress: string | null
}

export async function noteActivity(tx: Transaction, workspaceId: string, activity: Activity): Promise<void> {
  const { who, what, subject, fromAddress } = activity
  await tx`
    insert into activity (workspace_id, id, who, what, subject, from_address)
    values (${workspaceId}, ${makeIdentifier('act')}, ${who}, ${what}, ${subject}, ${fromAddress})`
}
