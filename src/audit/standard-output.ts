// Standard output as the place of the audit stream. Lines go straight to the descriptor, from whichever thread: lines taken by
// the stream of a thread may still wait for the main thread when the process is killed.
import { write } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { auditLimits } from './audit-limits.ts'

const writeSome = promisify(write)
const descriptor = 1

/** Whether a write ended within a line. Its beginning is out already, so the next write begins a new one. */
let isLineOpen = false

/** Resolves when the operating system has all of it. A reader that is slow is waited for, until `signal`. */
export async function writeOut(text: string, signal: AbortSignal): Promise<void> {
  for (let rest = Buffer.from(isLineOpen ? `\n${text}` : text); rest.length > 0; ) {
    signal.throwIfAborted()
    const written = await writeSome(descriptor, rest).then(
      ({ bytesWritten }) => bytesWritten,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EAGAIN') return 0
        throw error
      },
    )
    if (written > 0) isLineOpen = rest[written - 1] !== lineBreak
    rest = rest.subarray(written)
    if (written === 0) await sleep(auditLimits.fullPipeMs, undefined, { signal })
  }
}

const lineBreak = 10
