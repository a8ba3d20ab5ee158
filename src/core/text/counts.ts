// Counts in sentences: `1 period`, `2,412 more periods`.

/** `word` in the singular; its plural has an `s`. `between` goes before it, with its space. */
export function counted(count: number, word: string, between = ''): string {
  return `${String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',')} ${between}${word}${count === 1 ? '' : 's'}`
}

/** A count with the words that it decides: `1 checkpoint is`, `2 checkpoints are`. The number has no separators. */
export function countedAs(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}
