// A contract's text made plain, before it is split into sentences: one spelling of letters, of blanks and of line ends, and no
// sign that takes no place. Two texts that look alike then have one hash, and no hidden sign is signed.

/**
 * Control characters, soft hyphens, zero-width and bidirectional marks, variation selectors, tag characters, and halves of characters:
 * nobody sees them.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu
/** Every way to end a line, that of a page included. */
const lineEnds = /\r\n|[\r\v\f\u0085\u2028\u2029]/gu
const blanks = /[\t\p{Zs}]+/gu

export interface PlainText {
  readonly text: string
  /** The number of hidden signs that were taken out. */
  readonly taken: number
}

export function makePlain(given: string): PlainText {
  let taken = 0
  const visible = given
    .replaceAll(lineEnds, '\n')
    .replaceAll(blanks, ' ')
    .replaceAll(hidden, sign => {
      if (sign === '\n') return sign
      taken++
      return ''
    })
    .normalize('NFC')
  const text = visible
    .replaceAll(/ {2,}/gu, ' ')
    .replaceAll(/ ?\n ?/gu, '\n')
    .replaceAll(/\n{3,}/gu, '\n\n')
    .replaceAll(/^[ \n]+|[ \n]+$/gu, '')
  return { text, taken }
}
