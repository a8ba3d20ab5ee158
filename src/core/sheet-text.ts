// Text in cells of CSV files and workbooks. A spreadsheet runs what begins like a formula, so such text is written with a
// `'` before it, and reading a cell of ours takes it off again. Numbers are never touched.

/** What a spreadsheet takes for a formula, in the wide letters of East Asian keyboards too. */
const marks = '=+\\-@\\t\\r\\n\\uff1d\\uff0b\\uff0d\\uff20'

// Text that already has marks behind apostrophes gets one more, so that reading gives back exactly what was written.
const running = new RegExp(`^'*[${marks}]`)
const neutralised = new RegExp(`^'+[${marks}]`)

export function neutralise(text: string): string {
  return running.test(text) ? `'${text}` : text
}

/** What was written before `neutralise`. */
export function restore(text: string): string {
  return text.charCodeAt(0) === 39 && neutralised.test(text) ? text.slice(1) : text
}

/** For CSV: where lists are separated by semicolons, a spreadsheet begins a new cell behind one, whatever the quotes. */
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
