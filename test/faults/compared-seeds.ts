// One random case for each seed against an independent model: a difference is told with the seed of its case.
import type { LongRun } from '../support/run/long-form.ts'
import type { Outcome } from '../support/run/long-test.ts'

const mostFailures = 10
const sayEvery = 10_000

export function compareSeeds(
  { rounds, seed, say }: LongRun,
  what: string,
  compare: (seed: number) => string | null,
): Outcome {
  const failures: string[] = []
  for (let i = 0; i < rounds; i++) {
    const found = compare(seed + i)
    if (found !== null) failures.push(found)
    if (failures.length === mostFailures) return { summary: `given up after ${i + 1} ${what}`, failures }
    if ((i + 1) % sayEvery === 0) say(`${i + 1} ${what}`)
  }
  return { summary: `${rounds} ${what}`, failures }
}
