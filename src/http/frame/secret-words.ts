// Blanks keys sent in the wrong place: a key must not come back in an error or a log. Without regular expressions, because those
// remember the last text they matched.

const beginning = 'asz_'

export function looksLikeKey(text: string): boolean {
  return text.includes(beginning)
}

/** The text with anything that looks like an API key blanked. */
export function blankKeys(text: string): string {
  let at = text.indexOf(beginning)
  if (at < 0) return text
  let blanked = ''
  let from = 0
  while (at >= 0) {
    let end = at + beginning.length
    while (end < text.length && isWordCharacter(text.charCodeAt(end))) end++
    blanked += `${text.slice(from, at)}${beginning}…`
    from = end
    at = text.indexOf(beginning, end)
  }
  return blanked + text.slice(from)
}

/** Whether a character is a letter, a digit or `_`. */
export function isWordCharacter(code: number): boolean {
  const isDigit = code >= 48 && code <= 57
  const isUpper = code >= 65 && code <= 90
  const isLower = code >= 97 && code <= 122
  return isDigit || isUpper || isLower || code === 95
}

/** Regular expressions keep the last text they matched; this replaces it. */
export function forgetLastText(): void {
  ;/^nothing$/.exec('nothing')
}
