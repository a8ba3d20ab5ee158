// What an answer says about the limit: the policy is written once for each limit in use, what is left for each answer.
import { type RateDecision, writeRateLimit, writeRateLimitPolicy } from '../traffic/rate-limit.ts'

export class RateLines {
  /** The header with the policy, and the name of the next one. */
  readonly #policies = { default: new Map<number, string>(), workspace: new Map<number, string>() }

  of(decision: RateDecision): string {
    const policies = this.#policies[decision.policy]
    let policy = policies.get(decision.limit)
    if (policy === undefined) {
      policy = `ratelimit-policy: ${writeRateLimitPolicy(decision)}\r\nratelimit: `
      policies.set(decision.limit, policy)
    }
    return `${policy}${writeRateLimit(decision)}\r\n`
  }
}
