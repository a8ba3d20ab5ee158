// Tests that have a long form (long-form.ts).
import { expect, type TestContext, test } from 'vitest'
import { suiteSeed } from '../../faults/chance.ts'
import { isInterrupted, isLong, type LongRun, longRun, roundsOf } from './long-form.ts'

/** A test whose proof `npm test` has elsewhere in a cheaper form. It is not reported as skipped: nothing that it needs is missing. */
export function longTest(form: string, title: string, run: () => unknown): void {
  if (isLong(form)) test(title, run)
}

interface Amounts {
  /** Rounds in `npm test`; without it, the scenario is not run there. */
  readonly short?: number
  readonly long: number
  /** In `npm test`; a long form has a new one each time. */
  readonly seed?: number
  /** Whether it looks at the signal of its run. Others end at once. */
  readonly isStoppable?: boolean
}

export interface Outcome {
  /** What was done, in numbers: the sentence at the end of a long form. */
  readonly summary: string
  readonly failures: readonly string[]
}

/** A test in rounds, which returns what went wrong. Its long form runs this test of its file alone. */
export function scenario(
  form: string,
  title: string,
  { short = 0, long, seed = suiteSeed }: Amounts,
  work: (run: LongRun, context: TestContext) => Outcome | Promise<Outcome>,
): void {
  const rounds = roundsOf(form, title, short, long)
  if (rounds === 0) return
  test(title, async context => {
    const run = longRun(rounds, seed, form)
    const stopping = new AbortController()
    const looking = setInterval(() => {
      if (isInterrupted()) stopping.abort(new Error('interrupted'))
    }, 250)
    const { summary, failures } = await Promise.resolve(work({ ...run, signal: stopping.signal }, context)).finally(
      () => clearInterval(looking),
    )
    run.say(`${failures.length === 0 ? 'passed' : `${failures.length} failures`}, ${summary}`)
    expect(failures).toEqual([])
  })
}
