// Text in cells of CSV files and workbooks. A spreadsheet executes text that begins like a formula, so such text is written
// with a leading `'`, which is removed when our own cells are read. Numbers are never changed.

/** Beginnings of a formula in a spreadsheet, including the full-width characters of East Asian keyboards. */
const marks = '=+\\-@\\t\\r\\n\\uff1d\\uff0b\\uff0d\\uff20'

// Text that already begins with an apostrophe gets one more, so that reading returns exactly the written text.
const running = new RegExp(`^'*[${marks}]`)
const neutralised = new RegExp(`^'+[${marks}]`)

export function neutralise(text: string): string {
  return running.test(text) ? `'${text}` : text
}

/** The text before `neutralise`. */
export function restore(text: string): string {
  return text.charCodeAt(0) === 39 && neutralised.test(text) ? text.slice(1) : text
}

/**
 * Neutralises text for CSV: in locales that separate lists by semicolons, a spreadsheet begins a new cell after one, even
 * inside quotes.
 */
export function neutraliseCsv(text: string): string {
  return text.includes(';') ? text.split(';').map(neutralise).join(';') : neutralise(text)
}

export function restoreCsv(text: string): string {
  if (!text.includes("'")) return text
  return text.includes(';') ? text.split(';').map(restore).join(';') : restore(text)
}

/** The name of a field as a column: `unitPrice` is `unit_price`. */
export function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}
