// A program of this folder as a process of its own.
import { execFile } from 'node:child_process'

export interface Outcome {
  readonly status: number
  readonly out: string
  readonly err: string
}

export function runPlanted(program: string, words: readonly string[]): Promise<Outcome> {
  const path = new URL(program, import.meta.url).pathname
  return new Promise(resolve => {
    execFile(process.execPath, [path, ...words], { maxBuffer: 10_000_000 }, (error, out, err) => {
      const status = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
      resolve({ status, out, err })
    })
  })
}
