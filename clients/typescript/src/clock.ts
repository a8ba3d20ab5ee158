// Time and chance, which a test replaces so that it does not have to wait.

export interface Clock {
  /** Milliseconds, from any beginning. */
  now(): number
  /** Ends early, with the signal's reason, when the signal is aborted. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>
  /** From 0 up to, not including, 1. */
  random(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const stop = () => {
        clearTimeout(timer)
        reject(signal!.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }, ms)
      signal?.addEventListener('abort', stop, { once: true })
    }),
}
