// Price and rounding, as contracts word them; and what has no field in a formula, so that the reader can say so.
import { countOf, plainNumber } from './numbers.ts'
import { type Phrase, type Rule, rule, type Said } from './rule.ts'

function currencyOf(text: string): string {
  const known: Readonly<Record<string, string>> = { '€': 'EUR', euro: 'EUR', euros: 'EUR', $: 'USD', '£': 'GBP' }
  const lower = text.toLowerCase()
  return known[lower] ?? (lower.startsWith('us') && lower !== 'usd' ? 'USD' : text.toUpperCase())
}

const unit = String.raw`(?:\s*(?:per|je|pro|/|for each|a)\s*(?:1 )?(metric tonne|metric ton|running metre|square metre|cubic metre|[\p{L}][\p{L}²³.-]{0,20}))`
const priceName = String.raw`(?:the |der |ein )?(?:(?:initial |agreed |contract |starting |base |basic |unit |net )*(?:price|rate|fee)|(?:monthly |yearly |annual )?(?:rent|fee)|preis|grundpreis|basispreis|vertragspreis|einheitspreis|ausgangspreis|nettopreis|vereinbarte preis|p0|p₀)(?: \(?p[0₀]\)?)?(?: (?:at the start|for the product|of the product|at contract start|bei vertragsbeginn|zu vertragsbeginn))?(?: (?:is|of|shall be|amounts to|at|beträgt|ist|von))*[:=]?\s*`

function price(amount: string, currency: string, per: string | undefined, isGerman: boolean): Said {
  const [plain, code] = [plainNumber(amount, isGerman), currencyOf(currency)]
  const one = per?.replace(/\.$/u, '')
  return {
    fills: [
      { path: 'contract.price.amount', value: plain },
      { path: 'contract.price.currency', value: code },
      ...(one === undefined ? [] : [{ path: 'contract.price.unit', value: one }]),
    ],
    words: `price ${plain} ${code}${one === undefined ? '' : ` per ${one}`}`,
  }
}

const roundingTargets: readonly (readonly [words: string, path: string, said: string])[] = [
  [
    'price|prices|adjusted price|new price|unit price|preis|preise|angepasste preis|neue preis|preis wird|preise werden',
    'clause.rounding.price',
    'the price',
  ],
  [
    'percentage|percentage change|change|adjustment|change in percent|price change|movement|prozentsatz|änderung|veränderung|prozentuale änderung|prozentuale veränderung|anpassung|preisänderung',
    'clause.rounding.total',
    'the change in percent',
  ],
  [
    'factor|adjustment factor|multiplier|coefficient|result of the formula|faktor|anpassungsfaktor|koeffizient|preisfaktor',
    'clause.rounding.factor',
    'the factor',
  ],
  [
    'ratio|ratios|index ratio|index ratios|quotient|quotients|quotienten|indexquotient|indexquotienten|indexverhältnis|verhältnis',
    'clause.rounding.ratio',
    'each ratio',
  ],
]
const modes: readonly (readonly [pattern: RegExp, mode: string])[] = [
  [/rounded up|aufgerundet/i, 'UP'],
  [/rounded down|truncated|abgerundet|abgeschnitten|cut off/i, 'DOWN'],
  [/half up|kaufmännisch|commercially/i, 'HALF_UP'],
]
const places =
  '{count} (?:decimal places?|decimals?|digits after the (?:decimal )?point|places|nachkommastellen?|dezimalstellen?|stellen nach dem komma|dezimalen)'

const takeRounding =
  (path: string, what: string) =>
  ({ groups, text }: Phrase): Said => {
    const decimals = countOf(groups.find(group => group !== undefined)!)
    const mode = modes.find(([pattern]) => pattern.test(text))?.[1]
    return {
      fills: [
        { path: `${path}.dp`, value: decimals },
        ...(mode === undefined ? [] : [{ path: `${path}.mode`, value: mode }]),
      ],
      words: `${what} is rounded to ${decimals} decimals${mode === 'UP' ? ', up' : mode === 'DOWN' ? ', down' : ''}`,
    }
  }

const roundingRules: readonly Rule[] = roundingTargets.flatMap(([words, path, what]) => [
  rule(
    `(?:(?:the |each |all |der |die |das |jeder )?(?:resulting |new |adjusted |calculated |neue |ermittelte )?(?:${words}) (?:is|are|shall be|will be|wird|werden) (?:commercially |kaufmännisch )?(?:rounded|rounded up|rounded down|truncated|half up|cut off|auf|gerundet auf|aufgerundet auf|abgerundet auf)(?: (?:to|at|half up to|after|auf))? ${places}(?: (?:kaufmännisch )?(?:gerundet|aufgerundet|abgerundet|abgeschnitten))?(?:,? (?:half up|commercially))?)`,
    takeRounding(path, what),
  ),
  rule(`(?:${words}) (?:rounded|gerundet) (?:to|auf) ${places}`, takeRounding(path, what)),
])

const moneyRules: readonly Rule[] = [
  rule(
    `${priceName}{num}\\s*{currency}${unit}?(?: (?:net|netto|plus vat|excluding vat|zzgl\\. mwst\\.?))?`,
    ({ groups: [amount, currency, per], isGerman }) => price(amount!, currency!, per, isGerman),
  ),
  rule(
    `${priceName}{currency}\\s*{num}${unit}?(?: (?:net|netto|plus vat|excluding vat))?`,
    ({ groups: [currency, amount, per], isGerman }) => price(amount!, currency!, per, isGerman),
  ),
  rule(
    `(?:rounded|gerundet) (?:to|auf) ${places}`,
    () => 'it does not say what is rounded: the price, the change in percent or the factor',
  ),
]

/** What a sentence is about if no field holds it: said beside it, so that nobody looks for the field. */
export const withoutField: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:notice|notif\w+|inform\w*|announce\w*)\b|ankündig|mitteil|mitgeteilt|kündig/iu,
    'notice has no field in a formula',
  ],
  [/\bVAT\b|value added tax|sales tax|mehrwertsteuer|umsatzsteuer|mwst/iu, 'tax is not part of the price here'],
  [/discount|rebate|skonto|rabatt/iu, 'discounts are not part of the adjustment'],
  [
    /penalt|liquidated damages|vertragsstrafe|pönale|late payment|default interest|verzugszins/iu,
    'penalties and interest are not part of the adjustment',
  ],
  [/\bpaid\b|payable|payment|zahlbar|zahlung/iu, 'payment has no field in a formula'],
]

export const priceRules: readonly Rule[] = [...moneyRules, ...roundingRules]
