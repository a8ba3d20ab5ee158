// The kind of an uploaded file, by its name and by its first bytes: the two must agree. It reads only those first bytes;
// the reader of that kind checks the rest.
import { extname } from 'node:path'
import { Refusal } from '../core/refusal.ts'

const fileKinds = ['csv', 'xlsx', 'json'] as const
export type FileKind = (typeof fileKinds)[number]

/** First bytes of files that people mistake for tables. */
const marks: readonly (readonly [string, string])[] = [
  ['\u{d0}\u{cf}\u{11}\u{e0}', 'an old .xls workbook, or one with a password: save it as .xlsx without one'],
  ['%PDF', 'a PDF document: save the table itself as .csv or .xlsx'],
  ['\u{89}PNG', 'a picture: save the table itself as .csv or .xlsx'],
  ['\u{ff}\u{d8}\u{ff}', 'a picture: save the table itself as .csv or .xlsx'],
  ['GIF8', 'a picture: save the table itself as .csv or .xlsx'],
  ['\u{1f}\u{8b}', 'packed with gzip: send it unpacked'],
  ['Rar!', 'a packed archive: send the table itself'],
  ['7z\u{bc}\u{af}', 'a packed archive: send the table itself'],
  ['\u{ff}\u{fe}', 'text in UTF-16: save it as UTF-8'],
  ['\u{fe}\u{ff}', 'text in UTF-16: save it as UTF-8'],
]

/** The kind of a file; refuses other kinds than these, and a file that is not what its name says. */
export function kindOfFile<K extends FileKind | 'xml' = FileKind>(
  name: string,
  head: Buffer,
  kinds: readonly K[] = fileKinds as readonly FileKind[] as readonly K[],
): K {
  const written = extname(name).slice(1).toLowerCase()
  const kind = kinds.find(each => each === written)
  const begins = head.toString('latin1')
  const mark = marks.find(([start]) => begins.startsWith(start))
  if (mark !== undefined) throw new Refusal('invalid', `"${name}" is ${mark[1]}`)
  if (kind === undefined)
    throw new Refusal('invalid', `the file must be ${formatKinds(kinds)}, got "${name}"; save it as one of them`)
  const isZip = begins.startsWith('PK\u{3}\u{4}')
  if (kind === 'xlsx' && !isZip) throw new Refusal('invalid', `"${name}" is not an .xlsx workbook, despite its name`)
  if (kind !== 'xlsx' && isZip)
    throw new Refusal('invalid', `"${name}" is a workbook or an archive: give a workbook the ending .xlsx`)
  if (kind !== 'xlsx' && begins.includes('\u{0}'))
    throw new Refusal('invalid', `"${name}" contains no text, so it is not a .${kind} file`)
  const first = /[^\s\u{ef}\u{bb}\u{bf}]/u.exec(begins)?.[0]
  if (kind === 'csv' && first === '<')
    throw new Refusal('invalid', `"${name}" is a web page or XML: save the table itself as .csv`)
  if (kind === 'json' && first !== undefined && first !== '[' && first !== '{')
    throw new Refusal('invalid', `"${name}" is no JSON: it must begin with [ or {`)
  return kind
}

/** `.csv, .xlsx or .json` */
function formatKinds(kinds: readonly string[]): string {
  const endings = kinds.map(kind => `.${kind}`)
  return `${endings.slice(0, -1).join(', ')} or ${endings.at(-1)}`
}
