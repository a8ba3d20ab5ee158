// The parties to a signed thing, in words, as the signed body names them.
import { type Party, parties as sides } from '../parties.ts'
import { andList } from '../text/words.ts'
import type { SignedHead } from './receipt.ts'

type NamedParties = Pick<SignedHead, 'parties' | 'companies'>

/** `the buyer ann@buyer.test and the supplier Lean Ltd (lean)` */
export function formatBetween(named: NamedParties): string {
  return sides.map(party => `the ${party} ${formatSide(named, party)}`).join(' and ')
}

function formatSide({ parties, companies }: NamedParties, party: Party): string {
  const side = parties?.[party] ?? null
  if (side === null) return party === 'buyer' ? '(nobody by name: whoever has that role)' : '(nobody by name)'
  if (typeof side !== 'string') return side.length === 0 ? '(nobody by name)' : andList([...side])
  const name = companies?.[side]
  return name === undefined ? side : `${name} (${side})`
}
