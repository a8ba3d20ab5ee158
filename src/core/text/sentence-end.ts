// The end of a sentence.

/** A sentence with its full stop, unless it ends with one already: `Ohio Forge Inc.` */
export function stopped(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}
