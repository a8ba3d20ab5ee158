// Data folders that many tests begin with, such as one with the demo in it: made once in a run of the tests, then
// copied. If no run prepares anything, as under `npm run bench`, nothing is copied and it is made in place or when it is
// opened.
import { existsSync } from 'node:fs'
import { cp, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EmbeddedPostgres } from '../../../src/storage/embedded/embedded.ts'
import { FileLock } from '../../../src/storage/embedded/file-lock.ts'
import { changingAccess } from '../../../src/storage/log/access-log.ts'
import { Installation } from '../../../src/storage/upkeep/installation.ts'
import { commandOutput, processEnv } from '../clients/command-output.ts'
import { easyHashOf } from '../easy-hash.ts'
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

type OpeningOptions = Pick<Parameters<typeof Installation.open>[0], 'connections'>

const open = (dataFolder: string, options: OpeningOptions = {}) =>
  Installation.open({ dataFolder, databaseUrl: null, secrets: null, ...options })

/** An installation with nothing in it; if no run prepares one, it is made when it is opened. */
export async function copyInstallation(folder: string): Promise<void> {
  await copyPrepared('installation', folder, async made => (await open(made)).close())
}

/** The same, open. */
export async function openInstallation(folder: string, options: OpeningOptions = {}): Promise<Installation> {
  await copyInstallation(folder)
  return open(folder, options)
}

/** A data folder in which only PostgreSQL was ever started, as after a start that was broken off: for restores. */
export async function copyEmptyDatabase(folder: string): Promise<void> {
  await copyPrepared('empty-database', folder, async made => (await EmbeddedPostgres.attach(made)).release())
}

/**
 * In `data` an installation with the demo, and next to it what the command has said: the key and the passwords. Their hashes
 * are easy ones, because people sign in and sign many times.
 */
export async function fillWithDemo(folder: string): Promise<void> {
  if (!(await copyPrepared('demo', folder, makeDemo))) await makeDemo(folder)
}

export const demoWordsName = 'demo.json'

export interface DemoWords {
  readonly key: string
  readonly signIns: readonly { readonly email: string; readonly password: string }[]
}

async function makeDemo(folder: string): Promise<void> {
  const dataFolder = join(folder, 'data')
  const said = await commandOutput(['demo', '--no-serve', '--json'], { ...processEnv, ASSIZE_DATA: dataFolder })
  await writeFile(join(folder, demoWordsName), said)
  const installation = await open(dataFolder, { connections: 1 })
  try {
    for (const { email, password } of (JSON.parse(said) as DemoWords).signIns)
      await changingAccess(
        installation.owner,
        async tx => tx`update person set password_hash = ${await easyHashOf(password)} where email = ${email}`,
      )
  } finally {
    await installation.close()
  }
}
