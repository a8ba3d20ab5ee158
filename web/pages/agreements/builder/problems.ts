// Problems and warnings by the field they belong to.
import type { ProblemView } from '../../../../src/views/shapes/session.ts'

export function isAtOrUnder(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`)
}

export function problemsUnder(problems: readonly ProblemView[], place: string): readonly ProblemView[] {
  return problems.filter(({ path }) => isAtOrUnder(path, place))
}

/** Adds a unique key to each item, because several may say the same about one place. */
export function keyed<T>(list: readonly T[], keyOf: (item: T) => string): (readonly [string, T])[] {
  const seen = new Map<string, number>()
  return list.map(item => {
    const base = keyOf(item)
    const count = seen.get(base) ?? 0
    seen.set(base, count + 1)
    return [count === 0 ? base : `${base} ${count}`, item]
  })
}
