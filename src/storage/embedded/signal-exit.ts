// Exit on signals. A signal that nobody listens for ends a process at once, without its `exit` listeners, and everything those
// would have ended keeps running. As long as there is something to end, such a signal becomes an exit.
import type { ChildProcess } from 'node:child_process'
import { constants } from 'node:os'

/** Signals of a terminal, a service manager and a closed window. */
export const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

let users = 0

/** Turns signals into exits. Call the result once there is nothing left to end. */
export function exitOnSignal(): () => void {
  if (users++ === 0) for (const name of endingSignals) process.on(name, exit)
  let used = true
  return () => {
    if (!used) return
    used = false
    if (--users === 0) for (const name of endingSignals) process.off(name, exit)
  }
}

function exit(name: (typeof endingSignals)[number]): void {
  // A program that listens for signals itself, as the server does, decides when it ends.
  if (process.listenerCount(name) === 1) process.exit(128 + constants.signals[name])
}

/** Ends a child at exit that is of no use without this process. Call the result once it may outlive it, or has ended. */
export function endAtExit(child: ChildProcess): () => void {
  const end = () => child.kill('SIGINT')
  process.once('exit', end)
  return () => process.off('exit', end)
}
