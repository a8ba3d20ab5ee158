// Data between the builder and its text editors: marks at places in the text, and suggestions for the cursor.
import type { Word } from './vocabulary.ts'

/** A problem or a warning: on a line, counted from 1, and if known at a character of it, counted from 0. */
export interface Note {
  readonly line: number
  readonly at: number | null
  readonly message: string
  readonly severity: 'error' | 'warning'
}

export interface Offer {
  readonly words: readonly Word[]
  readonly word: string
  readonly from: number
  /** Suggested before anything is typed. */
  readonly isEager: boolean
}
