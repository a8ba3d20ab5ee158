// Counts of sign-ins by identity providers that worked, and of refused ones by reason: for the operator's metrics.
import { type IdentityReason, IdentityRefused, identityReasons } from './identity-refusal.ts'

export class IdentityCounts {
  readonly #refused = new Map<IdentityReason, number>()
  signedIn = 0
  loggedOut = 0

  get refused(): readonly (readonly [reason: IdentityReason, count: number])[] {
    const reasons = Object.keys(identityReasons) as readonly IdentityReason[]
    return reasons.map(reason => [reason, this.#refused.get(reason) ?? 0])
  }

  /** Counts a refusal of the work. */
  async counting<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof IdentityRefused) this.#refused.set(error.reason, (this.#refused.get(error.reason) ?? 0) + 1)
      throw error
    }
  }
}
