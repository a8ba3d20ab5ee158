// The one character that the database cannot keep in a text, U+0000: no text that somebody sends may contain it.

export const nul = '\u0000'

/** What a refusal says behind the name of the text. */
export const nulRule = 'must not contain the character U+0000'
