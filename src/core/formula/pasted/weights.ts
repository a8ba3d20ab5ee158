// Which share of the price follows which index, as contracts word it: a formula, a list of shares, or one index for all of it.
// Names of indices are copied as they are written and never looked up.
import { hundredth, patterns, plainNumber } from './numbers.ts'
import { type Fill, type Phrase, type Rule, rule, type Said } from './rule.ts'

/** No index is called so: a phrase with one of these words is about something else. */
const stops =
  'deadband|collar|lag|trigger|hurdle|freibetrag|selbstbehalt|bagatellgrenze|kappung\\w*|deckel\\w*|not|no|never|only|if|when|unless|except|excluding|below|above|under|over|exceed\\w*|more|less|than|least|most|threshold|cap|capped|floor|maximum|minimum|discount\\w*|rebate\\w*|penalt\\w*|vat|tax\\w*|interest|late|paid|payment\\w*|payable|invoice\\w*|due|days?|weeks?|months?|years?|quarters?|per|delivery|acceptance|order\\w*|supplier|buyer|customer\\w*|party|parties|agreement|contract|price(?! ind)|change\\w*|adjust\\w*|increase\\w*|decrease\\w*|passed|is|are|was|be|been|has|have|had|shall|will|may|must|can|made|applies|apply|follows?|linked|weight\\w*|share|shares|fixed|constant|rounded|decimals?|page|section|satisfaction|commitment|warranty|guarantee\\w*|tolerance|deposit|retention|nicht|kein\\w*|nie|nur|wenn|falls|sofern|außer|unter|über|mehr|weniger|mindestens|höchstens|maximal|schwelle\\w*|obergrenze|untergrenze|skonto|rabatt|vertragsstrafe|mwst|mehrwertsteuer|umsatzsteuer|zinsen|verzug\\w*|zahl\\w*|rechnung\\w*|tagen?|wochen?|monat\\w*|jahr\\w*|quartal\\w*|lieferung|abnahme|bestellung|lieferant\\w*|käufer\\w*|vertrag\\w*|preis|preises|preise|änderung\\w*|anpassung\\w*|erhöhung\\w*|senkung\\w*|weitergegeben|ist|sind|wird|werden|war|hat|haben|darf|kann|muss|gilt|folgt|folgen|gewicht\\w*|anteil|anteile|fest\\w*|gerundet|stellen|seite|setzt|sich|zusammen|aus|von|einem|einen|erfolgt|consists|composed|comprises|calculated|with|mit|abschnitt|je|pro|bis|ab'
const stop = String.raw`(?!(?:${stops})(?![\p{L}\d_]))`
const article = '(?:the |a |an |der |die |das |den |dem |des |einem |einer )'
const opening = String.raw`(?!(?:the|a|an|of|and|or|to|by|in|on|at|with|for|from|where|which|und|oder|mit|von|zu|zum|zur|auf|aus|für|im|in|am|der|die|das|den|dem|des|ein|eine|einer|sowie|consists|composed|remaining|remainder|rest)(?![\p{L}\d_]))`
const word = String.raw`${stop}[\p{L}][\p{L}\d'’/&.-]*`
const baseYear = String.raw`(?:\s*[,(]?\s*(?:base|basis|basisjahr|base year)?:?\s*(?:19|20)\d\d\s*=\s*100\)?)?`
/** One group: the name. */
const label = `(${opening}${word}(?: ${word}){0,7}${baseYear})`
const ends = String.raw`(?=\s*(?:[,;.)+]|$|(?:and|und|plus|sowie)(?![\p{L}])))`

/** Keys until names are given: a symbol, or the words. */
const keyOf = (name: string) => name.toLowerCase().replace(/\s+/gu, ' ').trim()
const cleaned = (name: string) =>
  name
    .replace(/\s+/gu, ' ')
    .replace(/(?<=.)[.\s]+$/u, '')
    .trim()

const share = (text: string) => hundredth(plainNumber(text))

function part(name: string, weight: string): Said {
  const label = cleaned(name)
  const fills: Fill[] = [
    { path: `inputs.${keyOf(label)}.weight`, value: weight },
    { path: `inputs.${keyOf(label)}.label`, value: label },
  ]
  return { fills, words: `${percentOf(weight)} follows ${label}` }
}

const fixed = (weight: string): Said => ({
  fills: [{ path: 'clause.fixed', value: weight }],
  words: `${percentOf(weight)} is fixed`,
})

/** `0.45` → `45 %`, digit for digit. */
export function percentOf(weight: string): string {
  const [whole = '', part = ''] = weight.split('.')
  const digits = `${whole}${part.padEnd(2, '0')}`
  const point = whole.length + 2
  const rest = digits.slice(point).replace(/0+$/u, '')
  return `${digits.slice(0, point).replace(/^0+(?=\d)/u, '')}${rest === '' ? '' : `.${rest}`} %`
}

const symbol = String.raw`[\p{L}]{1,12}(?:_?[\dn₀-₉ₙt⁰]{1,2})?`
const times = String.raw`\s*(?:[×*·⋅]|x(?!\p{L}))?\s*`
const ratio = String.raw`[([]?\s*${symbol}\s*[/÷:]\s*${symbol}\s*[)\]]?`
const amount = String.raw`${patterns.number}(?:\s*(?:%|percent|prozent|v\.\s?h\.))?`
const named = `${opening}${word}(?: ${word}){0,4}`
const term = `(?:${amount}${times}${ratio}|${ratio}${times}${amount}|${amount}${times}${named}|${amount})`
const left = String.raw`(?:${symbol}\s*=\s*${symbol}\s*[×x*·⋅]?\s*|${symbol}\s*[/÷]\s*${symbol}\s*=\s*)`

/** The terms of `0.10 + 0.55 × S/S0 + 0.35 × L/L0`. */
function takeFormula({ text }: Phrase): Said | string {
  const right = text.replace(new RegExp(`^${left.replaceAll(' ', '\\s+')}`, 'iu'), '').trim()
  const inside = /^[([][\s\S]*[)\]]$/u.test(right) && right.includes('+') ? right.slice(1, -1) : right
  const terms = inside.split('+').map(each => each.trim())
  const numbers = terms
    .flatMap(each => each.match(new RegExp(patterns.number, 'gu')) ?? [])
    .map(each => plainNumber(each))
  // Plain numbers above 1 are percent: `15 + 45 steel + 40 labour`.
  const isHundred =
    numbers.some(each => !/^(?:0|1$|1\.0*$)/u.test(each)) || /%|prozent|percent|v\.\s?h\./iu.test(inside)
  const found: Said[] = []
  for (const each of terms) {
    const said = takeTerm(each, isHundred)
    if (typeof said === 'string') return said
    found.push(said)
  }
  return { fills: found.flatMap(({ fills }) => fills), words: found.map(({ words }) => words).join(', ') }
}

function takeTerm(text: string, isHundred: boolean): Said | string {
  const number = new RegExp(patterns.number, 'u').exec(
    text.replace(new RegExp(ratio, 'iu'), each => each.replace(/\d/gu, '')),
  )?.[0]
  const weight = number === undefined ? '1' : isHundred ? share(number) : plainNumber(number)
  const divided = /([\p{L}][\p{L}\d_₀-₉ₙ⁰]*)\s*[/÷:]\s*([\p{L}][\p{L}\d_₀-₉ₙ⁰]*)/u.exec(text)
  if (divided !== null) {
    const name = divided[2]!.replace(/_?[0₀o⁰]$/u, '')
    if (name === divided[2] || !divided[1]!.toLowerCase().startsWith(name.toLowerCase()))
      return `“${divided[0]}” is not an index divided by its base`
    return part(name, weight)
  }
  const words = new RegExp(named.replaceAll(' ', '\\s+'), 'iu').exec(
    text.replace(/^[\d.,\s%×*·⋅]+(?:x\s+)?(?:prozent|percent)?/iu, ''),
  )?.[0]
  if (words === undefined) return fixed(weight)
  return isFixedName(words) ? fixed(weight) : part(words, weight)
}

const fixedName =
  '(?:fixed(?: share| part| portion)?|fix|constant|konstant|fest|fester anteil|fixanteil|festanteil|fixer anteil|not adjusted)'
const isFixedName = (text: string) => new RegExp(`^${fixedName.replaceAll(' ', '\\s+')}$`, 'iu').test(text.trim())

const stays =
  '(?:(?:of the price |des preises )?(?:is |are |remains? |shall remain |ist |sind |bleibt |bleiben )(?:fixed|constant|unchanged|not adjusted|fest|konstant|unverändert))'
const moves =
  '(?:follows?|is linked to|are linked to|is tied to|is indexed to|are indexed to|varies with|depends on|is adjusted (?:in line with|by|according to)(?: the (?:change|changes|development) (?:of|in))?|moves with|folgt|folgen|ist an|richtet sich nach|hängt von|entfallen auf|entfällt auf)'
const indexLabel = String.raw`(${opening}(?:${word} ){0,5}[\p{L}-]*(?:index|indices|cpi|ppi|hicp|rpi|vpi)(?: (?:of|for|der|des|für) (?:the )?${word}(?: ${word}){0,5})?${baseYear})`

export const weightRules: readonly Rule[] = [
  rule(`${left}?[([]?\\s*${term}(?:\\s*\\+\\s*${term})+\\s*[)\\]]?`, takeFormula),
  rule(`${left}[([]?\\s*${ratio}\\s*[)\\]]?`, takeFormula),
  rule(`{pct} ${stays}`, ({ groups: [pct] }) => fixed(share(pct!))),
  rule(
    `(?:(?:a |the |ein |einem |einen |der )?(?:fixed|fester|festen|fixer|fixen|constant)(?: (?:share|part|portion|component|anteil))?|(?:der |ein |einem )?(?:fixanteil|festanteil|sockel))(?: (?:of|is|at|von|beträgt|with|mit))*[:=]?\\s*\\(?{pct}\\)?`,
    ({ groups: [pct] }) => fixed(share(pct!)),
  ),
  rule(
    `(?:(?:a |the |ein |einem |einen |der )?(?:fixed|fester|festen|fixer|fixen|constant)(?: (?:share|part|portion|component|anteil))?|(?:der |ein |einem )?(?:fixanteil|festanteil|sockel))(?: (?:of|is|at|von|beträgt))*[:=]?\\s*(${patterns.number})${ends}(?! ?%)`,
    ({ groups: [number] }) => fixed(plainNumber(number!)),
  ),
  rule(`{pct} ${fixedName}${ends}`, ({ groups: [pct] }) => fixed(share(pct!))),
  rule(`(${patterns.number}) ${fixedName}${ends}`, ({ groups: [number] }) => fixed(plainNumber(number!))),
  rule(`(${patterns.number}) ${label}${ends}`, ({ groups: [number, name] }) =>
    /^0/u.test(number!) ? part(name!, plainNumber(number!)) : 'a number without a unit',
  ),
  // Materialanteil 45 %, labour share of 40 %
  rule(
    String.raw`(?:a |an |the |ein |einem |einen |der )?([\p{L}-]+?)-?(?:anteil)(?: (?:von|beträgt|mit))*[:=]?\s*\(?{pct}\)?`,
    ({ groups: [name, pct] }) => (/^(?:fix|fest)$/iu.test(name!) ? fixed(share(pct!)) : part(name!, share(pct!))),
  ),
  rule(
    String.raw`(?:a |an |the )?(${stop}[\p{L}-]+) (?:share|portion|component|part)(?: (?:of|is|at))*[:=]?\s*\(?{pct}\)?`,
    ({ groups: [name, pct] }) => (/^fixed$/iu.test(name!) ? fixed(share(pct!)) : part(name!, share(pct!))),
  ),
  // 45 % of the price follows the steel price index
  rule(
    `{pct} (?:of the price |of it |des preises |vom preis )?${moves} ${article}?${label}${ends}`,
    ({ groups: [pct, name] }) => part(name!, share(pct!)),
  ),
  // 45 % steel
  rule(`{pct} (?:for |of |für |auf )?${article}?${label}${ends}`, ({ groups: [pct, name] }) =>
    part(name!, share(pct!)),
  ),
  // steel 45 %, steel: 45 %, steel (45 %), steel with a weight of 45 %
  rule(
    String.raw`${article}?${label}(?: (?:with|at|has|carries|mit|zu|von|counts|is weighted))?(?: (?:a |an |einem )?(?:weight|share|weighting|gewicht|anteil|gewichtung)(?: of| von)?)?(?: at)?\s*[:=(]?\s*{pct}\)?(?: gewichtet)?`,
    ({ groups: [name, pct] }) => part(name!, share(pct!)),
  ),
  rule(
    `${article}?${label} (?:is weighted (?:at|with)|has a weight of|has a share of|carries a weight of|wird mit|hat ein gewicht von|hat einen anteil von) {pct}(?: gewichtet)?`,
    ({ groups: [name, pct] }) => part(name!, share(pct!)),
  ),
  // The price follows the consumer price index
  rule(
    `(?:the |der |die |das )?(?:contract |unit )?(?:price|fee|rent|rate|preis|miete|entgelt|vergütung)(?: (?:fully|vollständig|in full))? ${moves}(?: in full| vollständig)? ${article}?${indexLabel}(?: gebunden| ab)?(?: in full)?`,
    ({ groups: [name] }) => part(name!, '1'),
  ),
  rule(
    `(?:in line with|in proportion to|according to|entsprechend|gemäß) (?:the |der |dem )?(?:(?:change|changes|development|movement|movements|änderung|entwicklung|veränderung) (?:of|in|des|der) )?${article}?${indexLabel}`,
    ({ groups: [name] }) => part(name!, '1'),
  ),
  rule(String.raw`(?:base|basis|basisjahr|base year|index base)?:?\s*{year}\s*=\s*100`, ({ groups: [year] }) => ({
    fills: [{ path: 'description', value: `${year} = 100` }],
    words: `the index is written with ${year} = 100`,
  })),
]

interface LegendEntry {
  readonly symbol: string
  readonly body: string
}

const legendLead =
  /^(?:(?:where|wherein|in which|whereby|wobei|dabei|hierin|darin|es|mit|with|legend|legende|dabei gilt)(?:\s+(?:bedeuten|bedeutet|ist|sind|is|are|gilt|stehen|steht))?\s*:?\s*)?/iu

/** `S = steel index, L is the labour index` → its entries; null if the sentence is none. `symbols` are those of the formula. */
export function legendOf(sentence: string, symbols: ReadonlySet<string>): readonly LegendEntry[] | null {
  const text = sentence.replace(legendLead, '').replace(/[.;,\s]+$/u, '')
  const one =
    /(?:^|[,;]\s*(?:and\s+|und\s+)?|\s+(?:and|und)\s+|\n\s*)([\p{L}]{1,12}(?:_?[\dn₀-₉ₙt⁰]{1,2})?)(?:\s*[=:]\s*|\s+(?:is|ist|means|bedeutet|stands for|steht für|denotes|bezeichnet)\s+|\s+(?=the\s|der\s|die\s|den\s|das\s))/gu
  const starts = [...text.matchAll(one)].filter(([, name]) => isOwn(name!, symbols))
  if (starts.length === 0 || starts[0]!.index !== 0) return null
  return starts.map((start, i) => ({
    symbol: start[1]!,
    body: text.slice(start.index + start[0].length, starts[i + 1]?.index).trim(),
  }))
}

const isOwn = (name: string, symbols: ReadonlySet<string>) => isPriceSymbol(name) || symbols.has(symbolKey(name))

export const isPriceSymbol = (name: string) => /^p(?:_?[\dn₀-₉ₙt⁰]{1,2})?$/iu.test(name)

/** `S0`, `Sn`, `S` → `s`. */
export const symbolKey = (name: string) =>
  (name.length === 1 ? name : name.replace(/_?[\dn₀-₉ₙt⁰]{1,2}$/u, '') || name).toLowerCase()

export const isBaseSymbol = (name: string) => /_?[0₀⁰o]$/u.test(name) && name.length > 1

/** What an index is called in a legend: words, its publisher, a code in brackets, `2020 = 100`. */
export function labelIn(body: string): string | null {
  const name = body.replace(/^(?:the|der|die|das|den|dem|ein|eine|a|an)\s+/iu, '').trim()
  const plain = name
    .replace(/\(?(?:(?:base|basis|basisjahr|base year):?\s*)?(?:19|20)\d\d\s*=\s*100\)?/giu, '')
    .replace(/\([^()%€$]*\)/gu, '')
  const isName =
    /^[\p{L}][\p{L}\d\s'’"“”„,/&.-]*$/u.test(plain) && !/(?<![\p{L}\d-])\d/u.test(plain) && !/[%€$£]/u.test(name)
  const hasStop =
    /(?<![\p{L}\d])(?:not|no|unless|except|only|if|less|more|than|nicht|kein\w*|außer|nur|wenn|falls|mindestens|höchstens)(?![\p{L}\d])/iu.test(
      name,
    )
  return isName && !hasStop && name.length <= 160 ? name.replace(/\s+/gu, ' ') : null
}
