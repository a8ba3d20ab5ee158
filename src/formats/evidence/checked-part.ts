// One part of an evidence package as it was checked.

export interface CheckedPart {
  readonly title: string
  /** The finding, in a sentence. */
  readonly words: string
  readonly problems: readonly string[]
}
