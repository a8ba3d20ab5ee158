// One process of Assize behind HAProxy, which can be killed, restarted and exchanged for another version.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { basename, join } from 'node:path'
import { processEnv } from '../../support/clients/command-output.ts'
import { HttpClient } from '../../support/clients/http-client.ts'
import type { Seen, Waiting } from '../waiting.ts'

const stopsWithinMs = 20_000

export class AssizeProcess {
  readonly name: string
  readonly client: HttpClient
  readonly logFile: string
  readonly #entry: string
  readonly #env: Readonly<Record<string, string>>
  readonly #waiting: Waiting
  #child: ChildProcess | null = null

  constructor(waiting: Waiting, entry: string, port: number, folder: string, env: Readonly<Record<string, string>>) {
    this.#waiting = waiting
    this.#entry = entry
    this.name = basename(folder)
    this.client = new HttpClient(port)
    this.logFile = join(folder, 'log')
    const cache = { NODE_COMPILE_CACHE: join(folder, '..', 'compiled') }
    this.#env = { ...processEnv, ...cache, LOG_LEVEL: 'warn', ...env, PORT: `${port}`, ASSIZE_DATA: folder }
  }

  get isAlive(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Returns when it is ready; starts it again if it ends before, as a service manager does. */
  async start(): Promise<void> {
    await this.#waiting.until('a process of Assize that is ready', () => {
      if (!this.isAlive) this.#spawn()
      return this.readiness()
    })
  }

  /** With nothing to note: its requests are counted with those of the others. */
  async readiness(): Promise<Seen> {
    const { status, text } = await this.client.ask('/ready')
    return (status === 200 && !text.includes('"notes"')) || `${this.name}: ${status} ${text}`
  }

  #spawn(): void {
    const log = openSync(this.logFile, 'a')
    this.#child = spawn(process.execPath, [this.#entry, 'serve'], { env: this.#env, stdio: ['ignore', log, log] })
  }

  async stop(): Promise<void> {
    await this.#end('SIGTERM')
  }

  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (!this.isAlive) return
    const left = once(this.#child!, 'exit')
    this.#child!.kill(signal)
    const timer = setTimeout(() => this.#child!.kill('SIGKILL'), stopsWithinMs)
    await left
    clearTimeout(timer)
  }
}
