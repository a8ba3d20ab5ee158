// SIGINT and SIGTERM end a long test in order: it closes what it opened and tells what it has done so far.

export interface Interruption {
  readonly signal: AbortSignal
  /** From now on, signals end the process as usual. */
  end(): void
}

/** Further signals change nothing: npm passes on those of a terminal, so that they arrive twice. */
export function hearInterruption(): Interruption {
  const stopping = new AbortController()
  const stop = (name: NodeJS.Signals) => stopping.abort(new Error(`interrupted by ${name}`))
  const names = ['SIGINT', 'SIGTERM'] as const
  for (const name of names) process.on(name, stop)
  return {
    signal: stopping.signal,
    end() {
      for (const name of names) process.off(name, stop)
    },
  }
}
