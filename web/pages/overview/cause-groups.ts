// Figures grouped by arrival, each group with its effect.
import type { Overview } from '../../../src/views/shapes/overview.ts'

export interface Cause {
  readonly recordedAt: string
  readonly figures: readonly Overview['changes'][number][]
  /** Effect of the group; null if no open number changed. */
  readonly effect: Overview['effects'][number] | null
}

/** Groups, newest first, in the order given. */
export function groupByCause({ changes, effects }: Pick<Overview, 'changes' | 'effects'>): Cause[] {
  return [...Map.groupBy(changes, ({ recordedAt }) => recordedAt)].map(([recordedAt, figures]) => ({
    recordedAt,
    figures,
    effect: effects.find(each => each.recordedAt === recordedAt) ?? null,
  }))
}
