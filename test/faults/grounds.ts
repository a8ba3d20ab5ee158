// Databases for runs outside the shared one of the test suite: an embedded installation in its own folder, an empty
// database on the same server, and a restored copy.

import { randomBytes } from 'node:crypto'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EmbeddedPostgres } from '../../src/storage/embedded/embedded.ts'
import type { Cluster } from '../../src/storage/embedded/postmaster.ts'
import { KeyRing } from '../../src/storage/keys/key-ring.ts'
import { type DatabaseTarget, openOwner } from '../../src/storage/postgres/database.ts'
import { createBackup } from '../../src/storage/upkeep/backup.ts'
import type { TableSummary } from '../../src/storage/upkeep/backup-format.ts'
import { restoreBackup } from '../../src/storage/upkeep/restore.ts'
import { type Api, type Ground, openApi } from '../support/houses/api.ts'
import { openConsole, type TestConsole } from '../support/houses/console.ts'
import { openInstallation } from '../support/run/prepared-folder.ts'

export interface FolderGround extends Ground {
  readonly folder: string
  readonly secret: string
  readonly ring: KeyRing
  readonly embedded: EmbeddedPostgres
  readonly cluster: Cluster
}

/** In a new folder below the one given. */
export async function openFolderGround(below: string = tmpdir()): Promise<FolderGround> {
  const folder = await realpath(await mkdtemp(join(below, 'assize-ground-')))
  const installation = await openInstallation(folder, { connections: 1 })
  return {
    folder,
    secret: installation.ring.secrets[0]!,
    ring: installation.ring,
    embedded: installation.embedded!,
    cluster: {
      dataFolder: join(folder, 'database'),
      socketFolder: join(folder, 'socket'),
      logFile: join(folder, 'database.log'),
    },
    target: installation.target,
    owner: installation.owner,
    async close() {
      await installation.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export async function inFolder<T>(work: (ground: FolderGround) => Promise<T>): Promise<T> {
  const ground = await openFolderGround()
  try {
    return await work(ground)
  } finally {
    await ground.close()
  }
}

/** A server in this process. */
export function withApi<T>(work: (api: Api, ground: FolderGround) => Promise<T>): Promise<T> {
  return inFolder(async ground => {
    const { secret } = ground
    const api = await openApi({ ...ground, close: async () => {} }, { secret, env: { LOG_LEVEL: 'warn' } })
    try {
      return await work(api, ground)
    } finally {
      await api.close()
    }
  })
}

/** A server in this process, with its own folder for uploads; its database is removed when it closes. */
export async function withConsole<T>(
  work: (console: TestConsole) => Promise<T>,
  ground: Ground,
  secret?: string,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'assize-work-'))
  const env = { ASSIZE_DATA: folder, LOG_LEVEL: 'warn' }
  const console = await openConsole({ env, ...(secret === undefined ? {} : { secret }) }, ground)
  try {
    return await work(console)
  } finally {
    await console.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** An empty database of the same server. */
export async function openSibling({ target }: Pick<Ground, 'target'>): Promise<Ground> {
  const name = `sibling_${randomBytes(6).toString('hex')}`
  const admin = openOwner(namedTarget(target, 'postgres'), { connections: 1 })
  await admin`create database ${admin(name)} template template0`
  const sibling = namedTarget(target, name)
  const owner = openOwner(sibling)
  return {
    target: sibling,
    owner,
    async close() {
      await owner.end({ timeout: 5 })
      await admin`drop database ${admin(name)} with (force)`
      await admin.end()
    },
  }
}

function namedTarget(target: DatabaseTarget, database: string): DatabaseTarget {
  if ('endpoint' in target) return { ...target, database }
  const url = new URL(target.url)
  url.pathname = `/${database}`
  return { ...target, url: url.href }
}

export interface Copy extends Ground {
  /** The contents of each table according to the backup. */
  readonly tables: readonly TableSummary[]
}

/** A copy of everything, by way of a backup and a restore. */
export async function restoreBeside(ground: Ground, secret: string): Promise<Copy> {
  const folder = await mkdtemp(join(tmpdir(), 'assize-copy-'))
  const file = join(folder, 'backup')
  const copy = await openSibling(ground)
  try {
    const { tables } = await createBackup(ground.owner, file, null)
    await restoreBackup(copy.owner, file, KeyRing.of([secret]))
    return { ...copy, tables }
  } catch (error) {
    await copy.close()
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
