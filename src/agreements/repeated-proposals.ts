// Rules for proposing again: nothing replaces a correction that the other side has signed without being refused first, and
// neither side floods the other with proposals.

import type { Party } from '../core/parties.ts'
import { Refusal } from '../core/refusal.ts'
import type { Role } from '../core/roles.ts'
import { type Instant, instantOfMicros, microsOf } from '../core/time/instant.ts'
import { limits } from '../limits.ts'
import type { AgreementHistory } from '../storage/agreements/agreements.ts'
import type { OpenLog } from '../storage/log/append.ts'
import { loadCompanyHistories } from '../storage/people/parties.ts'
import { loadMembers } from '../storage/people/people.ts'
import type { Transaction } from '../storage/postgres/database.ts'
import { sideOf, spell } from './parties.ts'

interface Proposing {
  readonly log: OpenLog
  readonly kept: AgreementHistory
  readonly people: ProposingPeople
}

/** The people of a workspace, as far as proposing asks about them. */
interface ProposingPeople {
  /** Roles by address. */
  readonly roles: ReadonlyMap<string, Role>
  /** Addresses that may not be named as a party. */
  readonly unnameable: ReadonlySet<string>
  /** The company that an address was of at a place in the sequence. */
  readonly companyWhen: (email: string, seq: number) => string | null
}

/** Reads the people who propose now and those whose earlier proposals count. */
export async function loadProposingPeople(
  tx: Transaction,
  workspaceId: string,
  people: readonly string[],
): Promise<ProposingPeople> {
  const companyWhen = await loadCompanyHistories(tx, workspaceId, [...new Set(people.map(spell))])
  const members = await loadMembers(tx, workspaceId)
  const roles = new Map(members.map(({ email, role }) => [spell(email), role]))
  const unnameable = new Set(members.filter(({ isNameable }) => !isNameable).map(({ email }) => spell(email)))
  return { roles, unnameable, companyWhen }
}

/** The operator's own command; no person has such an address. */
const operator = 'operator'

interface EarlierProposal {
  readonly proposedBy: string
  readonly recordedAt: Instant
  readonly seq: number
}

interface Proposed {
  /** The kind of proposal as sentences name it: `corrections`. */
  readonly what: string
  /** Earlier proposals of the agreement. */
  readonly made: readonly EarlierProposal[]
  /** The open one that would be replaced, if what the other side signed stands in the way. */
  readonly standing: { readonly id: string; readonly signatures: readonly { readonly party: Party }[] } | null
  readonly by: string
  /** The person whose side counts: an operator may act for somebody. */
  readonly inTheNameOf: string
}

export function checkProposing(proposing: Proposing, { what, made, standing, by, inTheNameOf }: Proposed): void {
  const { kept, log } = proposing
  const sideOfThen = sidesIn(proposing)
  const side = sideOfThen(inTheNameOf, log.recordedAt, Number.MAX_SAFE_INTEGER)
  const theirs = standing?.signatures.find(({ party }) => party !== side)
  if (theirs !== undefined)
    throw new Refusal(
      'conflict',
      `the ${theirs.party} has signed ${standing!.id}, and it still holds; refuse it first, then another can be proposed`,
    )
  if (by === operator) return
  const most = limits.proposing.ofSidePerDay
  const since = dayBefore(log.recordedAt)
  const own = made.filter(
    ({ proposedBy, recordedAt, seq }) =>
      recordedAt > since && proposedBy !== operator && sideOfThen(proposedBy, recordedAt, seq) === side,
  ).length
  if (own >= most)
    throw new Refusal(
      'conflict',
      `${side === null ? 'people of neither side have' : `the ${side} has`} proposed ${own} ${what} of ${kept.slug} within 24 hours, which is the most there can be; sign or refuse the open one, or propose again later`,
    )
}

/** Bounds count what was said within 24 hours. */
export function dayBefore(instant: Instant): Instant {
  return instantOfMicros(microsOf(instant) - 86_400_000_000)
}

/** Finds the side of the agreement that a person was on when something was published. */
function sidesIn({ kept, people: { roles, unnameable, companyWhen } }: Proposing) {
  return (who: string, at: Instant, seq: number): Party | null => {
    const email = spell(who)
    const state = kept.states.findLast(({ recordedAt }) => recordedAt <= at) ?? kept.states[0]!
    const person = { email, role: roles.get(email) ?? null, company: companyWhen(email, seq) }
    return sideOf({ ...person, isNameable: !unnameable.has(email) }, state)
  }
}
