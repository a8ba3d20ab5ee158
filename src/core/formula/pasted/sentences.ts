// The sentences of a pasted text, with nothing lost: their texts in order are the text again. Marks of lists and paragraphs
// ("§ 3", "(2)", "4.1") stand apart, because they say nothing about a price.

export interface TextPiece {
  readonly text: string
  /** A mark of a list or paragraph, or the space between sentences: nothing to read. */
  readonly isMark: boolean
}

/** Words before a point that end no sentence; after a number the point is that of a German date or list. */
const opensAnew = /^\s+(?:The|This|These|If|In|Any|No|Only|Die|Der|Das|Ein|Eine|Wird|Beträgt|Bei)(?!\p{L})/u
const shortWords =
  /(?:\b(?:v|h|p|a|e|g|i|z|b|d|u|no|nos|nr|abs|art|ziff|bzw|ca|incl|inkl|exkl|vgl|max|min|approx|mr|mrs|dr|st|co|ltd|inc|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|okt|nov|dec|dez)|(?<![\d.,])\d{1,2})$/iu

/** The letters of "1. Januar" and "12.40 Euro" belong to a date and a price. */
const notAMark = String.raw`(?!\s+(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|Quartal|Monat|Euro|Dollar|Prozent))`
const mark = new RegExp(
  String.raw`^(?:(?:§+\s*\d+[a-z]?(?:\s*(?:Abs|Absatz|Satz)\.?\s*\d+)*|(?:Clause|Article|Section|Artikel|Ziffer|Ziff\.|Art\.)\s+\d+(?:\.\d+)*|\(\d{1,2}\)|\([a-z]{1,3}\)|\d{1,2}\)|[a-z]\)|\d{1,2}(?:\.\d{1,2}){1,3}\.?(?=\s+\p{Lu}\p{Ll})${notAMark}|\d{1,2}\.(?=\s+\p{Lu})${notAMark}|[-–—•*·])[:.]?\s+)+`,
  'u',
)

/** The lines as they were meant: a line that a sentence runs over is joined to the next one. */
function* blocks(text: string): Generator<string> {
  let block = ''
  for (const line of text.match(/[^\n]*\n|[^\n]+$/gu) ?? []) {
    if (block !== '' && beginsAnew(block, line)) {
      yield block
      block = ''
    }
    block += line
  }
  if (block !== '') yield block
}

function beginsAnew(before: string, line: string): boolean {
  if (/[.:;!?]\s*$/u.test(before) || /\n\s*$/u.test(before.slice(0, -1)) || line.trim() === '') return true
  return mark.test(line.trimStart()) || isEquation(line) || isEquation(before.split('\n').at(-2) ?? '')
}

/** `P = P0 × (…)`, `S = steel index` on a line of its own. */
const isEquation = (line: string) => /^\s*[\p{L}]{1,12}[\p{L}\d_₀-₉ₙ⁰]{0,4}\s*[=:]\s/u.test(line) && /=/u.test(line)

function* inBlock(block: string): Generator<string> {
  let from = 0
  for (const stop of block.matchAll(/[.;!?]+(?=[\s”"’)]|$)[”"’)]?/gu)) {
    const end = stop.index + stop[0].length
    const after = block.slice(end)
    if (/^\s*$/u.test(after)) break
    if (stop[0].startsWith('.')) {
      if (shortWords.test(block.slice(from, stop.index)) && !opensAnew.test(after)) continue
      if (!/^\s+(?:[\p{Lu}\d§(“"„+±€$£-])/u.test(after)) continue
    }
    const space = /^\s*/u.exec(after)![0].length
    yield block.slice(from, end + space)
    from = end + space
  }
  if (from < block.length) yield block.slice(from)
}

const finiteVerb =
  /(?<!\p{L})(?:is|are|be|shall|will|may|must|has|have|applies|apply|follows?|consists?|governs?|made|ist|sind|wird|werden|darf|dürfen|muss|müssen|kann|können|hat|haben|gilt|gelten|erfolgt|erfolgen|beträgt|betragen|folgt|folgen|beginnt|endet|bedeutet|bedeuten|if|when|unless|wenn|falls|sofern|from|vom|zum|on|am|where|wobei)(?!\p{L})/iu

/** Notes without a verb, "0.15 + 0.85 steel, cap 5 % a year", are read from comma to comma. */
function* inNotes(sentence: string): Generator<string> {
  if (finiteVerb.test(sentence)) {
    yield sentence
    return
  }
  let from = 0
  for (const comma of sentence.matchAll(/[,;]\s+/gu)) {
    if (isInBrackets(sentence.slice(0, comma.index))) continue
    const end = comma.index + comma[0].length
    yield sentence.slice(from, end)
    from = end
  }
  if (from < sentence.length) yield sentence.slice(from)
}

function isInBrackets(before: string): boolean {
  return before.split(/[([]/u).length > before.split(/[)\]]/u).length
}

/** Sentences, marks and spaces, in order. */
export function splitSentences(text: string): TextPiece[] {
  const pieces: TextPiece[] = []
  const put = (piece: string, isMark: boolean) => {
    if (piece !== '') pieces.push({ text: piece, isMark })
  }
  for (const block of blocks(text))
    for (const sentence of inBlock(block))
      for (const part of inNotes(sentence)) {
        const [, before = '', rest = ''] = /^(\s*)([\s\S]*)$/u.exec(part)!
        const own = mark.exec(rest)?.[0] ?? ''
        const [, said = '', after = ''] = /^([\s\S]*?)(\s*)$/u.exec(rest.slice(own.length))!
        put(before + own, true)
        put(said, false)
        put(after, true)
      }
  return pieces
}
