// Figures by the moment they came in, each group with what it did.
import type { Overview } from '../../../src/http/console/wire/overview.ts'

export interface Cause {
  readonly recordedAt: string
  readonly figures: readonly Overview['changes'][number][]
  /** Null where no open number changed. */
  readonly effect: Overview['effects'][number] | null
}

/** The newest first, as they come. */
export function groupByCause({ changes, effects }: Pick<Overview, 'changes' | 'effects'>): Cause[] {
  return [...Map.groupBy(changes, ({ recordedAt }) => recordedAt)].map(([recordedAt, figures]) => ({
    recordedAt,
    figures,
    effect: effects.find(each => each.recordedAt === recordedAt) ?? null,
  }))
}
