// A key that was sent in the wrong place must not come back: not in an error, not in a log.

/** The text with anything that looks like one of our keys blanked. */
export function blankKeys(text: string): string {
  return text.includes('asz_') ? text.replace(/asz_[0-9A-Za-z_]*/g, 'asz_…') : text
}
