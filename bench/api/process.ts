// A server in its own process: started, its address read, measured, ended by its id.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

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

const ticksPerSecond = 100

function processorSecondsOf(pid: number): number {
  // Behind the name, which may contain anything.
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ')
  return (Number.parseInt(fields[11]!, 10) + Number.parseInt(fields[12]!, 10)) / ticksPerSecond
}
