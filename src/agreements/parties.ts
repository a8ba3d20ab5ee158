// Who stands on which side of an agreement. Named people do; where no buyer is named, every member with that role. A
// supplier has to be named: left out, nobody signs for it.
import type { PamParties, PamState, Party } from '../storage/pams.ts'
import type { Role } from '../storage/people.ts'

export const otherParty = { buyer: 'supplier', supplier: 'buyer' } as const

/** One spelling for an address, wherever it came from. */
export function spell(email: string): string {
  return email.trim().toLowerCase()
}

/** `role` is that in the workspace, `null` for who is no member. */
export function standsFor(party: Party, email: string, role: Role | null, parties: PamParties): boolean {
  const named = namedOn(parties[party])
  return named === null ? party === 'buyer' && role === 'buyer' : named.includes(spell(email))
}

/** The addresses on a side; null where nobody is named. A party that is named by its slug has no address here. */
function namedOn(side: PamParties[Party]): readonly string[] | null {
  if (side === null) return null
  return typeof side === 'string' ? [] : side.map(spell)
}

/** Never somebody of the other side. `null` for who may sign. */
export function whyNotAs(
  party: Party,
  email: string,
  role: Role | null,
  { parties }: Pick<PamState, 'parties'>,
): string | null {
  const other = otherParty[party]
  if (standsFor(other, email, role, parties))
    return `${email} stands on the ${other}'s side and cannot sign as ${party}`
  if (standsFor(party, email, role, parties)) return null
  const named = namedOn(parties[party])
  if (named === null && party === 'supplier')
    return `${email} cannot sign as supplier: the formula names no supplier; name one under parties`
  const who = named === null ? `a member with the role ${party}` : named.join(', ')
  return `${email} cannot sign as ${party}: that is for ${who}`
}
