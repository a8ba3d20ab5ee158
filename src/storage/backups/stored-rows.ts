// The rows of one table in one backup of a set: read by themselves, and copied into a table of the database.
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import type { Transaction } from '../postgres/database.ts'
import type { KeptManifest, StoredTable } from './manifest.ts'

/** One backup with the file of its rows. */
export interface BackupFile {
  readonly manifest: KeptManifest
  readonly file: string
}

/** The rows of one table as COPY text. */
async function* readStored({ file }: BackupFile, { offset, length }: StoredTable): AsyncGenerator<Buffer> {
  const source = createReadStream(file, { start: offset, end: offset + length - 1 })
  const unpacked = source.pipe(createGunzip())
  source.once('error', error => unpacked.destroy(error))
  try {
    yield* unpacked as AsyncIterable<Buffer>
  } finally {
    source.destroy()
    unpacked.destroy()
  }
}

export async function copyRows(tx: Transaction, into: string, backup: BackupFile, stored: StoredTable): Promise<void> {
  const target = await tx`copy ${tx(into)} (${tx([...stored.columns])}) from stdin`.copyIn()
  try {
    for await (const bytes of readStored(backup, stored)) await target.write(bytes)
    await target.finish()
  } catch (error) {
    await target.abandon()
    throw error
  }
}

/** A table of this transaction alone with the rows of another, as one backup has them. */
export async function stage(tx: Transaction, backup: BackupFile, stored: StoredTable): Promise<string> {
  const staged = `staged_${stored.table}`
  await tx`create temporary table ${tx(staged)} (like ${tx(stored.table)}) on commit drop`
  await copyRows(tx, staged, backup, stored)
  return staged
}
