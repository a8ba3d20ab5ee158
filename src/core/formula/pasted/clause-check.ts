// A pasted clause as it is kept with an agreement: its text, and the sentences that somebody checked by hand because no field
// holds them. While one is open, the agreement cannot be in force.
import { readPastedClause } from './pasted-clause.ts'

export interface KeptClause {
  readonly text: string
  /** Sentences that were ticked off, as they stand in the text. */
  readonly checked: readonly string[]
}

/** The sentences that were not understood and that nobody ticked off. */
export function openSentences({ text, checked }: KeptClause): readonly string[] {
  return readPastedClause(text).sentences.flatMap(({ kind, text: sentence }) =>
    kind === 'missed' && !checked.includes(sentence) ? [sentence] : [],
  )
}
