// The server's secret and the keys made from it. Each purpose has its own key, so that one never opens the other's
// locks. The secret itself is written nowhere but in its file of mode 0600 and, with the embedded database, in backups.
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import { Refusal } from '../core/refusal.ts'
import { limits } from '../limits.ts'
import type { Queryable } from './database.ts'
import { keepFile, readKept } from './kept-file.ts'

export type SecretPurpose = 'api-key digests' | 'cursors' | 'receipt seal' | 'sessions' | 'set-up links' | 'check'

export function deriveKey(secret: string, purpose: SecretPurpose): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'assize', purpose, 32))
}

export function secretFile(dataFolder: string): string {
  return join(dataFolder, 'secret')
}

/** The secret of an embedded installation, made at first use. */
export async function keepSecret(dataFolder: string): Promise<string> {
  const path = secretFile(dataFolder)
  const secret = await keepFile(path, () => randomBytes(limits.secretBytes).toString('base64url'))
  if (Buffer.byteLength(secret) < limits.secretBytes)
    throw new Refusal(
      'invalid',
      `${path} must hold at least ${limits.secretBytes} bytes, got ${Buffer.byteLength(secret)}`,
    )
  return secret
}

/** For a restore: puts the secret of the backup in place, or refuses where another one is. */
export async function placeSecret(dataFolder: string, secret: string): Promise<void> {
  const kept = await keepFile(secretFile(dataFolder), () => secret)
  if (kept !== secret)
    throw new Refusal(
      'conflict',
      `${secretFile(dataFolder)} holds another secret than the backup: restore into an empty ASSIZE_DATA`,
    )
}

export function readSecret(dataFolder: string): Promise<string | null> {
  return readKept(secretFile(dataFolder))
}

/** With another secret every key would be refused one by one; better to say it once, at the start. */
export async function checkSecret(sql: Queryable, secret: string): Promise<void> {
  const ours = createHmac('sha256', deriveKey(secret, 'check')).update('assize').digest()
  await sql`insert into installation (secret_check) values (${ours}) on conflict do nothing`
  const [held] = await sql<{ secret_check: Buffer }[]>`select secret_check from installation`
  if (!timingSafeEqual(held!.secret_check, ours))
    throw new Refusal(
      'conflict',
      'ASSIZE_SECRET is not the one this database was set up with: keys and sign-ins made under it would all be refused',
    )
}
