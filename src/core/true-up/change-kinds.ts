// The kinds of changes of terms that both parties sign, and what they are called.

export const changesOfTerms = ['SPLICE', 'AMENDMENT', 'PRICE_LIST'] as const
export type ChangeOfTerms = (typeof changesOfTerms)[number]

/** For sentences and activities: `proposed a …`. */
export const changeNouns: Readonly<Record<ChangeOfTerms, string>> = {
  SPLICE: 'splice',
  AMENDMENT: 'amendment',
  PRICE_LIST: 'price list',
}

/** What waits for a signature: `has … that waits for your signature`. */
export const changesWaiting: Readonly<Record<ChangeOfTerms, string>> = {
  SPLICE: 'a splice of an index',
  AMENDMENT: 'an amendment',
  PRICE_LIST: 'a price list',
}

/** What takes the place of what is there, in a cell of a table. */
export const changeWords: Readonly<Record<ChangeOfTerms, string>> = {
  SPLICE: 'another index',
  AMENDMENT: 'other terms',
  PRICE_LIST: 'another price list',
}
