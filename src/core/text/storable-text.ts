// Texts that the database keeps as they are: it refuses U+0000, and half of a character (a lone surrogate) becomes another one
// there, so that no seal and no hash over it would hold afterwards. No text from outside may contain either.

export const nul = '\u0000'

export function isStorable(text: string): boolean {
  return !text.includes(nul) && text.isWellFormed()
}

/** The words of a refusal behind the name of the text. */
export const storableRule = 'must not contain the character U+0000, nor half of a character (a lone surrogate)'
