// Number of agreements a supplier sees, for people who manage a workspace. The rule itself is in visibility.ts; a test compares
// this count with each supplier's pages.
import { spell } from '../../agreements/parties.ts'
import { type Party, parties as partyNames } from '../../core/parties.ts'
import { inForce } from '../../read/agreements/tenure.ts'
import type { CachedIndex } from '../../read/lists/cached-index.ts'

/** Names of a person: their address, and their company. */
interface NamedAgreements {
  readonly email: string
  readonly company: string | null
  readonly isNameable: boolean
}

interface AgreementsByName {
  /** Agreements that named this person or their company while they were in force. */
  seenBy(person: NamedAgreements): number
  /** Agreements that name the address of somebody whom a company let in by itself: there it stands for nobody. */
  waitingFor(person: NamedAgreements): number
  /** Agreements that name a company on a side now, drafts included. */
  naming(company: string, side: Party): number
}

export function countByName({ agreements }: CachedIndex): AgreementsByName {
  const seen = new Map<string, Set<string>>()
  const standing = new Map<string, Set<string>>()
  const put = (map: Map<string, Set<string>>, key: string, id: string) => {
    const cached = map.get(key)
    if (cached === undefined) map.set(key, new Set([id]))
    else cached.add(id)
  }
  for (const { id, states } of agreements)
    for (const party of partyNames) {
      for (const { parties } of inForce(states)) for (const key of keysOf(parties[party])) put(seen, key, id)
      for (const key of keysOf(states.at(-1)?.parties[party])) put(standing, `${party} ${key}`, id)
    }
  const none: ReadonlySet<string> = new Set()
  return {
    seenBy: ({ email, company, isNameable }) => {
      const byAddress = (isNameable ? seen.get(spell(email)) : undefined) ?? none
      return byAddress.union(company === null ? none : (seen.get(company) ?? none)).size
    },
    waitingFor: ({ email, isNameable }) => {
      const under = (party: Party) => standing.get(`${party} ${spell(email)}`) ?? none
      return isNameable ? 0 : under('buyer').union(under('supplier')).size
    },
    naming: (company, side) => standing.get(`${side} ${company}`)?.size ?? 0,
  }
}

/** Keys of a side. A slug has no @, so it is never mistaken for an address. */
function keysOf(side: readonly string[] | string | null | undefined): readonly string[] {
  if (side == null) return []
  return typeof side === 'string' ? [side] : side.map(spell)
}
