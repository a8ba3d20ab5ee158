// A price adjustment clause as somebody pastes it from a contract, "0.15 + 0.45 steel + 0.40 labour, cap 5 % a year",
// in English or German: the parts that are understood, and every piece that is not. It guesses nothing: unknown pieces
// are returned as they are.

/** A piece of the text: how it was understood, `''` for words that only join others, null if it was not understood. */
interface ClausePiece {
  readonly text: string
  readonly meaning: string | null
}

interface ClausePart {
  /** Fit for the name of an input. */
  readonly name: string
  /** As it was written. */
  readonly label: string
  /** A fraction of 1. */
  readonly weight: string
}

export type LimitSpan = 'period' | 'year' | 'calendar year' | 'total'

export interface ClauseLimit {
  readonly side: 'cap' | 'floor'
  /** Percent, with its sign. */
  readonly pct: string
  readonly span: LimitSpan
}

export interface PastedClause {
  readonly pieces: readonly ClausePiece[]
  readonly fixed: string | null
  readonly parts: readonly ClausePart[]
  readonly limits: readonly ClauseLimit[]
  readonly threshold: { readonly pct: string; readonly pays: 'ALL' | 'EXCESS' } | null
  /** A fraction of 1. */
  readonly passThrough: string | null
  readonly frequency: 'MONTHLY' | 'QUARTERLY' | 'SEMIANNUAL' | 'ANNUAL' | null
  readonly price: { readonly amount: string; readonly currency: string; readonly unit: string | null } | null
  /** `2 months` */
  readonly lag: string | null
  readonly decimals: string | null
}

/** Longer texts are cut: a clause is a few lines. */
export const longestPaste = 4_000

interface Found
  extends Omit<{ -readonly [Key in keyof PastedClause]: PastedClause[Key] }, 'pieces' | 'parts' | 'limits'> {
  readonly parts: (Omit<ClausePart, 'name'> & { readonly isPercent: boolean })[]
  readonly limits: ClauseLimit[]
  isFixedPercent: boolean
}

const number = String.raw`\d+(?:[.,]\d+)*`
const percent = String.raw`(${number})\s*(?:%|percent\b|per cent\b|prozent\b|v\.\s?h\.)`
const word = String.raw`\p{L}[\p{L}\d_₀⁰'’-]*`
const spans = String.raw`(?:\s*(?:,\s*)?(a year|per year|per annum|p\.\s?a\.|yearly|annually|in any year|pro jahr|im jahr|je jahr|jährlich|per contract year|je vertragsjahr|pro vertragsjahr|per calendar year|in a calendar year|je kalenderjahr|pro kalenderjahr|per (?:period|quarter|month|adjustment)|each (?:quarter|month|time)|(?:pro|je) (?:periode|quartal|monat|anpassung)|in total|in all|overall|cumulative|cumulatively|insgesamt|in summe))?`
const joints = String.raw`(?:\s*(?:of|at|is|by|von|bei|auf|um|beträgt|[:=]))*\s*`

interface Rule {
  readonly pattern: RegExp
  /** What it means, in words; null if it cannot be understood after all. */
  readonly take: (match: RegExpExecArray, found: Found) => string | null
}

const rule = (pattern: string, take: Rule['take']): Rule => ({ pattern: new RegExp(pattern, 'iuy'), take })

const rules: readonly Rule[] = [
  rule(
    String.raw`(?:price|preis|p0|p₀|base price|grundpreis)${joints}(${number})\s*(€|\$|£|[A-Z]{3}\b|euro\b)(?:\s*(?:per|je|pro|/)\s*(${word}))?`,
    ([, amount, currency, unit], found) => {
      found.price = { amount: plainNumber(amount!), currency: currencyOf(currency!), unit: unit ?? null }
      return `price ${found.price.amount} ${found.price.currency}${unit === undefined ? '' : ` per ${unit}`}`
    },
  ),
  rule(String.raw`(?:collar${joints})?(?:±|\+\s?/\s?[-−–])\s*${percent}${spans}`, ([, pct, span], found) => {
    const [size, over] = [plainNumber(pct!), spanOf(span)]
    found.limits.push({ side: 'cap', pct: size, span: over }, { side: 'floor', pct: `-${size}`, span: over })
    return `cap +${size} % and floor −${size} % ${spanWords[over]}`
  }),
  rule(
    String.raw`(?:cap(?:ped)?|ceiling|maximum|max\.?|at most|no more than|not more than|up to|obergrenze|deckel(?:ung)?|höchstens|maximal|kappung(?:sgrenze)?)${joints}\+?\s*${percent}${spans}`,
    ([, pct, span], found) => {
      const limit: ClauseLimit = { side: 'cap', pct: plainNumber(pct!), span: spanOf(span) }
      found.limits.push(limit)
      return `cap +${limit.pct} % ${spanWords[limit.span]}`
    },
  ),
  rule(
    String.raw`(?:floor|minimum|min\.?|not below|untergrenze|mindestens)${joints}([-−–+])?\s*${percent}${spans}`,
    ([, sign, pct, span], found) => {
      const size = plainNumber(pct!)
      // "Floor 5 %" may mean that it rises by 5 % at least, or that it falls by 5 % at most.
      if (sign === undefined && !isZero(size)) return null
      const limit: ClauseLimit = {
        side: 'floor',
        pct: isZero(size) || sign === '+' ? size : `-${size}`,
        span: spanOf(span),
      }
      found.limits.push(limit)
      return `floor ${limit.pct.replace('-', '−')} % ${spanWords[limit.span]}`
    },
  ),
  rule(
    String.raw`(?:no decrease|never (?:down|falls?|decreases?)|upwards? only|keine senkung|sinkt nie|nur nach oben)(?![\p{L}])`,
    (_, found) => {
      found.limits.push({ side: 'floor', pct: '0', span: 'period' })
      return 'floor 0 % per period'
    },
  ),
  rule(
    `(?:threshold|trigger|hurdle|schwelle(?:nwert)?|schwellwert|bagatellgrenze|freigrenze|only (?:if|when)(?: it moves by)?(?: more than)?|if (?:it exceeds|more than)|nur (?:wenn|bei)(?: mehr als)?|ab)${joints}${percent}`,
    ([, pct], found) => {
      found.threshold = { pct: plainNumber(pct!), pays: 'ALL' }
      return `threshold ${found.threshold.pct} %; beyond it all is paid`
    },
  ),
  rule(`(?:deadband|dead band|freibetrag|selbstbehalt)${joints}${percent}`, ([, pct], found) => {
    found.threshold = { pct: plainNumber(pct!), pays: 'EXCESS' }
    return `threshold ${found.threshold.pct} %; only what exceeds it is paid`
  }),
  rule(
    String.raw`(?:pass[- ]?through|passed on|weitergabe|weitergegeben)${joints}${percent}|${percent}\s*(?:of it |davon )?(?:is |are |wird |werden )?(?:passed on|passed through|weitergegeben)(?![\p{L}])`,
    ([, one, other], found) => {
      found.passThrough = hundredth(plainNumber(one ?? other!))
      return `${plainNumber(one ?? other!)} % is passed on`
    },
  ),
  rule(
    String.raw`(?:with a |mit einem )?(?:lag|time lag|zeitversatz|verzug|versatz)${joints}(\d+|one|two|three|four|six|ein(?:em)?|zwei|drei|vier|sechs)[\s-]+(day|week|month|quarter|tag|woche|monat|quartal)\p{L}*`,
    ([, count, unit], found) => {
      const size = countWords[count!.toLowerCase()] ?? count!
      const name = unitWords[unit!.toLowerCase()] ?? unit!.toLowerCase()
      found.lag = `${size} ${name}${size === '1' ? '' : 's'}`
      return `read ${found.lag} before`
    },
  ),
  rule(
    String.raw`(?:rounded to|gerundet auf|auf)\s*(\d|two|three|four|zwei|drei|vier)\s*(?:decimals?|decimal places|digits|nachkommastellen|stellen|dezimalen)(?:\s*gerundet)?`,
    ([, count], found) => {
      found.decimals = countWords[count!.toLowerCase()] ?? count!
      return `rounded to ${found.decimals} decimals`
    },
  ),
  ...(
    [
      ['SEMIANNUAL', 'half-?yearly|semi-?annual(?:ly)?|every six months|halbjährlich'],
      ['QUARTERLY', 'quarterly|every quarter|each quarter|vierteljährlich|quartalsweise|quartalsmäßig'],
      ['MONTHLY', 'monthly|every month|each month|monatlich'],
      ['ANNUAL', 'annual(?:ly)?|yearly|every year|each year|once a year|jährlich'],
    ] as const
  ).map(([frequency, words]) =>
    rule(
      String.raw`(?:adjusted |angepasst |anpassung )?(?:${words})(?![\p{L}])(?:\s*(?:adjusted|angepasst))?`,
      (_, found) => {
        found.frequency = frequency
        return `adjusted ${frequency.toLowerCase()}`
      },
    ),
  ),
  rule(
    String.raw`(?:a )?(?:fixed|fix|fester?|fixed share|fixed part|fixanteil|festanteil|fester anteil|sockel)(?: share| part| anteil)?${joints}(${number})\s*(%)?`,
    ([, share, sign], found) => takeFixed(found, share!, sign !== undefined),
  ),
  rule(
    String.raw`(${number})\s*(%|percent\b|prozent\b)?\s*(?:[×x*·]\s*)?(?:of |mal |times |der |des |for )?(?:fixed|fix|fest|constant|konstant|not adjusted|fixanteil|festanteil)(?: share| part| anteil)?(?![\p{L}])`,
    ([, share, sign], found) => takeFixed(found, share!, sign !== undefined),
  ),
  rule(
    String.raw`(${number})\s*(%|percent\b|prozent\b)?\s*(?:(?:[×x*·]|mal|times|of|for|für)\s*)?(?:the\s+)?(${word}(?:\s+(?!und\b|and\b|plus\b|with\b|mit\b|cap|floor|threshold|obergrenze|schwelle)${word}){0,2})(?:\s*[/÷:]\s*${word})?`,
    ([, share, sign, words], found) => {
      const label = words!.replace(/\s+(?:index|indices)$/iu, '').trim()
      const weight = plainNumber(share!)
      found.parts.push({ label, weight, isPercent: sign !== undefined })
      return `${weight}${sign === undefined ? '' : ' %'} follows ${label}`
    },
  ),
  rule(String.raw`(${number})\s*(%)?(?=\s*\+)|(?<=\+\s*)(${number})\s*(%)?(?=\s*(?:[,;.)\n]|$))`, (match, found) => {
    const [, first, firstSign, last, lastSign] = match
    return takeFixed(found, first ?? last!, (firstSign ?? lastSign) !== undefined)
  }),
  // Words and signs that only join other pieces.
  rule(
    String.raw`p\s*[/÷]\s*p[0₀]|pn?\s*=\s*p[0₀]\s*[×x*·]?|[p]n?\s*=|(?:and|und|plus|with|mit|a|an|the|of|der|die|das|ein|eine|einer|einem|the price is adjusted by|price is adjusted|adjusted|by)(?![\p{L}])|[\s,;.()[\]+=×*·&]+`,
    () => '',
  ),
]

const spanWords: Readonly<Record<LimitSpan, string>> = {
  period: 'per period',
  year: 'per contract year',
  'calendar year': 'per calendar year',
  total: 'in all',
}

function spanOf(words: string | undefined): LimitSpan {
  const text = words?.toLowerCase() ?? ''
  if (/calendar|kalender/.test(text)) return 'calendar year'
  if (/year|annu|p\.|jahr|jähr/.test(text)) return 'year'
  return /total|in all|overall|cumul|insgesamt|summe/.test(text) ? 'total' : 'period'
}

const countWords: Readonly<Record<string, string>> = {
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  six: '6',
  ein: '1',
  einem: '1',
  zwei: '2',
  drei: '3',
  vier: '4',
  sechs: '6',
}
const unitWords: Readonly<Record<string, string>> = { tag: 'day', woche: 'week', monat: 'month', quartal: 'quarter' }

function currencyOf(text: string): string {
  const known: Readonly<Record<string, string>> = { '€': 'EUR', euro: 'EUR', $: 'USD', '£': 'GBP' }
  return known[text.toLowerCase()] ?? text.toUpperCase()
}

function takeFixed(found: Found, share: string, isPercent: boolean): string | null {
  if (found.fixed !== null) return null
  found.fixed = plainNumber(share)
  found.isFixedPercent = isPercent
  return `${found.fixed}${isPercent ? ' %' : ''} is fixed`
}

const isZero = (text: string) => !/[1-9]/.test(text)

/** `0,15` and `0.15` → `0.15`; `1.234,5` and `1,234.5` → `1234.5`; `12,400` → `12400`. */
export function plainNumber(text: string): string {
  const [dot, comma] = [text.lastIndexOf('.'), text.lastIndexOf(',')]
  if (dot >= 0 && comma >= 0) {
    const [decimal, group] = dot > comma ? ['.', ','] : [',', '.']
    return text.replaceAll(group!, '').replace(decimal!, '.')
  }
  if (/^[1-9]\d{0,2}(?:,\d{3})+$/.test(text) || /^[1-9]\d{0,2}(?:\.\d{3}){2,}$/.test(text))
    return text.replace(/[.,]/g, '')
  return text.replace(',', '.')
}

/** `45` → `0.45`, digit for digit. */
function hundredth(text: string): string {
  const [whole = '', part = ''] = text.split('.')
  const digits = `${whole.padStart(3, '0')}${part}`
  const point = digits.length - part.length - 2
  const moved = `${digits.slice(0, point).replace(/^0+(?=\d)/, '')}.${digits.slice(point)}`
  return moved.replace(/0+$/, '').replace(/\.$/, '')
}

export function readPastedClause(given: string): PastedClause {
  const text = given.slice(0, longestPaste).normalize('NFC')
  const found: Found = {
    fixed: null,
    isFixedPercent: false,
    parts: [],
    limits: [],
    threshold: null,
    passThrough: null,
    frequency: null,
    price: null,
    lag: null,
    decimals: null,
  }
  const pieces: { text: string; meaning: string | null }[] = []
  const put = (piece: string, meaning: string | null) => {
    const last = pieces.at(-1)
    // Neighbouring pieces of one kind are merged, unless each has a meaning of its own.
    if (last !== undefined && last.meaning === meaning && !meaning) last.text += piece
    else if (piece !== '') pieces.push({ text: piece, meaning })
  }
  for (let at = 0; at < text.length; ) {
    const [length, meaning] = pieceAt(text, at, found)
    put(text.slice(at, at + length), meaning)
    at += length
  }
  return { ...found, pieces: joined(pieces), ...weigh(found) }
}

const wordAt = /[\p{L}\d][\p{L}\p{M}\d.,'’-]*|./suy

/**
 * How much of the text is one piece. Text that no rule matches is cut after one word, so that the next word can be
 * tried.
 */
function pieceAt(text: string, at: number, found: Found): [length: number, meaning: string | null] {
  for (const { pattern, take } of rules) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match === null || match[0] === '') continue
    return [match[0].length, take(match, found)]
  }
  wordAt.lastIndex = at
  return [wordAt.exec(text)![0].length, null]
}

/** Spaces between two words that were not understood belong to them. */
function joined(pieces: readonly ClausePiece[]): ClausePiece[] {
  const out: ClausePiece[] = []
  for (const piece of pieces) {
    const [joint, before] = [out.at(-1), out.at(-2)]
    if (piece.meaning === null && joint?.meaning === '' && /^\s+$/.test(joint.text) && before?.meaning === null)
      out.splice(-2, 2, { text: before.text + joint.text + piece.text, meaning: null })
    else out.push(piece)
  }
  return out
}

/** Weights as fractions of 1, and names that are free. Plain numbers above 1 are percent: `15 + 45 steel + 40 labour`. */
function weigh({ fixed, isFixedPercent, parts }: Found): Pick<PastedClause, 'fixed' | 'parts'> {
  const isHundred = [...parts.map(({ weight }) => weight), ...(fixed === null ? [] : [fixed])].some(
    text => !/^(?:0|1$|1\.0*$)/.test(text),
  )
  const share = (text: string, isPercent: boolean) => (isPercent || isHundred ? hundredth(text) : text)
  const names = new Set<string>()
  return {
    fixed: fixed === null ? null : share(fixed, isFixedPercent),
    parts: parts.map(({ label, weight, isPercent }) => {
      const name = freeName(label, names)
      names.add(name)
      return { name, label, weight: share(weight, isPercent) }
    }),
  }
}

const plainLetters: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' }

function freeName(label: string, taken: ReadonlySet<string>): string {
  const plain = label
    .toLowerCase()
    .replace(/[äöüß]/g, letter => plainLetters[letter]!)
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
  const base = plain === '' ? 'index' : plain.slice(0, 30)
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}_${number}`
    if (!taken.has(name)) return name
  }
}
