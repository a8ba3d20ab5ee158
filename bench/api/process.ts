// A server in its own process: started, its address read, measured, ended by its id.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

export interface RunningProcess {
  readonly url: string
  /** From the start of the process to the line that says where it listens. */
  readonly startMs: number
  residentMb(): number
  /** Processor time since the start, of all its threads. */
  processorSeconds(): number
  stop(): Promise<void>
}

/** The program prints where it listens: a JSON object with `address`, or the address itself. */
export function startProcess(
  name: string,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<RunningProcess> {
  const from = performance.now()
  const child = spawn(process.execPath, words, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
  return new Promise((resolve, reject) => {
    let said = ''
    child.once('exit', code => reject(new Error(`${name} ended with ${code}`)))
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const url = /https?:\/\/[\w.:[\]-]+/.exec(said)?.[0]
      if (url === undefined) return
      resolve({
        url,
        startMs: performance.now() - from,
        residentMb: () =>
          Math.floor(
            Number.parseInt(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]!, 10) / 1024,
          ),
        processorSeconds: () => processorSecondsOf(child.pid!),
        stop: async () => {
          child.kill('SIGTERM')
          await ended
        },
      })
    })
  })
}

/** By the scheduler's own account of each thread, which has nanoseconds. */
function processorSecondsOf(pid: number): number {
  let nanoseconds = 0
  for (const thread of readdirSync(`/proc/${pid}/task`))
    nanoseconds += Number.parseInt(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1'), 10)
  return nanoseconds / 1e9
}
