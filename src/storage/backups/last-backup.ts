// Moment of the last backup, in a file beside the database, for those who watch its age. No backup depends on it.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Instant } from '../../core/time/instant.ts'

interface LastBackup {
  readonly at: Instant
  /** Path of the file. */
  readonly where: string
  readonly bytes: number
}

const pathIn = (dataFolder: string) => join(dataFolder, 'last-backup.json')

/** Notes the backup. With the operator's own database there may be no folder at all: then nothing is noted. */
export async function noteLastBackup(dataFolder: string, last: LastBackup): Promise<void> {
  const path = pathIn(dataFolder)
  const unfinished = `${path}.${process.pid}`
  try {
    await writeFile(unfinished, `${JSON.stringify(last)}\n`, { mode: 0o600 })
    await rename(unfinished, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/** Age in seconds; `null` where no backup was noted. */
export async function readBackupAge(dataFolder: string, nowMs: number): Promise<number | null> {
  const text = await readFile(pathIn(dataFolder), 'utf8').catch(() => null)
  if (text === null) return null
  const { at } = JSON.parse(text) as LastBackup
  return Math.max(0, nowMs - Date.parse(at)) / 1000
}
