// The list of a company's people that the company itself confirms: plain data, and the confirmed hash.
import { canonicalJson, type Json } from '../text/canonical-json.ts'
import { sha256 } from '../text/sha256.ts'
import type { Instant } from '../time/instant.ts'

const peopleFormat = 'assize-people/1'

interface ListedPerson {
  readonly email: string
  readonly name: string
  /** The time of joining; null for an invited person who has not joined. */
  readonly joinedAt: Instant | null
}

/** People sorted by address. */
export interface CompanyPeople {
  readonly workspace: string
  readonly party: string
  readonly people: readonly ListedPerson[]
}

/** 64 hexadecimal digits. No other signed thing has its form. */
export function hashOfPeople({ workspace, party, people }: CompanyPeople): string {
  const listed = people
    .map(({ email, name, joinedAt }) => ({ email, name, joinedAt }))
    .sort((a, b) => (a.email < b.email ? -1 : 1))
  return sha256(canonicalJson({ format: peopleFormat, workspace, party, people: listed as unknown as Json }))
}
