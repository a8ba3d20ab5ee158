// Signers of one side of an agreement, in text short enough for a table.
import type { SideView } from '../../../src/views/shapes/parties.ts'

const mostAddresses = 2

/** The side in words; null if nobody signs for it. */
export function formatSide(side: SideView): string | null {
  if (side === null) return null
  if ('slug' in side) return side.name
  const { emails } = side
  if (emails.length === 0) return null
  const more = emails.length - mostAddresses
  const shown = emails.slice(0, mostAddresses).join(', ')
  return more > 0 ? `${shown} and ${more} more` : shown
}
