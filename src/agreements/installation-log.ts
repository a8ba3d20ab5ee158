// The public log of this installation, opened from its secret and settings.

import type { KeyRing } from '../storage/keys/key-ring.ts'
import { logNameOf, receiptKeyOf } from '../storage/keys/receipt-key.ts'
import type { Sql } from '../storage/postgres/database.ts'
import { LogKeys } from '../storage/proof/log-keys.ts'
import { NewestCheckpoint } from '../storage/proof/newest-checkpoint.ts'
import { PublicLog } from '../storage/proof/public-log.ts'

interface LogSettings {
  /** Name of the log; null for the name derived from the key of the first seal. */
  readonly logName: string | null
  readonly dataFolder: string
}

export function openPublicLog(
  { sql, ring }: { readonly sql: Sql; readonly ring: KeyRing },
  { logName, dataFolder }: LogSettings,
  report: (problem: string) => void,
): PublicLog {
  return new PublicLog({
    sql,
    keys: new LogKeys(ring),
    name: logName ?? ring.lasting.logName ?? logNameOf(receiptKeyOf(ring, ring.currentId)),
    kept: new NewestCheckpoint(dataFolder),
    report,
  })
}
