// Programs of others that run for a while: where their output goes, and how they and their children end. Each is ended by its
// id; nothing else on the machine is touched.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readdirSync, readFileSync } from 'node:fs'

/** Which Debian packages have the programs. */
const packages: Readonly<Record<string, string>> = {
  patroni: 'patroni',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  'redis-server': 'redis-server',
  'redis-sentinel': 'redis-sentinel',
  '/usr/lib/postgresql/15/bin/postgres': 'postgresql-15',
}

/** One line that says what is missing and how to install it; null where everything is there. */
export function whatIsMissing(): string | null {
  const path = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`
  const missing = Object.entries(packages)
    .filter(([program]) => spawnSync('sh', ['-c', `command -v ${program}`], { env: { PATH: path } }).status !== 0)
    .map(([, name]) => name)
  return missing.length === 0 ? null : `missing: ${missing.join(', ')}; apt-get install -y ${missing.join(' ')}`
}

export interface Account {
  readonly uid?: number
  readonly gid?: number
}

/** PostgreSQL refuses to run as root; its package brings an account. */
export function databaseAccount(): Account {
  if (process.getuid?.() !== 0) return {}
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find(each => each.startsWith('postgres:'))
  const [, , uid, gid] = line?.split(':') ?? []
  if (uid === undefined) throw new Error('there is no account postgres')
  return { uid: Number(uid), gid: Number(gid) }
}

export class Daemon {
  readonly logFile: string
  readonly #command: readonly string[]
  readonly #account: Account
  #child: ChildProcess | null = null

  constructor(command: readonly string[], logFile: string, account: Account = {}) {
    this.#command = command
    this.logFile = logFile
    this.#account = account
  }

  start(): void {
    const [program, ...words] = this.#command
    const log = openSync(this.logFile, 'a')
    const env = { PATH: `${process.env.PATH}:/usr/sbin`, LANG: 'C.UTF-8', HOME: '/tmp' }
    this.#child = spawn(program!, words, { env, stdio: ['ignore', log, log], ...this.#account })
    this.#child.on('error', () => {})
  }

  get pid(): number {
    return this.#child!.pid!
  }

  get isAlive(): boolean {
    const child = this.#child
    return child !== null && child.pid !== undefined && child.exitCode === null && child.signalCode === null
  }

  signal(name: NodeJS.Signals): void {
    this.#child?.kill(name)
  }

  async stop(patienceMs = 10_000): Promise<void> {
    if (!this.isAlive) return
    const left = once(this.#child!, 'exit')
    this.signal('SIGCONT')
    this.signal('SIGTERM')
    const timer = setTimeout(() => this.signal('SIGKILL'), patienceMs)
    await left
    clearTimeout(timer)
  }

  async kill(): Promise<void> {
    if (!this.isAlive) return
    const left = once(this.#child!, 'exit')
    this.signal('SIGKILL')
    await left
  }
}

/** Of all processes that run now, by the id of their parent. */
export function childrenOf(parent: number): readonly number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent
      } catch {
        return false
      }
    })
}

/** Whether it runs with these words on its command line: ids are given again. */
export function isRunningAs(pid: number, words: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(words)
  } catch {
    return false
  }
}

export function signalEach(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}
