// Numbers, months and days as contracts write them, in English and German.

/** `0,15` and `0.15` → `0.15`; `1.234,5` and `1,234.5` → `1234.5`; `12,400` → `12400`, in German `12.400` → `12400`. */
export function plainNumber(text: string, isGerman = false): string {
  const [dot, comma] = [text.lastIndexOf('.'), text.lastIndexOf(',')]
  if (dot >= 0 && comma >= 0) {
    const [decimal, group] = dot > comma ? ['.', ','] : [',', '.']
    return text.replaceAll(group!, '').replace(decimal!, '.')
  }
  const isGrouped = isGerman ? /^[1-9]\d{0,2}(?:\.\d{3})+$/ : /^[1-9]\d{0,2}(?:(?:,\d{3})+|(?:\.\d{3}){2,})$/
  if (isGrouped.test(text)) return text.replace(/[.,]/g, '')
  return text.replace(',', '.')
}

/** `45` → `0.45`, digit for digit. */
export function hundredth(text: string): string {
  const [whole = '', part = ''] = text.split('.')
  const digits = `${whole.padStart(3, '0')}${part}`
  const point = digits.length - part.length - 2
  const moved = `${digits.slice(0, point).replace(/^0+(?=\d)/, '')}.${digits.slice(point)}`
  return moved.replace(/0+$/, '').replace(/\.$/, '')
}

/** Without zeros that say nothing: equal numbers have equal texts. */
export function canonicalNumber(text: string): string {
  const plain = text.replace(/^[+-]/, '').replace(/^0+(?=\d)/, '')
  return plain.includes('.') ? plain.replace(/0+$/, '').replace(/\.$/, '') : plain
}

const counts: readonly (readonly [string, string])[] = [
  ['one|einem|einen|einer|eines|eine|ein', '1'],
  ['two|zweier|zwei', '2'],
  ['three|dreier|drei', '3'],
  ['four|vier', '4'],
  ['five|fünf', '5'],
  ['six|sechs', '6'],
  ['eight|acht', '8'],
  ['nine|neun', '9'],
  ['ten|zehn', '10'],
  ['twelve|zwölf', '12'],
]
const ordinals: readonly (readonly [string, string])[] = [
  ['first|ersten?|erstes|1st|1\\.', '1'],
  ['second|zweiten?|zweites|2nd|2\\.', '2'],
  ['third|dritten?|drittes|3rd|3\\.', '3'],
  ['fourth|vierten?|viertes|4th|4\\.', '4'],
  ['fifth|fünften?|5th|5\\.', '5'],
  ['sixth|sechsten?|6th|6\\.', '6'],
]
const months: readonly string[] = [
  'january|januar|jänner|jan\\.?',
  'february|februar|feb\\.?',
  'march|märz|mar\\.?',
  'april|apr\\.?',
  'may|mai',
  'june|juni|jun\\.?',
  'july|juli|jul\\.?',
  'august|aug\\.?',
  'september|sept?\\.?',
  'october|oktober|oct\\.?|okt\\.?',
  'november|nov\\.?',
  'december|dezember|dec\\.?|dez\\.?',
]

const oneOf = (rows: readonly (readonly [string, string])[]) => rows.map(([words]) => words).join('|')

/** Patterns without groups of their own. */
export const patterns = {
  number: String.raw`(?<![\p{L}\d_.,])\d+(?:[.,]\d+)*`,
  count: `(?:\\d{1,2}|${oneOf(counts)})`,
  /** Words of two and more: "a" and "one" are articles as well. */
  countWord: `(?:${oneOf(counts.slice(1))})`,
  ordinal: `(?:${oneOf(ordinals)})`,
  month: `(?:${months.join('|')})`,
} as const

const lookUp = (rows: readonly (readonly [string, string])[], text: string) =>
  rows.find(([words]) => new RegExp(`^(?:${words})$`, 'iu').test(text))?.[1] ?? null

export function countOf(text: string): string {
  return lookUp(counts, text) ?? text.replace(/^0+(?=\d)/, '')
}

export function ordinalOf(text: string): string {
  return lookUp(ordinals, text) ?? text
}

/** `01` to `12`. */
export function monthOf(text: string): string {
  const at = months.findIndex(words => new RegExp(`^(?:${words})$`, 'iu').test(text))
  return String(at + 1).padStart(2, '0')
}

export const twoDigits = (text: string) => text.padStart(2, '0')
