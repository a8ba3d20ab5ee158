// What a long fault test is: a name on the command line, a sentence, and a run that returns what went wrong.

export interface FaultRun {
  /** How many cases or rounds. */
  readonly rounds: number
  /** Printed, so that a run can be repeated. */
  readonly seed: number
  /** One line of progress. */
  readonly say: (line: string) => void
  /** Whether answers that take too long are failures: in the long forms only, which run by themselves. */
  readonly isTimed?: boolean
  /** Of its kinds, those whose names have these words. */
  readonly only?: string
  /** Aborted when the run is to close what it opened and tell what it has done. */
  readonly signal?: AbortSignal
}

export interface FaultOutcome {
  /** What was done, in numbers. */
  readonly summary: string
  /** Empty if everything is fine. */
  readonly failures: readonly string[]
}

export interface Fault {
  /** The number in docs/SECURITY.md. */
  readonly id: string
  readonly words: string
  /** The default for the long form. */
  readonly rounds: number
  /** Whether it looks at the signal of its run. Others end at once. */
  readonly isStoppable?: boolean
  run(run: FaultRun): Promise<FaultOutcome>
}
