// How long the form of a test is. `npm test` draws a fixed number of random cases and chooses among forms that differ only in
// data; `npm run faults` runs the same files with many times the draws, new seeds and all forms.

const times = Number.parseInt(process.env.ASSIZE_LONG_FORM ?? '1', 10)
const seed = process.env.ASSIZE_TEST_SEED

export const isLongForm = times > 1

/** How many random cases are drawn. */
export const draws = (inSuite: number) => inSuite * times

/** What the random cases are drawn from: the same in every run of the suite, so that only a change of code changes a result. */
export const seedOr = (suiteSeed: number) => (seed === undefined ? suiteSeed : Number.parseInt(seed, 10))

/**
 * All of them in the long form, else one of so many, in turn, from a place of its own for each `from`. Of few, one of as many as
 * there are: none is left without any.
 */
export function someOf<T>(parts: number, all: readonly T[], from = 0): readonly T[] {
  return oneOf(Math.max(1, Math.min(parts, all.length)), all, from)
}

/** All of them in the long form, else one of so many, in turn. */
export function oneOf<T>(parts: number, all: readonly T[], from = 0): readonly T[] {
  return isLongForm ? all : all.filter((_, at) => (at + from) % parts === 0)
}
