// Characters that no text of a request may contain, in its address or its body, because the database cannot store them.
import { Refusal } from '../../core/refusal.ts'
import { isStorable, storableRule } from '../../core/text/storable-text.ts'

export const unstorableWords = `a text of a request ${storableRule}`

/** Node refuses U+0000 in an address unless it is percent-encoded; half of a character has no percent-encoding. */
export function hasNul(url: string): boolean {
  return url.includes('%00')
}

/** Refuses them in parsed JSON, names and values. */
export function refuseUnstorable(value: unknown): void {
  if (typeof value === 'string') {
    if (!isStorable(value)) throw new Refusal('invalid', unstorableWords)
  } else if (typeof value === 'object' && value !== null)
    for (const [name, each] of Object.entries(value)) {
      refuseUnstorable(name)
      refuseUnstorable(each)
    }
}
