// A price adjustment clause as somebody pastes it from a contract, in English or German, sentence by sentence. A sentence is
// understood only if every word of it is, and every number in it stands in a field it fills; everything else is listed as it is.
import { agreeing } from './agreeing.ts'
import { calendarRules } from './calendar.ts'
import { controlRules } from './limits.ts'
import { priceRules, withoutField } from './money.ts'
import { type PastedPart, partsOf, placed } from './parts.ts'
import { valueRules } from './reading.ts'
import { type Fill, inSmallLetters, isGerman, joinerAt, type ReadSentence, type Rule, type Said } from './rule.ts'
import { splitSentences } from './sentences.ts'
import { isBaseSymbol, isPriceSymbol, labelIn, legendOf, symbolKey, weightRules } from './weights.ts'

export interface ClauseSentence {
  readonly text: string
  /** `plain`: it says nothing that a field could hold, such as "according to the following formula". */
  readonly kind: 'understood' | 'missed' | 'plain'
  /** What it was understood as, in words. */
  readonly words: readonly string[]
  /** Why it was not understood. */
  readonly why: string | null
}

export interface PastedClause {
  /** Their texts in order are the whole text. */
  readonly sentences: readonly ClauseSentence[]
  readonly parts: readonly PastedPart[]
  /** The fields of the document that the understood sentences fill. */
  readonly fills: readonly Fill[]
}

/** Longer texts are cut: a clause is a page or two. */
export const longestPaste = 12_000

const rules: readonly Rule[] = [...weightRules, ...controlRules, ...calendarRules, ...valueRules, ...priceRules]

export function readPastedClause(given: string): PastedClause {
  const text = given.slice(0, longestPaste).normalize('NFC')
  const symbols = new Set<string>()
  const read = splitSentences(text).map(({ text: piece, isMark }): ReadSentence => {
    if (isMark) return { text: piece, said: [], why: null }
    const found = readSentence(piece, symbols)
    for (const { fills } of found.said)
      for (const { path } of fills) {
        const key = /^inputs\.([^.]+)\.weight$/u.exec(path)?.[1]
        if (key !== undefined) symbols.add(key)
      }
    return { text: piece, ...found }
  })
  const agreed = agreeing(read)
  const understood = agreed.filter(({ why }) => why === null).flatMap(({ said }) => said.flatMap(({ fills }) => fills))
  const parts = partsOf(understood)
  return {
    sentences: agreed.map(({ text: piece, said, why }) => ({
      text: piece,
      kind: why !== null ? 'missed' : said.length > 0 ? 'understood' : 'plain',
      words: why === null ? said.map(({ words }) => words) : [],
      why,
    })),
    parts,
    fills: placed(understood, parts),
  }
}

type Found = Omit<ReadSentence, 'text'>

function readSentence(sentence: string, symbols: ReadonlySet<string>): Found {
  const legend = symbols.size === 0 ? null : legendOf(sentence, symbols)
  const found = legend === null ? scan(sentence) : readLegend(legend)
  if (found.why === null) return found
  const why = withoutField.find(([pattern]) => pattern.test(sentence))?.[1]
  return { said: [], why: why ?? found.why }
}

const spaces = /[\s,;:.()[\]"“”„–—]+/uy
const wordAt = /[\p{L}\d][\p{L}\p{M}\d.,'’%-]*|./suy

/** From phrase to phrase: the longest one that a rule knows, or a word that only joins others. */
function scan(sentence: string): Found {
  const said: Said[] = []
  const german = isGerman(sentence)
  const small = inSmallLetters(sentence)
  for (let at = 0; at < sentence.length; ) {
    const best = longestAt(small, at)
    if (best !== null) {
      const [whole, ...groups] = best.match.indices!.map(place =>
        place === undefined ? undefined : sentence.slice(...place),
      )
      const taken = best.rule.take({ groups, text: whole!, isGerman: german })
      if (typeof taken === 'string') return { said: [], why: taken }
      said.push(taken)
      at += best.match[0].length
      continue
    }
    const joint = matchAt(spaces, sentence, at) ?? matchAt(joinerAt, sentence, at)
    if (joint === null) return { said: [], why: `“${matchAt(wordAt, sentence, at)}” is not understood` }
    at += joint.length
  }
  return { said, why: null }
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? null
}

function longestAt(sentence: string, at: number): { readonly rule: Rule; readonly match: RegExpExecArray } | null {
  // A phrase begins with a word, a number or a sign, and not inside one.
  if (/[\s,;:.)]/u.test(sentence[at]!) || (at > 0 && /[\p{L}\d]/u.test(sentence[at - 1]!))) return null
  let best: { readonly rule: Rule; readonly match: RegExpExecArray } | null = null
  for (const rule of rules) {
    rule.pattern.lastIndex = at
    const match = rule.pattern.exec(sentence)
    if (match !== null && match[0].trim() !== '' && match[0].length > (best?.match[0].length ?? 0))
      best = { rule, match }
  }
  return best
}

/** What the letters of a formula stand for. */
function readLegend(entries: NonNullable<ReturnType<typeof legendOf>>): Found {
  const said: Said[] = []
  for (const { symbol, body } of entries) {
    const found = readEntry(symbol, body)
    if (typeof found === 'string') return { said: [], why: found }
    said.push(...found)
  }
  return { said, why: null }
}

function readEntry(symbol: string, body: string): readonly Said[] | string {
  const key = symbolKey(symbol)
  const label = labelIn(body)
  if (isPriceSymbol(symbol)) {
    const price = scan(
      `price ${body.replace(/^(?:the |der )?(?:base price|initial price|contract price|price|grundpreis|basispreis|preis)\s*(?:of|von|=|:)?\s*/iu, '')}`,
    )
    if (price.why === null) return price.said
    return label === null ? price.why! : []
  }
  const own = (fills: readonly Fill[]) =>
    fills.map(({ path, value }) => ({ path: path.replace('inputs.*', `inputs.${key}`), value }))
  if (isBaseSymbol(symbol)) {
    const said = ownBase(body, key)
    return said === null ? `the base of ${symbol} is not understood` : [said]
  }
  if (symbol.length === 1 && label !== null)
    return [{ fills: [{ path: `inputs.${key}.name`, value: label }], words: `${symbol} is ${label}` }]
  const read = scan(body)
  if (read.why === null && read.said.length > 0) return read.said.map(each => ({ ...each, fills: own(each.fills) }))
  return label === null
    ? `what ${symbol} stands for is not understood`
    : [{ fills: [{ path: `inputs.${key}.name`, value: label }], words: `${symbol} is ${label}` }]
}

/** `index value in December 2023`, `120.5`. */
function ownBase(body: string, key: string): Said | null {
  const plain = body.replace(
    /^(?:(?:the|der|die|das|den|dem|same|base|basis|index|indices|value|values|figure|price|wert|indexwert|basiswert|basisindex|indexstand|ausgangswert|stand|of|for|in|im|am|vom|des|für|month|monat|[a-z]|lohn|published|steel|labour)(?![\p{L}\d])\s*[:=]?\s*)+/iu,
    '',
  )
  const read = scan(`base ${plain}`)
  if (read.why !== null || read.said.length !== 1) return null
  const [{ fills, words }] = read.said as readonly [Said]
  if (!fills.every(({ path }) => path.startsWith('inputs.*.base'))) return null
  return { fills: fills.map(({ path, value }) => ({ path: path.replace('inputs.*', `inputs.${key}`), value })), words }
}
