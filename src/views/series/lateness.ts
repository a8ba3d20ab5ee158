// Lateness of a provider's series.
import { limits } from '../../limits.ts'
import { providers } from '../../providers/catalogue/catalogue.ts'

/** Minutes that a provider may leave a series unanswered before somebody should look, by the provider's own schedule. */
export const lateAfterMinutes: ReadonlyMap<string, number> = new Map(
  Object.values(providers).map(({ name, askEveryMinutes }) => [name, askEveryMinutes * limits.lateDistances]),
)
