// The kinds of changes of terms that both parties sign, with their words.

export const changesOfTerms = ['SPLICE', 'AMENDMENT', 'PRICE_LIST'] as const
export type ChangeOfTerms = (typeof changesOfTerms)[number]

/** Nouns for sentences and activities: `proposed a …`. */
export const changeNouns: Readonly<Record<ChangeOfTerms, string>> = {
  SPLICE: 'splice',
  AMENDMENT: 'amendment',
  PRICE_LIST: 'price list',
}

/** Words for a waiting signature: `has … that waits for your signature`. */
export const changesWaiting: Readonly<Record<ChangeOfTerms, string>> = {
  SPLICE: 'a splice of an index',
  AMENDMENT: 'an amendment',
  PRICE_LIST: 'a price list',
}

/** Words for the new part, in a cell of a table. */
export const changeWords: Readonly<Record<ChangeOfTerms, string>> = {
  SPLICE: 'another index',
  AMENDMENT: 'other terms',
  PRICE_LIST: 'another price list',
}
