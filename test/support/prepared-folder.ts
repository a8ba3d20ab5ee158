// Data folders that many tests begin with, such as one with the demo in it: made once in a run of the tests, then
// copied. If no run prepares anything, as under `npm run faults`, nothing is copied and it is made in place or when it is
// opened.
import { existsSync } from 'node:fs'
import { cp, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { FileLock } from '../../src/storage/file-lock.ts'
import { Installation } from '../../src/storage/installation.ts'
import { runFolderVariable } from './start-files.ts'

const patienceMs = 120_000

/** Fills `target` with what `make` leaves in the folder it is given; nothing may be running in it. Says whether it did. */
export async function copyPrepared(
  name: string,
  target: string,
  make: (folder: string) => Promise<unknown>,
): Promise<boolean> {
  const run = process.env[runFolderVariable]
  if (run === undefined) return false
  const prepared = join(run, `prepared-${name}`)
  const lock = await FileLock.wait(`${prepared}.lock`, 'alone', patienceMs)
  try {
    if (!existsSync(prepared)) {
      await make(`${prepared}-unfinished`)
      await rename(`${prepared}-unfinished`, prepared)
    }
  } finally {
    lock.release()
  }
  await cp(prepared, target, { recursive: true })
  return true
}

/** An installation with nothing in it. */
export async function openInstallation(
  folder: string,
  options: { readonly connections?: number } = {},
): Promise<Installation> {
  const open = (dataFolder: string) => Installation.open({ dataFolder, databaseUrl: null, secret: null, ...options })
  await copyPrepared('installation', folder, async made => (await open(made)).close())
  return open(folder)
}
