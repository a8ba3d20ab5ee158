// The audit stream to standard output, beside the lines of the log: for a platform that collects what a process prints.
import type { Destination } from './audit-line.ts'
import { textOf } from './file.ts'

export function auditOutput(write: (text: string) => Promise<void>): Destination {
  return {
    send: lines => write(textOf(lines)),
    async close() {},
  }
}

/** Resolves when the text was passed on. */
export function writeOut(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, error => (error ? reject(error) : resolve()))
  })
}
