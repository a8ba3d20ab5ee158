// What a rule of the reader is: a phrase that is recognised, and the fields that it fills. Rules are written in a small
// notation: a space is any space, `{pct}` a percentage, `~` a few words that only join others.
import { patterns } from './numbers.ts'

/** A field of the document with its value: `clause.cap.yearPct`, `5`. `inputs.*` means every input. */
export interface Fill {
  readonly path: string
  readonly value: string
}

/** What a phrase says. */
export interface Said {
  readonly fills: readonly Fill[]
  /** For people: `cap +5 % per contract year`. */
  readonly words: string
  /** True only if one index carries the whole price: a clause has no threshold or limit for one index among several. */
  readonly needsOneIndex?: boolean
  /** True only if the price is adjusted that often: "5 % per quarter". */
  readonly needsFrequency?: string
}

/** A sentence with what it says, or why it is not understood. */
export interface ReadSentence {
  readonly text: string
  readonly said: readonly Said[]
  readonly why: string | null
}

export interface Phrase {
  /** The groups of the pattern, without the whole. */
  readonly groups: readonly (string | undefined)[]
  readonly text: string
  readonly isGerman: boolean
}

export interface Rule {
  readonly pattern: RegExp
  /** A text is the reason why the phrase cannot be used. */
  readonly take: (phrase: Phrase) => Said | string
}

/** Words that change nothing about what a phrase says. No negation, condition or exception is among them. */
const english = `
  the a an of to by in on at as and its their this these such any each all then thereof hereby accordingly shall will
  is are be been has have price prices unit base basic contract contractual agreed net purchase supply selling rate
  fee rent adjustment adjustments adjusted adjusts indexation escalation revision variation change changes movement
  movements amount amounts formula following follows clause index indices indexes value values figure figures share
  shares weight weights weighting weighted component components consists composed made up according accordance
  calculated computed determined new it they with under per for which that product products goods services?
  supplier['’]s buyer['’]s parties party agree where wherein`

const german = String.raw`
  der die das den dem des ein eine einer eines einem einen und sowie wird werden wurde ist sind sich nach gemäß gem\.
  entsprechend folgender folgende folgenden formel preisgleitformel preisgleitklausel preisgleitung preisanpassung
  preisanpassungsklausel wertsicherungsklausel preis preise preises preisen vertragspreis grundpreis basispreis
  einheitspreis nettopreis miete entgelt vergütung anpassung anpassungen angepasst änderung änderungen veränderung
  veränderungen betrag wert werte index indizes anteil anteile anteilig gewicht gewichte gewichtung gewichtet setzt
  zusammen besteht aus mit von für im in am an auf zu zum zur als je dabei hierbei hierin jeweils jeweilige
  jeweiligen jede jeder jedes vereinbarte vereinbarten vereinbart parteien vertragspartner vertraglich produkte?
  leistungen lieferungen lautet wie folgt erfolgt erfolgen berechnet ermittelt ergibt neue neuer er sie es bedeuten
  bedeutet`

const joiners = `${english} ${german}`.trim().split(/\s+/).join('|')

const joiner = String.raw`(?:${joiners})(?![\p{L}\d_])`

/** At one place of a sentence: one word that joins others. */
export const joinerAt = new RegExp(joiner, 'iuy')

const percent = String.raw`(?:%|percent(?!age)|per cent|prozent(?!punkt)|v\.\s?h\.|vom hundert|pct)(?![\p{L}])`

/** Of a limit. Group: the words, if there are any. */
const span = String.raw`(?:[\s,]*\(?((?:a|per|in any|in each|in every|in one|within a|within one|during any|for any|pro|im|je|innerhalb eines|in jedem|in einem)(?: given)? (?:single )?(?:contract(?:ual)? year|calendar year|year|annum|period|adjustment(?: date)?|quarter|month|vertragsjahre?s?|kalenderjahre?s?|jahre?s?|periode|anpassung|anpassungstermin|quartal|monat)|p\.\s?a\.|yearly|annually|jährlich|each time|(?:at|for) (?:each|any|every|one)(?: single)? (?:adjustment(?: date)?|time)|jedes mal|bei jeder anpassung|in total|in all|overall|cumulative|cumulatively|over the (?:whole |entire )?(?:term|life)(?: of the (?:contract|agreement))?|insgesamt|in summe|über die (?:gesamte )?(?:vertragslaufzeit|laufzeit))\)?)?`

const macros: Readonly<Record<string, string>> = {
  pct: String.raw`(${patterns.number})\s*${percent}`,
  num: `(${patterns.number})`,
  count: `(${patterns.count})`,
  ordinal: `(${patterns.ordinal})`,
  month: `(${patterns.month})`,
  span,
  year: String.raw`((?:19|20)\d\d)(?!\d)`,
  /** Day, month and year in any order of the two languages; see dayOf. */
  date: String.raw`((?:\d{1,2}(?:st|nd|rd|th)?\.?\s+(?:of\s+)?${patterns.month},?\s+(?:19|20)\d\d|${patterns.month}\s+\d{1,2}(?:st|nd|rd|th)?,?\s+(?:19|20)\d\d|(?:19|20)\d\d-\d\d-\d\d|\d{1,2}\.\s?\d{1,2}\.\s?(?:19|20)\d\d)(?!\d))`,
  /** Day and month. */
  yearday: String.raw`((?:\d{1,2}(?:st|nd|rd|th)?\.?\s+(?:of\s+)?${patterns.month}|${patterns.month}\s+\d{1,2}(?:st|nd|rd|th)?|\d{1,2}\.\s?\d{1,2}\.)(?![\p{L}\d]))`,
  currency: String.raw`(€|\$|£|(?:eur|usd|gbp|chf|pln|czk|sek|dkk|nok|jpy|cny|cad|aud)(?![\p{L}])|euros?(?![\p{L}])|us dollars?(?![\p{L}]))`,
}

/**
 * A pattern from the notation: parts in braces are macros, `~` up to eight joining words, ` ?` a space or none. It is for text in
 * small letters and knows the letters of Europe by their ranges: classes of all letters, whatever their case, take seconds to compile.
 */
function phrase(source: string): RegExp {
  const text = source
    .replaceAll(' ~ ', `(?:\\s+(?:${joiner}\\s+){0,8})`)
    .replaceAll(/\{(\w+)\}/gu, (whole, name: string) => macros[name] ?? whole)
    .replaceAll(' ?', '\\s*')
    .replaceAll(' ', '\\s+')
    .replaceAll(/(?<=\[[^\]]*)\\p\{L\}/gu, letters)
    .replaceAll('\\p{L}', `[${letters}]`)
  return new RegExp(`${text}(?![${letters}\\d_])`, 'dy')
}

const letters = 'a-zß-öø-ž'

/** The text in small letters, character for character. */
export function inSmallLetters(text: string): string {
  return text.replace(/\p{Lu}/gu, letter =>
    letter.toLowerCase().length === letter.length ? letter.toLowerCase() : letter,
  )
}

export const rule = (source: string, take: Rule['take']): Rule => ({ pattern: phrase(source), take })

const germanWords =
  /(?<!\p{L})(?:der|die|das|den|dem|des|ist|sind|wird|werden|je|pro|beträgt|betragen|und|zum|vom|bis|preis|prozent|nicht|v\.\s?h\.)(?!\p{L})|[äöüß]/iu

export const isGerman = (sentence: string) => germanWords.test(sentence)
