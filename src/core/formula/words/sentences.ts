// A plain text split into sentences by fixed rules, in English, German and French. The rules know where a sentence ends, and
// nothing about its meaning; joined again, the sentences have every character of the text but its blanks.

/** Words whose point ends no sentence. */
const abbreviations = new Set([
  'no',
  'nos',
  'art',
  'sec',
  'cl',
  'para',
  'fig',
  'approx',
  'incl',
  'excl',
  'max',
  'min',
  'vs',
  'etc',
  'cf',
  'viz',
  'resp',
  'mr',
  'mrs',
  'ms',
  'dr',
  'prof',
  'st',
  'co',
  'ltd',
  'inc',
  'corp',
  'ca',
  'vol',
  'ed',
  'est',
  'dept',
  'nr',
  'abs',
  'ziff',
  'bzw',
  'inkl',
  'exkl',
  'vgl',
  'usw',
  'lit',
  'gem',
  'ggf',
  'evtl',
  'sog',
  'bspw',
  'str',
  'hrsg',
  'bd',
  'mio',
  'mrd',
  'al',
  'chap',
  'env',
  'ex',
  'mme',
  'mlle',
  'par',
  'réf',
  'tél',
  'soc',
  'jan',
  'feb',
  'febr',
  'mar',
  'apr',
  'jun',
  'jul',
  'aug',
  'sep',
  'sept',
  'oct',
  'okt',
  'nov',
  'dec',
  'dez',
  'janv',
  'févr',
  'avr',
  'juil',
  'déc',
])
const wordBefore = /([\p{L}\p{M}]+|\p{N}+)$/u

/** `(a)`, `1.`, `2.1`, `§ 3`, `–` at the beginning of a line. */
const listMark =
  /^(?:\(\p{L}{1,4}\)|\(\d{1,3}\)|\p{L}\)|\d{1,3}[.)](?: |$)|\d{1,3}(?:\.\d{1,3})+\.?(?: |$)|§+ ?\d|[-–—•*·▪◦](?: |$))/u
const numberedHeading =
  /^(?:Article|Art\.|Section|Clause|Schedule|Annex|Appendix|Part|Chapter|Artikel|Abschnitt|Ziffer|Anlage|Anhang|Kapitel|Teil|Chapitre|Annexe|Titre|Partie) (?:\d|[IVXLC]+\b|[A-Z]\b)/u
const headingLength = 80

/** A possible end of a sentence inside a line: its mark with the quotes and brackets that close behind it, before a space. */
const stops = /[.!?]+["'”’»“)\]]*(?= )/gu
const opening = /^ (?:[\p{Lu}\p{Lt}\p{N}([{"'“”„‘‚«»§])/u

export function splitSentences(plain: string): string[] {
  return blocksOf(plain.split('\n')).flatMap(sentencesIn)
}

/** Lines that are one text, joined by a space. */
function blocksOf(lines: readonly string[]): string[] {
  const blocks: string[] = []
  let isOpen = false
  for (const line of lines) {
    if (line === '') isOpen = false
    else {
      if (isOpen && !beginsAnew(line)) blocks.push(`${blocks.pop()!} ${line}`)
      else blocks.push(line)
      isOpen = !/[.:;!?]["'”’»“)\]]*$/u.test(line) && !isHeading(line)
    }
  }
  return blocks
}

function beginsAnew(line: string): boolean {
  return listMark.test(line) || isHeading(line)
}

/** `Article 5 Price adjustment`, `PRICE ADJUSTMENT`. */
function isHeading(line: string): boolean {
  if (line.length > headingLength) return false
  if (numberedHeading.test(line)) return !/[,.;]$/u.test(line)
  return /\p{Lu}{2}/u.test(line) && !/\p{Ll}/u.test(line) && !/[\p{N}=×]/u.test(line)
}

function sentencesIn(block: string): string[] {
  const sentences: string[] = []
  let from = 0
  for (const stop of block.matchAll(stops)) {
    const end = stop.index + stop[0].length
    if (!opening.test(block.slice(end, end + 3)) || isShortened(block.slice(from, stop.index), stop[0])) continue
    sentences.push(block.slice(from, end))
    from = end + 1
  }
  return [...sentences, block.slice(from)]
}

/** A single letter, a number of up to two digits, or a known abbreviation, before a point. */
function isShortened(before: string, stop: string): boolean {
  if (stop !== '.') return false
  const word = wordBefore.exec(before)?.[0] ?? ''
  return /^(?:\p{L}\p{M}*|\p{N}{1,2})$/u.test(word) || abbreviations.has(word.toLowerCase())
}
