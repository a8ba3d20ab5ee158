// The secrets of an embedded installation: one a line in a file of its data folder, of mode 0600, the newest last.
import { randomBytes } from 'node:crypto'
import { open, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Refusal } from '../../core/refusal.ts'
import { readSecrets } from '../../core/text/secret-list.ts'
import { limits } from '../../limits.ts'
import { keepFile, readKept, syncFolder } from '../embedded/secret-file.ts'

export function secretFile(dataFolder: string): string {
  return join(dataFolder, 'secret')
}

export function makeSecret(): string {
  return randomBytes(limits.secretBytes).toString('base64url')
}

/** Secrets of the installation, made at first use. */
export async function keepSecrets(dataFolder: string): Promise<readonly string[]> {
  const path = secretFile(dataFolder)
  return secretsIn(path, await keepFile(path, makeSecret))
}

/** Null where there is no file. */
export async function readSecretFile(dataFolder: string): Promise<readonly string[] | null> {
  const path = secretFile(dataFolder)
  const text = await readKept(path)
  return text === null ? null : secretsIn(path, text)
}

function secretsIn(path: string, text: string): readonly string[] {
  const secrets = readSecrets(text, { bytes: limits.secretBytes, most: limits.secretsListed })
  if (secrets === null)
    throw new Refusal(
      'invalid',
      `${path} must have 1 to ${limits.secretsListed} secrets of at least ${limits.secretBytes} bytes, one a line`,
    )
  return secrets
}

/** Time of the file's last change, for a process that watches it; null without a file. */
export async function secretFileChangedAt(dataFolder: string): Promise<number | null> {
  return (await stat(secretFile(dataFolder)).catch(() => null))?.mtimeMs ?? null
}

/** Replaces the secrets of the file, all or none of them. */
export async function writeSecrets(dataFolder: string, secrets: readonly string[]): Promise<void> {
  const path = secretFile(dataFolder)
  const unfinished = `${path}.${process.pid}.${performance.now()}`
  const file = await open(unfinished, 'wx', 0o600)
  try {
    await file.writeFile(`${secrets.join('\n')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(unfinished, path)
  await syncFolder(dirname(path))
}

/** For a restore: puts the secrets of the backup in place, or refuses where others are. */
export async function placeSecrets(dataFolder: string, secrets: readonly string[]): Promise<void> {
  const path = secretFile(dataFolder)
  const kept = secretsIn(path, await keepFile(path, () => secrets.join('\n')))
  if (kept.join('\n') !== secrets.join('\n'))
    throw new Refusal('conflict', `${path} has a different secret than the backup: restore into an empty ASSIZE_DATA`)
}
