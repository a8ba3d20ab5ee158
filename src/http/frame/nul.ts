// The one character that the database cannot keep in a text, U+0000: no request may contain it, in its address or its body.
import { Refusal } from '../../core/refusal.ts'

export const nulWords = 'a text of a request must not contain the character U+0000'

/** Node refuses it in an address unless it is percent-encoded. */
export function hasNul(url: string): boolean {
  return url.includes('%00')
}

/** Goes through what was read from JSON, names and values. */
export function refuseNul(value: unknown): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw new Refusal('invalid', nulWords)
  } else if (typeof value === 'object' && value !== null)
    for (const [name, each] of Object.entries(value)) {
      refuseNul(name)
      refuseNul(each)
    }
}
