// The embedded PostgreSQL: made at first use, shared by every process that works on the same data folder, stopped when the last
// of them leaves, recovered when one of them, or the database itself, was killed. It runs in a session of its own, so that Ctrl-C
// in a terminal does not reach it. Nothing is guessed: the reason that keeps it from starting is reported.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Refusal } from '../../core/refusal.ts'
import { limits } from '../../limits.ts'
import { type Account, chooseAccount, findClosedFolder, invoke, own, refuseClosedFolder } from './account.ts'
import { type Binaries, copyBinaries, findBinaries } from './binaries.ts'
import { type LockedCluster, Stay } from './database-use.ts'
import {
  type Cluster,
  environment,
  findPostmaster,
  type Listening,
  type Postmaster,
  socketPort,
  startPostmaster,
  stopPostmaster,
} from './postmaster.ts'
import { keepFile } from './secret-file.ts'
import { endAtExit } from './signal-exit.ts'

/** Address of a database of this machine. `host` is a folder where it listens on a socket. */
export interface Endpoint {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
}

const superuser = 'assize'

export class EmbeddedPostgres {
  readonly folder: string
  readonly #cluster: Cluster
  readonly #password: string
  readonly #stay: Stay
  readonly #account: Account | null
  #postmaster: Postmaster
  #left: Promise<void> | null = null

  private constructor(
    place: ClusterFolder,
    password: string,
    stay: Stay,
    postmaster: Postmaster,
    account: Account | null,
  ) {
    this.folder = place.folder
    this.#cluster = place
    this.#password = password
    this.#stay = stay
    this.#postmaster = postmaster
    this.#account = account
  }

  /** Starts the database of the folder, or joins those who use it already. `account` is for tests. */
  static async attach(folder: string, account: Account | null = null): Promise<EmbeddedPostgres> {
    const place = await openPlace(folder)
    const stay = new Stay(place)
    try {
      return await stay.takeTurn(async () => {
        await stay.begin()
        const password = await keepFile(place.passwordFile, () => randomBytes(24).toString('base64url'))
        const postmaster = await bringUp(place, password, account)
        return new EmbeddedPostgres(place, password, stay, postmaster, account)
      })
    } catch (error) {
      stay.end()
      throw error
    }
  }

  get endpoint(): Endpoint {
    const { socketFolder, port } = this.#postmaster
    return { host: socketFolder || '127.0.0.1', port, user: superuser, password: this.#password }
  }

  /** The server's own process, for those who watch it. */
  get pid(): number {
    return this.#postmaster.pid
  }

  /** Brings the database back after a connection was lost, if it died. The new one listens at the old address. */
  async ensureRunning(waitMs: number = limits.embeddedTurnMs): Promise<void> {
    const place = await openPlace(this.folder)
    await this.#stay.takeTurn(async () => {
      this.#postmaster = await bringUp(place, this.#password, this.#account)
    }, waitMs)
  }

  /** Leaves; the last one to leave stops the database and waits for it. */
  release(): Promise<void> {
    this.#left ??= this.#stay.takeTurn(() => this.#leave()).finally(() => this.#stay.end())
    return this.#left
  }

  async #leave(): Promise<void> {
    const alone = this.#stay.leave()
    if (alone !== null) await stopPostmaster(this.#cluster).finally(() => alone.release())
  }
}

/** Name of the lock file in the data folder: as long as somebody holds it shared, the database stays. */
export const usersName = 'users.lock'

interface ClusterFolder extends LockedCluster {
  readonly folder: string
  readonly passwordFile: string
  readonly portFile: string
}

async function openPlace(given: string): Promise<ClusterFolder> {
  await mkdir(given, { recursive: true, mode: 0o700 })
  const folder = await realpath(given)
  return {
    folder,
    dataFolder: join(folder, 'database'),
    socketFolder: join(folder, 'socket'),
    logFile: join(folder, 'database.log'),
    turnFile: join(folder, 'turn.lock'),
    usersFile: join(folder, usersName),
    passwordFile: join(folder, 'database-password'),
    portFile: join(folder, 'database-port'),
  }
}

async function bringUp(place: ClusterFolder, password: string, given: Account | null): Promise<Postmaster> {
  const running = await findPostmaster(place)
  if (running?.status === 'ready') return running
  const account = given ?? (await chooseAccount())
  await mkdir(place.socketFolder, { recursive: true, mode: 0o700 })
  if (account.kind === 'other') await openFolderFor(place, account)
  const binaries = await reachableBinaries(place, account)
  await own(place.socketFolder, account)
  if (await isMissing(join(place.dataFolder, 'PG_VERSION'))) await initialise(place, binaries, account, password)
  await own(place.dataFolder, account)
  return startPostmaster(place, binaries, account, () => chooseListening(place))
}

async function isMissing(path: string): Promise<boolean> {
  return readFile(path).then(
    () => false,
    () => true,
  )
}

/** The other account enters the folder but does not read it; the secrets in it stay ours. */
async function openFolderFor(place: ClusterFolder, account: Account): Promise<void> {
  await chmod(place.folder, 0o711)
  const closed = await findClosedFolder(place.folder, account)
  if (closed !== null) throw refuseClosedFolder(closed, account)
}

async function reachableBinaries(place: ClusterFolder, account: Account): Promise<Binaries> {
  const binaries = await findBinaries(join(place.folder, 'database-libraries'))
  if ((await findClosedFolder(binaries.root, account)) === null) return binaries
  return copyBinaries(binaries, join(place.folder, 'database-programs'))
}

/** Makes a cluster, whole or not at all: an initdb that was killed leaves only a folder to throw away. */
async function initialise(place: ClusterFolder, binaries: Binaries, account: Account, password: string): Promise<void> {
  const unfinished = join(place.socketFolder, 'unfinished')
  const passwordFile = join(place.socketFolder, 'initial-password')
  await Promise.all([rm(unfinished, { recursive: true, force: true }), rm(passwordFile, { force: true })])
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
  await own(passwordFile, account)
  const { command, args, ids } = invoke(account, binaries.initdb, [
    `--pgdata=${unfinished}`,
    `--username=${superuser}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    // The password has 192 random bits: nobody guesses it, however fast a guess is checked. Connections open sooner.
    '--set=scram_iterations=1',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
  ])
  const running = promisify(execFile)(command, [...args], {
    cwd: place.socketFolder,
    env: environment(binaries),
    ...ids,
  })
  const leaveRunning = endAtExit(running.child)
  try {
    await running
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim() || (error as Error).message
    throw new Refusal('unavailable', `the embedded PostgreSQL could not be set up in ${place.folder}: ${said}`)
  } finally {
    leaveRunning()
    await rm(passwordFile, { force: true })
  }
  await rename(unfinished, place.dataFolder)
}

async function chooseListening(place: ClusterFolder): Promise<Listening> {
  const socket = join(place.socketFolder, `.s.PGSQL.${socketPort}`)
  if (process.platform !== 'win32' && Buffer.byteLength(socket) <= limits.socketPathBytes)
    return { by: 'socket', port: socketPort }
  // The port of last time is used again if it is free: connected programs come back to it.
  const before = Number.parseInt(await readFile(place.portFile, 'utf8').catch(() => ''), 10)
  const port = (await findFreePort(before || 0)) ?? (await findFreePort(0))
  if (port === null) throw new Refusal('unavailable', 'no free port on 127.0.0.1 for the embedded PostgreSQL')
  await writeFile(place.portFile, `${port}\n`)
  return { by: 'tcp', port }
}

function findFreePort(wanted: number): Promise<number | null> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(null))
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : null))
    })
  })
}
