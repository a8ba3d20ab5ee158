// Outcomes of many acts at once: each is done or refused by itself, and a refused one has the reason in its place.
import { Refusal } from '../../core/refusal.ts'
import { Slices } from '../../read/memory/slices.ts'

/** Runs the acts one after the other, with pauses in which other requests are answered; an earlier refusal is left as it is. */
export async function eachOrRefusal<T, R>(
  all: readonly (T | Refusal)[],
  work: (one: T, i: number) => R | Promise<R>,
): Promise<readonly (R | Refusal)[]> {
  const slices = new Slices()
  const done: (R | Refusal)[] = []
  for (const [i, one] of all.entries()) {
    done.push(one instanceof Refusal ? one : await orRefusal(() => work(one, i)))
    await slices.rest()
  }
  return done
}

async function orRefusal<R>(work: () => R | Promise<R>): Promise<R | Refusal> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

export function notRefused<T>(all: readonly (T | Refusal)[]): readonly T[] {
  return all.filter((one): one is T => !(one instanceof Refusal))
}
