// The credentials of the demo: its API key and the first passwords of its people, generated at random for each installation
// and stored in a file that only we may read, so that the next start can print them again. No other workspace has such a
// file.
import { randomInt } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readKept } from '../storage/embedded/secret-file.ts'

export interface Credentials {
  readonly key: string
  /** Passwords by e-mail; only those that were set here. */
  readonly passwords: Readonly<Record<string, string>>
}

export function credentialsFile(folder: string, workspaceId: string): string {
  return join(folder, `demo-${workspaceId}.json`)
}

export async function readCredentials(path: string): Promise<Credentials | null> {
  const text = await readKept(path)
  return text === null ? null : (JSON.parse(text) as Credentials)
}

export async function replaceCredentials(path: string, credentials: Credentials): Promise<void> {
  const unfinished = `${path}.${process.pid}`
  await writeFile(unfinished, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 })
  await rename(unfinished, path)
}

/** The folder already exists if the database is in it. */
export async function ensureFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
}

/** No characters that look alike. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Sixteen of thirty-one characters: 79 bits, in groups that can be typed. */
export function makePassword(): string {
  const group = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return Array.from({ length: 4 }, group).join('-')
}
