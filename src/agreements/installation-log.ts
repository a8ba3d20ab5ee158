// The public log of this installation, opened from its secret and settings.

import type { Sql } from '../storage/postgres/database.ts'
import { KeptCheckpoint } from '../storage/proof/kept-checkpoint.ts'
import { LogKeys } from '../storage/proof/log-keys.ts'
import { PublicLog } from '../storage/proof/public-log.ts'
import type { Seal } from './seal.ts'

interface LogSettings {
  /** Null: the one that follows from the seal's key. */
  readonly logName: string | null
  readonly dataFolder: string
}

/** `assize/` and the first 16 hexadecimal digits of the seal's public key. */
export function usualLogName({ publicKey }: Pick<Seal, 'publicKey'>): string {
  return `assize/${Buffer.from(publicKey, 'base64url').toString('hex').slice(0, 16)}`
}

export function openPublicLog(
  { sql, secret }: { readonly sql: Sql; readonly secret: string },
  seal: Pick<Seal, 'publicKey'>,
  { logName, dataFolder }: LogSettings,
  report: (problem: string) => void,
): PublicLog {
  return new PublicLog({
    sql,
    keys: new LogKeys(secret),
    name: logName ?? usualLogName(seal),
    kept: new KeptCheckpoint(dataFolder),
    report,
  })
}
