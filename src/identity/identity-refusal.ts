// Refusal of something that an identity provider said, or somebody in its name: a sentence for the person, and a word by which it
// is counted.
import { Refusal, type RefusalKind } from '../core/refusal.ts'

/** Words that count refused attempts, with their meanings. */
export const identityReasons = {
  start: 'an answer without a start in that browser, too late, or twice',
  sender: 'an answer of another provider, or to another sign-in',
  provider: 'the provider said no',
  unreachable: 'the provider cannot be reached, or its answer is out of bounds',
  settings: 'the provider does not accept our client, secret or address',
  token: 'a token that is not valid',
  group: 'no group that has access',
  place: 'nobody of the company, or no invitation',
  logout: 'a logout token that is not valid',
} as const
export type IdentityReason = keyof typeof identityReasons

export class IdentityRefused extends Refusal {
  readonly reason: IdentityReason

  constructor(reason: IdentityReason, message: string, kind: RefusalKind = 'not-signed-in') {
    super(kind, message)
    this.reason = reason
  }
}
