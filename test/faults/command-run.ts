// A command that runs during the test and may be killed: when it began, how it ended, and what it had acknowledged by then.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { processEnv } from '../support/clients/command-output.ts'
import { startFile } from '../support/run/start-files.ts'

const program = startFile('killable')

export interface Ending {
  /** `null` if it was killed. */
  readonly status: number | null
  /** The JSON value it printed: what it reported as done. `null` if it printed none. */
  readonly acknowledged: Readonly<Record<string, unknown>> | null
  readonly err: string
  /** From the moment it began to work. */
  readonly ms: number
}

type CommandEnv = Readonly<Record<string, string>>

/** A command that runs longer than this hangs. */
const patienceMs = 60_000

export class CommandRun {
  readonly #child: ChildProcess
  readonly #ended: Promise<unknown>
  readonly #words: readonly string[]
  #out = ''
  #err = ''
  #begunMs = 0

  /** Returns when the command has begun to work. */
  static async start(folder: string, words: readonly string[], env: CommandEnv = {}): Promise<CommandRun> {
    const run = new CommandRun(folder, words, env)
    const leaves = run.#ended.then(() => {
      throw new Error(`assize ${words.join(' ')} ended before it began: ${run.#err}`)
    })
    await Promise.race([once(run.#child.stdout!, 'data'), leaves])
    run.#begunMs = performance.now()
    return run
  }

  private constructor(folder: string, words: readonly string[], env: CommandEnv) {
    this.#words = words
    this.#child = spawn(process.execPath, [program, ...words, '--json'], {
      env: { ...processEnv, ASSIZE_DATA: folder, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#ended = once(this.#child, 'close')
    this.#child.stdout!.setEncoding('utf8').on('data', text => {
      this.#out += text
    })
    this.#child.stderr!.setEncoding('utf8').on('data', text => {
      this.#err += text
    })
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  async end(): Promise<Ending> {
    const late = sleep(patienceMs, 'late', { ref: false })
    if ((await Promise.race([this.#ended, late])) === 'late') {
      this.kill()
      throw new Error(`assize ${this.#words.join(' ')} had not ended after ${patienceMs} ms: ${this.#err}`)
    }
    return {
      status: this.#child.exitCode,
      acknowledged: acknowledgementIn(readValue(this.#out.slice(this.#out.indexOf('\n') + 1))),
      err: this.#err,
      ms: performance.now() - this.#begunMs,
    }
  }
}

/** The output of a killed command counts only if the value is complete. */
function readValue(text: string): Ending['acknowledged'] {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Runs it undisturbed. */
export async function runInPeace(folder: string, words: readonly string[]): Promise<Ending> {
  const ending = await (await CommandRun.start(folder, words)).end()
  if (ending.status !== 0) throw new Error(`assize ${words.join(' ')} ended with ${ending.status}: ${ending.err}`)
  return ending
}

/** A failure reported as JSON acknowledges nothing. */
function acknowledgementIn(value: Ending['acknowledged']): Ending['acknowledged'] {
  return value !== null && 'error' in value ? null : value
}
