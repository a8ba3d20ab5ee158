// One PostgreSQL server process on one cluster folder: is it there, start it, stop it. embedded.ts decides who may do so and
// when, and holds the lock meanwhile. Processes are ended by their id, and only after a look at whether the id still belongs to
// this cluster.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { appendFile, open, readFile, rm, stat, truncate } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../../core/refusal.ts'
import { limits } from '../../limits.ts'
import { type Account, invoke, systemPath } from './account.ts'
import type { Binaries } from './binaries.ts'
import { endAtExit } from './signal-exit.ts'

export interface Cluster {
  readonly dataFolder: string
  readonly socketFolder: string
  readonly logFile: string
}

export interface Postmaster {
  readonly pid: number
  readonly port: number
  /** Folder of the socket; empty where it listens on 127.0.0.1 only. */
  readonly socketFolder: string
  readonly status: string
}

/** Address to listen at. */
export type Listening = { readonly port: number; readonly by: 'socket' | 'tcp' }

/** Contents of `postmaster.pid`, whether or not that process lives. */
export function readPostmaster(dataFolder: string): Postmaster | null {
  let text: string
  try {
    text = readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8')
  } catch {
    return null
  }
  const [pid = '', , , port = '', socketFolder = '', , , status = ''] = text.split('\n')
  if (!/^\d+$/.test(pid)) return null
  return { pid: Number.parseInt(pid, 10), port: Number.parseInt(port, 10), socketFolder, status: status.trim() }
}

/** Process ids are reused: the process must also run in the cluster's folder. A zombie has no folder. */
export function isServing(pid: number, dataFolder: string): boolean {
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === dataFolder
    if (process.platform === 'win32') return process.kill(pid, 0)
    const command = execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
    return command.includes('postgres') && command.includes(dataFolder)
  } catch {
    return false
  }
}

/** Through the socket a server is seen even when it lives in another container that shares the folder. */
export async function findPostmaster(cluster: Cluster): Promise<Postmaster | null> {
  const found = readPostmaster(cluster.dataFolder)
  if (found === null) return null
  if (isServing(found.pid, cluster.dataFolder)) return found
  return (await accepts(found)) ? found : null
}

function accepts(found: Postmaster): Promise<boolean> {
  if (found.socketFolder === '') return Promise.resolve(false)
  return new Promise(resolve => {
    const socket = connect(join(found.socketFolder, `.s.PGSQL.${found.port}`))
    const answer = (yes: boolean) => {
      socket.destroy()
      resolve(yes)
    }
    socket.once('connect', () => answer(true)).once('error', () => answer(false))
  })
}

/** Settings of the operator, in the data folder. The settings below and the addresses take precedence. */
const localSettings = 'postgresql.local.conf'

/** PostgreSQL reads the operator's file where there is one; the path is as seen from the cluster's own. */
async function includeLocalSettings({ dataFolder }: Cluster): Promise<void> {
  const line = `include_if_exists = '../${localSettings}'`
  const file = join(dataFolder, 'postgresql.conf')
  const text = await readFile(file, 'utf8')
  if (!text.split('\n').includes(line)) await appendFile(file, `\n${line}\n`)
}

const settings = [
  // These three make a commit last. The server checks them once more through the connection.
  'fsync=on',
  'synchronous_commit=on',
  'full_page_writes=on',
  'max_connections=300',
  'unix_socket_permissions=0700',
  'timezone=UTC',
  'log_timezone=UTC',
  'log_destination=stderr',
  'logging_collector=off',
  // A failed statement may contain what must not be in a log.
  'log_min_error_statement=panic',
  // Iterations for passwords of people, unlike our own; see embedded.ts.
  'scram_iterations=4096',
  'jit=off',
]

/** Starts the server and returns when it answers. Remains of a killed server are cleared away first. */
export async function startPostmaster(
  cluster: Cluster,
  binaries: Binaries,
  account: Account,
  chooseListening: () => Promise<Listening>,
): Promise<Postmaster> {
  const deadline = performance.now() + limits.embeddedStartMs
  let mishaps = 0
  for (;;) {
    const found = await findPostmaster(cluster)
    if (found?.status === 'ready') return found
    if (found !== null) {
      // It starts or stops by itself: the process that waited for it was killed.
      await sleepUntil(deadline, 'has been starting or stopping')
      continue
    }
    await clearLeftovers(cluster)
    await includeLocalSettings(cluster)
    const failure = await launch(cluster, binaries, account, await chooseListening(), deadline)
    if (failure === null) continue
    if (isMishap(failure)) mishaps++
    if (!(isPassing(failure) || isMishap(failure)) || mishaps > 3)
      throw new Refusal('unavailable', `the embedded PostgreSQL in ${cluster.dataFolder} did not start: ${failure}`)
    await sleepUntil(deadline, 'has been blocked by an earlier one')
  }
}

/** The children of a killed server need a moment to notice; until then the next one must not touch the files. */
function isPassing(failure: string): boolean {
  return /pre-existing shared memory block|postmaster\.pid.* already exists/.test(failure)
}

/** Killed while it started, or another process took the port first. */
function isMishap(failure: string): boolean {
  return failure.endsWith('ended with SIGKILL') || /Address already in use/.test(failure)
}

async function sleepUntil(deadline: number, what: string): Promise<void> {
  if (performance.now() > deadline)
    throw new Refusal('unavailable', `the embedded PostgreSQL ${what} for ${limits.embeddedStartMs / 1000} s`)
  await sleep(limits.embeddedPollMs)
}

/** A number that was used again for another process would keep PostgreSQL from starting. */
async function clearLeftovers(cluster: Cluster): Promise<void> {
  const found = readPostmaster(cluster.dataFolder)
  const socket = join(cluster.socketFolder, `.s.PGSQL.${socketPort}`)
  await Promise.all([
    rm(socket, { force: true }),
    rm(`${socket}.lock`, { force: true }),
    found === null ? undefined : rm(join(cluster.dataFolder, 'postmaster.pid'), { force: true }),
  ])
}

/** Port of a socket, only a name: a socket has none. */
export const socketPort = 5432

/** Starts the server; `null` when it is ready, else its words. */
async function launch(
  cluster: Cluster,
  binaries: Binaries,
  account: Account,
  listening: Listening,
  deadline: number,
): Promise<string | null> {
  const size = await prepareLog(cluster.logFile)
  const log = await open(cluster.logFile, 'a', 0o600)
  const { command, args, ids } = invoke(account, binaries.postgres, serverArguments(cluster, listening))
  const child = spawn(command, [...args], {
    cwd: cluster.dataFolder,
    detached: true,
    env: environment(binaries),
    stdio: ['ignore', log.fd, log.fd],
    windowsHide: true,
    ...ids,
  })
  const ended = whenEnded(child)
  // The server's own file names it only after a moment.
  const leaveRunning = endAtExit(child)
  try {
    child.unref()
    await log.close()
    for (;;) {
      const outcome = await Promise.race([ended, sleep(limits.embeddedPollMs, null)])
      if (outcome !== null) return `${await readLog(cluster.logFile, size)} | ${outcome}`
      const found = readPostmaster(cluster.dataFolder)
      if (found?.pid === child.pid && found?.status === 'ready') return null
      if (performance.now() > deadline) return `no answer within ${limits.embeddedStartMs / 1000} s`
    }
  } finally {
    leaveRunning()
  }
}

function whenEnded(child: ChildProcess): Promise<string> {
  return new Promise(resolve => {
    child.once('error', error => resolve(error.message))
    child.once('exit', (code, signal) => resolve(`ended with ${signal ?? `status ${code}`}`))
  })
}

function serverArguments(cluster: Cluster, listening: Listening): string[] {
  const quoted = `"${cluster.socketFolder.replaceAll('"', '""')}"`
  const where =
    listening.by === 'socket'
      ? ['listen_addresses=', `unix_socket_directories=${quoted}`]
      : ['listen_addresses=127.0.0.1', 'unix_socket_directories=']
  const all = [...settings, ...where, `port=${listening.port}`]
  return ['-D', cluster.dataFolder, ...all.flatMap(setting => ['-c', setting])]
}

export function environment(binaries: Binaries): Record<string, string> {
  const libraries = binaries.libraryFolder
  const variable = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH'
  return { PATH: systemPath, LC_ALL: 'C', TZ: 'UTC', ...(libraries === null ? {} : { [variable]: libraries }) }
}

/** Cuts off a log that has grown too long, and returns its size. */
async function prepareLog(path: string): Promise<number> {
  const size = await stat(path).then(
    found => found.size,
    () => 0,
  )
  if (size <= limits.embeddedLogBytes) return size
  await truncate(path)
  return 0
}

async function readLog(path: string, from: number): Promise<string> {
  const text = (await readFile(path)).subarray(from).toString('utf8')
  return text.trim().split('\n').slice(-5).join(' | ').slice(-1000)
}

/** A fast shutdown: clients are cut off, everything is written, nothing has to be recovered at the next start. */
export async function stopPostmaster(cluster: Cluster): Promise<void> {
  const found = readPostmaster(cluster.dataFolder)
  if (found === null || !signalStop(cluster, found, 'SIGINT')) return
  const deadline = performance.now() + limits.embeddedStopMs
  while (readPostmaster(cluster.dataFolder)?.pid === found.pid && isServing(found.pid, cluster.dataFolder)) {
    if (performance.now() > deadline) {
      signalStop(cluster, found, 'SIGQUIT')
      throw new Refusal(
        'unavailable',
        `the embedded PostgreSQL (process ${found.pid}) did not stop within ${limits.embeddedStopMs / 1000} s and was told to quit; it recovers at the next start`,
      )
    }
    await sleep(limits.embeddedPollMs)
  }
}

/** Signals the server to stop; false when it is not there, or not a process of this machine. */
export function signalStop(cluster: Cluster, found: Postmaster, signal: 'SIGINT' | 'SIGQUIT'): boolean {
  if (!isServing(found.pid, cluster.dataFolder)) return false
  try {
    return process.kill(found.pid, signal)
  } catch {
    return false
  }
}
