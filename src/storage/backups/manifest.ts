// What is said about one backup of a set: its number, what it holds, table by table, and which one it builds on, by hash. A backup
// exists once this is stored; it comes last. Its own last line has its hash, so that a changed one is refused.
import { createHash } from 'node:crypto'
import { Refusal } from '../../core/refusal.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { BackupHeader } from '../upkeep/backup-format.ts'
import type { BackupStore } from './backup-store.ts'

const format = 'assize-backups/1'

/**
 * `whole`: all rows, which count in place of all before. `log`: what was recorded after the one it builds on, by the position in the log.
 * `added`: what was added since, by transaction; some of it may be there already.
 */
export type Way = 'whole' | 'log' | 'added'

export interface StoredTable {
  readonly table: string
  readonly columns: readonly string[]
  readonly way: Way
  /** Where its rows are in the data, packed by themselves. */
  readonly offset: number
  readonly length: number
  /** Those that are here, and SHA-256 of them as COPY text in the order of their primary key. */
  readonly rows: number
  readonly sha256: string
  /** How many the table has with all that it builds on. */
  readonly total: number
}

/** Which database it is, and from which transaction on something may have been added that is not in here. */
export interface Horizon {
  readonly database: string
  readonly transaction: string
}

export interface BackupManifest {
  readonly format: typeof format
  readonly number: number
  readonly createdAt: Instant
  /** Null for one that has everything. `sha256` is of the manifest. */
  readonly buildsOn: { readonly number: number; readonly sha256: string } | null
  /** How many there are between this and the last that has everything. */
  readonly sinceFull: number
  readonly data: { readonly name: string; readonly bytes: number; readonly sha256: string }
  readonly migrations: BackupHeader['migrations']
  /** The newest entry of each scope. */
  readonly marks: Readonly<Record<string, number>>
  readonly horizon: Horizon
  /** When somebody was erased, and how many entries were redacted by that. */
  readonly erasures: readonly Instant[]
  readonly redactions: number
  readonly tables: readonly StoredTable[]
}

export interface KeptManifest extends BackupManifest {
  /** Of its text. */
  readonly sha256: string
}

export function manifestName(number: number): string {
  return `${String(number).padStart(6, '0')}.json`
}

/** `null` for the name of something else. */
export function numberOfManifest(name: string): number | null {
  return /^\d{6,}\.json$/.test(name) ? Number.parseInt(name, 10) : null
}

export function dataName(number: number, random: string): string {
  return `${String(number).padStart(6, '0')}-${random}.rows`
}

export function numberOfData(name: string): number | null {
  return /^\d{6,}-[0-9a-f]+\.rows$/.test(name) ? Number.parseInt(name, 10) : null
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

export function writeManifest(manifest: Omit<BackupManifest, 'format'>): string {
  const text = `${JSON.stringify({ format, ...manifest }, null, 1)}\n`
  return `${text}sha256 ${hashOf(text)}\n`
}

/** For one thing of a set, named with where it is. */
export function broken(store: BackupStore, name: string, why: string): Refusal {
  return new Refusal('invalid', `${store.where} cannot be restored: ${name} ${why}`)
}

const mostBytes = 64 * 1024 * 1024

export async function readManifest(store: BackupStore, number: number): Promise<KeptManifest> {
  const name = manifestName(number)
  let chunks: Buffer[] = []
  await store.read(name, async body => {
    chunks = []
    let length = 0
    for await (const chunk of body) {
      length += chunk.length
      if (length > mostBytes) throw broken(store, name, 'is too long')
      chunks.push(chunk)
    }
  })
  const text = Buffer.concat(chunks).toString('utf8')
  const [, said, hash] = /^(.*\n)sha256 ([0-9a-f]{64})\n$/s.exec(text) ?? []
  if (said === undefined || hashOf(said) !== hash)
    throw broken(store, name, 'is damaged or cut off: its bytes are not those that were written')
  const manifest = JSON.parse(said) as BackupManifest
  if (manifest.format !== format)
    throw broken(store, name, `was made by a newer Assize, in the format ${manifest.format}; start that one`)
  if (manifest.number !== number)
    throw broken(store, name, `says that it is ${manifestName(manifest.number)}: it was moved`)
  return { ...manifest, sha256: hash }
}
