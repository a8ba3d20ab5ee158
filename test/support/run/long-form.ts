// What `npm test` runs less of than `npm run test:long -- <name>`: random draws, and forms that differ in data alone. Each place
// calls one of these functions with the name of its long form, what it runs, and how much; long-places.ts lists these calls.
import { existsSync } from 'node:fs'

/** The one that runs; empty under `npm test`. */
const runningForm = process.env.ASSIZE_LONG_FORM ?? ''
const {
  ASSIZE_LONG_ROUNDS: rounds,
  ASSIZE_LONG_ONLY: only,
  ASSIZE_TEST_SEED: seed,
  ASSIZE_LONG_STOP: stopFile,
} = process.env

export const isAnyLong = runningForm !== ''

export const isLong = (form: string) => form === runningForm

/** `long` many in the long form, unless `--rounds` says otherwise. */
export function roundsOf(form: string, _what: string, short: number, long: number): number {
  if (!isLong(form)) return short
  return rounds === undefined ? long : Number.parseInt(rounds, 10)
}

/** Whether long.ts was asked to end. */
export const isInterrupted = () => stopFile !== undefined && existsSync(stopFile)

/** Something that is done in the long form alone. */
export const onlyLong = (form: string, _what: string) => isLong(form)

interface Share {
  /** Every so manieth is taken. */
  readonly oneIn: number
  /** A turn of its own for each place that takes some of the same. */
  readonly from?: number
  /** Takes one of as many as there are, where there are fewer. */
  readonly isNeverNone?: boolean
}

/** All of them in the long form. */
export function someOf<T>(
  form: string,
  _what: string,
  all: readonly T[],
  { oneIn, from = 0, isNeverNone = false }: Share,
): readonly T[] {
  const parts = isNeverNone ? Math.min(oneIn, all.length) : oneIn
  return isLong(form) ? all : all.filter((_, at) => (at + from) % parts === 0)
}

/** What random cases are drawn from: the same in every run of the suite, so that only a change of code changes a result. */
export const seedOr = (suiteSeed: number) => (seed === undefined ? suiteSeed : Number.parseInt(seed, 10))

export interface LongRun {
  /** How many cases or rounds. */
  readonly rounds: number
  readonly seed: number
  /** One line of progress. */
  readonly say: (line: string) => void
  /** Whether answers that take too long are failures: in long forms only, which run by themselves. */
  readonly isTimed?: boolean
  /** Of its kinds, those whose names have these words. */
  readonly only?: string
  /** Aborted when the run is interrupted, so that it closes what it opened. */
  readonly signal?: AbortSignal
}

export function longRun(rounds: number, suiteSeed: number, form: string): LongRun {
  const isTimed = isLong(form)
  const say = (line: string) => void (isTimed && process.stdout.write(`  ${line}\n`))
  return { rounds, seed: seedOr(suiteSeed), say, isTimed, ...(only === undefined ? {} : { only }) }
}
