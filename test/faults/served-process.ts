// `assize serve` in its own process, on the embedded database of a folder: its output, its address, whether it is running.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { commandOutput, processEnv, program } from '../support/clients/command-output.ts'
import { HttpClient } from '../support/clients/http-client.ts'

export interface ServedProcess {
  readonly client: HttpClient
  readonly pid: number
  /** All it wrote to standard error: its log. */
  log(): string
  isAlive(): boolean
  /** The status it ended with; null while it runs and if it was killed. */
  exitStatus(): number | null
  signal(name: NodeJS.Signals): void
  /** How long it took to end by itself; killed if it does not. */
  stop(): Promise<number>
}

/** A graceful stop closes in 10 s. */
export const stopsWithinMs = 10_000

export interface Serving {
  readonly env?: Readonly<Record<string, string>>
  /** Options of node itself. */
  readonly options?: readonly string[]
}

export async function serveFolder(folder: string, { env = {}, options = [] }: Serving = {}): Promise<ServedProcess> {
  const child = spawn(process.execPath, [...options, program, 'serve', '--json'], {
    env: { ...processEnv, PORT: '0', ASSIZE_DATA: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  let logged = ''
  child.stdout!.setEncoding('utf8').on('data', text => {
    said += text
  })
  child.stderr!.setEncoding('utf8').on('data', text => {
    logged += text
  })
  const address = await waitForAddress(child, () => said).catch(error => {
    throw new Error(`${error.message}\n${logged}`)
  })
  const client = new HttpClient(Number.parseInt(new URL(address).port, 10))
  const isAlive = () => child.exitCode === null && child.signalCode === null
  return {
    client,
    pid: child.pid!,
    log: () => logged,
    isAlive,
    exitStatus: () => child.exitCode,
    signal: name => void child.kill(name),
    async stop() {
      client.close()
      if (!isAlive()) return 0
      const startedMs = performance.now()
      const left = once(child, 'exit')
      child.kill('SIGTERM')
      const patience = setTimeout(() => child.kill('SIGKILL'), stopsWithinMs + 2_000)
      await left
      clearTimeout(patience)
      return performance.now() - startedMs
    },
  }
}

function waitForAddress(child: ChildProcess, said: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const found = /"address": *"([^"]+)"/.exec(said())
      if (found === null) return
      child.off('exit', leave)
      resolve(found[1]!)
    }
    const leave = (code: number | null) => reject(new Error(`the server ended with ${code} before it listened`))
    child.once('exit', leave)
    child.stdout!.on('data', look)
  })
}

/** Runs another command on the same folder and returns what it wrote; refuses a status other than 0. */
export function runCommand(
  folder: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  return commandOutput(words, { ...processEnv, ASSIZE_DATA: folder, ...env })
}
