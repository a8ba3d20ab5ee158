// U+0000, which no request may contain, in its address or its body.
import { Refusal } from '../../core/refusal.ts'
import { nul, nulRule } from '../../core/text/nul.ts'

export const nulWords = `a text of a request ${nulRule}`

/** Node refuses it in an address unless it is percent-encoded. */
export function hasNul(url: string): boolean {
  return url.includes('%00')
}

/** Goes through what was read from JSON, names and values. */
export function refuseNul(value: unknown): void {
  if (typeof value === 'string') {
    if (value.includes(nul)) throw new Refusal('invalid', nulWords)
  } else if (typeof value === 'object' && value !== null)
    for (const [name, each] of Object.entries(value)) {
      refuseNul(name)
      refuseNul(each)
    }
}
