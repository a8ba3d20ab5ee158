// Other people's text where it is read: on a terminal, in a verdict, a mail, a page, a log. Invisible signs would let it break
// a line, turn the direction of the text behind it or command a terminal; they are written as escapes. docs/RECEIPT.md states
// the rule, and the second verifier has its own copy. Stored and hashed text stays as it is.

/**
 * Control characters, line breaks, marks of direction, and signs that take no place: by code points, so that every version of
 * every program has the same list. Half of a character (a lone surrogate) cannot be written.
 */
const ranges = [
  '0-1f',
  '7f-9f',
  'ad',
  '34f',
  '61c',
  '115f-1160',
  '17b4-17b5',
  '180b-180f',
  '200b-200f',
  '2028-202e',
  '2060-206f',
  '3164',
  'd800-dfff',
  'fe00-fe0f',
  'feff',
  'ffa0',
  'fff0-fffb',
  '1bca0-1bca3',
  '1d173-1d17a',
  'e0000-e0fff',
]
const unseen = new RegExp(`[${ranges.map(range => range.replaceAll(/[0-9a-f]+/g, '\\u{$&}')).join('')}]`, 'gu')

/** One line in which every sign is visible: a line feed is `\u{a}`, a mark that turns the direction `\u{202e}`. */
export function visibleText(text: string): string {
  return text.replaceAll(unseen, sign => `\\u{${sign.codePointAt(0)!.toString(16)}}`)
}

/** Lines of a text whose line feeds and tabs are its own: a document, a table, a letter. */
export function visibleLines(text: string): string {
  return text.replaceAll(unseen, sign => (sign === '\n' || sign === '\t' ? sign : visibleText(sign)))
}

/** JSON in escapes of its own: line feeds stand between values only. */
export function visibleJson(json: string): string {
  return json.replaceAll(unseen, sign => (sign === '\n' ? sign : jsonEscape(sign)))
}

function jsonEscape(sign: string): string {
  return Array.from({ length: sign.length }, (_, i) => `\\u${sign.charCodeAt(i).toString(16).padStart(4, '0')}`).join(
    '',
  )
}
