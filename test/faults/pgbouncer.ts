// Debian's PgBouncer in front of a database, by the configuration that operators copy, with the addresses of this run. It is
// started by us on a port of its own, as an account that is not root, and ended by its id.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, chmod, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../support/run/redis.ts'

const configuration = new URL('../../docs/operating/cluster/pgbouncer.ini', import.meta.url)
const places = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer']
/** PgBouncer refuses to run as root. */
const nobody = 65_534

interface BouncerOptions {
  readonly server: { readonly host: string; readonly port: number }
  readonly login: { readonly user: string; readonly password: string }
  readonly sessions: number
}

/** One line for the person at the terminal if it is missing; null if it is there. */
export async function whyNoPgBouncer(): Promise<string | null> {
  return (await findProgram()) === null ? 'pgbouncer is missing: apt-get install -y pgbouncer' : null
}

async function findProgram(): Promise<string | null> {
  for (const place of places)
    if (
      await access(place).then(
        () => true,
        () => false,
      )
    )
      return place
  return null
}

export class PgBouncer {
  readonly port: number
  readonly #folder: string
  readonly #program: string
  #process: ChildProcess | null = null
  #log = ''

  private constructor(program: string, folder: string, port: number) {
    this.#program = program
    this.#folder = folder
    this.port = port
  }

  static async open({ server, login, sessions }: BouncerOptions): Promise<PgBouncer> {
    const folder = await mkdtemp(join(tmpdir(), 'assize-pgbouncer-'))
    const port = await freePort()
    const users = join(folder, 'userlist.txt')
    const text = (await readFile(configuration, 'utf8'))
      .replace(/host=\S+ port=\d+/, `host=${server.host} port=${server.port}`)
      .replace(/^listen_port = .*$/m, `listen_port = ${port}`)
      .replace(/^auth_file = .*$/m, `auth_file = ${users}`)
      .replace(/^(default_pool_size|max_db_connections) = .*$/gm, `$1 = ${sessions}`)
    await writeFile(join(folder, 'pgbouncer.ini'), text)
    await writeFile(users, `"${login.user}" "${login.password}"\n`)
    await chmod(folder, 0o755)
    await chmod(users, 0o600)
    if (process.getuid?.() === 0) await chown(users, nobody, nobody)
    const bouncer = new PgBouncer((await findProgram())!, folder, port)
    await bouncer.start()
    return bouncer
  }

  async start(): Promise<void> {
    const account = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
    const child = spawn(this.#program, [join(this.#folder, 'pgbouncer.ini')], {
      stdio: ['ignore', 'ignore', 'pipe'],
      ...account,
    })
    child.stderr.setEncoding('utf8').on('data', text => {
      this.#log = (this.#log + text).slice(-10_000)
    })
    this.#process = child
    for (let tries = 0; ; tries++) {
      if (child.exitCode !== null || tries === 100) throw new Error(`pgbouncer did not start: ${this.#log}`)
      if (await isListening(this.port)) return
      await sleep(50)
    }
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#process
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const left = once(child, 'exit')
    child.kill(signal)
    await left
  }

  async close(): Promise<void> {
    await this.kill('SIGTERM')
    await rm(this.#folder, { recursive: true, force: true })
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
