// The calendar of a stored document: its contract and the day from which it applies, read from the stored JSON. Much cheaper
// than checking the whole document, for places that need its dates and no numbers.

import type { Problem } from '../refusal.ts'
import type { Json } from '../text/canonical-json.ts'
import { parseDay } from '../time/day.ts'
import type { JsonObject } from './canonical.ts'
import { checkContract } from './check/check-contract.ts'
import type { Formula } from './formula.ts'
import type { Raw } from './raw.ts'

type Calendar = Pick<Formula, 'contract' | 'effectiveFrom'>

export function calendarOf({ contract: kept, effectiveFrom }: JsonObject): Calendar {
  const problems: Problem[] = []
  const contract = checkContract(rawOf(kept ?? null), problems)
  if (contract === null || problems.length > 0)
    throw new Error(`a stored contract cannot be read: ${problems[0]?.message}`)
  const governsFrom = typeof effectiveFrom === 'string' ? parseDay(effectiveFrom) : null
  return { contract, effectiveFrom: governsFrom ?? contract.start }
}

/** Back from plain JSON in which every scalar is text. */
function rawOf(json: Json): Raw {
  if (Array.isArray(json)) return json.map(rawOf)
  if (typeof json === 'object' && json !== null)
    return new Map(Object.entries(json).map(([key, value]) => [key, rawOf(value)]))
  return json === null ? null : String(json)
}
