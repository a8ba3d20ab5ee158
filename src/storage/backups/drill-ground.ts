// The temporary database of a restore drill: of the operator's own server where the role may make one, else an embedded one in a
// folder of its own. The database is gone afterwards, whatever becomes of the process: a helper that outlives the process removes
// the folder, the next drill a database.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { EmbeddedPostgres } from '../embedded/embedded.ts'
import { endingSignals } from '../embedded/signal-exit.ts'
import { type DatabaseTarget, databaseName, openOwner, type Sql } from '../postgres/database.ts'
import type { InstallationOptions } from '../upkeep/installation.ts'

type GroundOptions = Pick<InstallationOptions, 'dataFolder' | 'databaseUrl' | 'databaseDirectUrl' | 'secrets'>

export interface DrillDatabase {
  /** Words for the place. */
  readonly where: string
  readonly options: GroundOptions
  readonly target: DatabaseTarget
}

/** Runs `work` on an empty database that does not exist before and after it. */
export async function withDrillGround<T>(
  config: GroundOptions,
  work: (ground: DrillDatabase) => Promise<T>,
): Promise<T> {
  // Past a pooler, as everything that the owner does.
  const url = config.databaseDirectUrl ?? config.databaseUrl
  if (url === null) return inFolder(config, work)
  const admin = openOwner({ url }, { connections: 1 })
  try {
    await sweep(admin)
    const name = `${drillPrefix}${randomBytes(6).toString('hex')}`
    const isMade = await admin`create database ${admin(name)} template template0`.then(
      () => true,
      error => {
        if (error.code === notAllowed) return false
        throw error
      },
    )
    if (!isMade) return await inFolder(config, work)
    const own = url.replace(/^([a-z]+:\/\/[^/]*\/)[^?]*/, `$1${name}`)
    const remove = async () => {
      await admin`drop database if exists ${admin(name)} with (force)`
    }
    return await removing(remove, () =>
      work({
        where: `the database ${name}`,
        options: { ...config, databaseUrl: own, databaseDirectUrl: null },
        target: { url: own },
      }),
    )
  } finally {
    await admin.end()
  }
}

const drillPrefix = 'assize_drill_'
const notAllowed = '42501'

/** Removes databases of drills that were killed: nobody is connected to them. */
async function sweep(admin: Sql): Promise<void> {
  const left = await admin<{ name: string }[]>`
    select d.datname::text as name from pg_database d
    where starts_with(d.datname, ${drillPrefix}) and pg_has_role(d.datdba, 'usage')
      and not exists (select 1 from pg_stat_activity a where a.datname = d.datname)`
  // Another drill may have just made it, or be faster.
  for (const { name } of left) await admin`drop database if exists ${admin(name)}`.catch(() => {})
}

async function inFolder<T>(config: GroundOptions, work: (ground: DrillDatabase) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'assize-drill-'))
  const unguard = guardFolder(folder)
  let embedded: EmbeddedPostgres | null = null
  const remove = async () => {
    await embedded?.release()
    await rm(folder, { recursive: true, force: true })
    unguard()
  }
  return removing(remove, async () => {
    embedded = await EmbeddedPostgres.attach(folder)
    return work({
      where: `an embedded database in ${folder}`,
      options: { ...config, dataFolder: folder, databaseUrl: null, databaseDirectUrl: null },
      target: { endpoint: embedded.endpoint, database: databaseName },
    })
  })
}

/** Removes afterwards, also when a signal ends the process meanwhile. */
async function removing<T>(remove: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  const onSignal = (name: (typeof endingSignals)[number]) => {
    void remove().finally(() => process.exit(128 + constants.signals[name]))
  }
  for (const name of endingSignals) process.on(name, onSignal)
  try {
    return await work()
  } finally {
    for (const name of endingSignals) process.off(name, onSignal)
    await remove()
  }
}

/**
 * Program of the helper, which starts once this process is gone: ends the server of the folder, by its id, and removes the
 * folder.
 */
const helper = `
const { existsSync, readFileSync, readlinkSync, rmSync } = require('node:fs')
const folder = process.argv[1]
const cluster = folder + '/database'
const serving = () => {
  try {
    const pid = Number.parseInt(readFileSync(cluster + '/postmaster.pid', 'utf8'), 10)
    if (process.platform === 'linux' && readlinkSync('/proc/' + pid + '/cwd') !== cluster) return null
    process.kill(pid, 0)
    return pid
  } catch { return null }
}
process.stdin.resume().on('end', async () => {
  // What was just starting may still write for a moment.
  for (let n = 0, gone = 0; n < 300 && gone < 5; n++) {
    const pid = serving()
    try {
      if (pid !== null) process.kill(pid, n < 50 ? 'SIGINT' : 'SIGQUIT')
      else rmSync(folder, { recursive: true, force: true })
    } catch {}
    gone = existsSync(folder) ? 0 : gone + 1
    if (gone < 5) await new Promise(resolve => setTimeout(resolve, 100))
  }
})
`

function guardFolder(folder: string): () => void {
  const child = spawn(process.execPath, ['-e', helper, folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  child.unref()
  child.stdin.on('error', () => {})
  return () => child.stdin.end()
}
