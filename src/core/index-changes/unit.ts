// The currency of a price and the reference year of an index, read from the text of a unit.

const code = /\b(AUD|BRL|CAD|CHF|CNY|CZK|DKK|EUR|GBP|HUF|INR|JPY|KRW|MXN|NOK|NZD|PLN|RON|RUB|SEK|TRY|USD|ZAR)\b/
const words: readonly (readonly [RegExp, string])[] = [
  [/€|\beuros?\b/i, 'EUR'],
  [/£|\bpounds? sterling\b/i, 'GBP'],
  [/¥|\byen\b/i, 'JPY'],
  [/\bcanadian dollars?\b/i, 'CAD'],
  [/\baustralian dollars?\b/i, 'AUD'],
  [/\$|\b(u\.?s\.? )?dollars?\b/i, 'USD'],
]

/** The currency; null where the unit names none. */
export function currencyOfUnit(unit: string): string | null {
  return code.exec(unit)?.[1] ?? words.find(([pattern]) => pattern.test(unit))?.[1] ?? null
}

/** The reference of `2015 = 100`, `Index 2015=100`, `1982-84=100`; null where the unit names no year. */
export function referenceOfUnit(unit: string): string | null {
  const match = /\b((?:19|20)\d{2}(?:[-–/](?:\d{2,4}))?(?:-?Q[1-4]|-\d{2})?)\s*=\s*100\b/.exec(unit)
  return match === null ? null : match[1]!.replace(/[–/]/g, '-')
}
