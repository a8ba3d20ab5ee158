// A sign of drift: one difference between an answer and the answers before it.

const signKinds = [
  'format',
  'content-type',
  'column',
  'field',
  'kind',
  'repeated',
  'encoding',
  'unit',
  'title',
  'label',
  'frequency',
  'scale',
  'decimals',
  'shifted',
  'ends-earlier',
  'fewer-series',
  'standing-still',
] as const
type SignKind = (typeof signKinds)[number]

export interface Sign {
  readonly kind: SignKind
  /** Words without a figure: `the column "OBS_STATUS" is gone`. */
  readonly words: string
}

export function signWords(signs: readonly Pick<Sign, 'words'>[]): string {
  return signs.map(({ words }) => words).join('; ')
}
