// The form of one answer, apart from its content: its content type, its format, its columns or fields with their kinds, and
// faults of the text itself. Pure; it never throws, whatever was sent.
import type { Answer, Provider } from '../../providers/provider.ts'
import { driftLimits } from './drift-limits.ts'
import { type FieldTally, fieldsOf, Tally } from './field-tally.ts'
import { tallyJson } from './json-form.ts'
import { tallyCalendar, tallyTable, tallyXml } from './text-forms.ts'

type AnswerFormat = 'JSON' | 'table' | 'XML' | 'calendar file' | 'web page' | 'text' | 'nothing'

export interface AnswerForm {
  /** Content type without its parameters; `null` if the answer does not name one. */
  readonly contentType: string | null
  readonly format: AnswerFormat
  /** The header of a table, in order. */
  readonly columns: readonly string[] | null
  /** Kinds by path: `number|null`; with a `?` behind it where it is not always there. */
  readonly fields: Readonly<Record<string, string>>
  /** Lists with a row that stands there twice. */
  readonly repeated: readonly string[]
  /** Letters that were read in a wrong encoding. */
  readonly isGarbled: boolean
}

export interface ObservedForm {
  readonly form: AnswerForm
  /** Labels of the figures, where the answer has only one: units, bases, adjustments, titles. */
  readonly labels: Readonly<Record<string, string>>
}

/** Fields that the provider calls loose are never always there. */
export function formOf(
  { body, contentType }: Pick<Answer, 'body' | 'contentType'>,
  { looseFields }: Pick<Provider, 'looseFields'>,
): ObservedForm {
  const text = body.charCodeAt(0) === 0xfeff ? body.slice(1) : body
  const format = formatOf(text)
  const tally = text.length > driftLimits.formBytes ? new Tally() : tallyOf(format, text)
  const form: AnswerForm = {
    contentType: mediaTypeOf(contentType),
    format,
    columns: tally.columns?.map(storable) ?? null,
    fields: mapTexts(Object.entries(fieldsOf(tally, looseFields ?? null))),
    repeated: [...tally.repeated].map(storable).sort(),
    isGarbled: isGarbled(text),
  }
  return { form, labels: mapTexts([...tally.labels].filter((pair): pair is Label => pair[1] !== null)) }
}

type Label = [string, string]

function mapTexts(pairs: readonly Label[]): Readonly<Record<string, string>> {
  return Object.fromEntries(pairs.map(([name, text]) => [storable(name), storable(text)]))
}

/** A text that the database can keep: names and labels may be anything that was sent. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\ufffd')
}

function tallyOf(format: AnswerFormat, text: string): FieldTally {
  const tally = new Tally()
  try {
    if (format === 'JSON') tallyJson(JSON.parse(text), tally)
    else if (format === 'table') tallyTable(text, tally)
    else if (format === 'XML') tallyXml(text, tally)
    else if (format === 'calendar file') tallyCalendar(text, tally)
    return tally
  } catch {
    // The reader reports the fault.
    return new Tally()
  }
}

function formatOf(text: string): AnswerFormat {
  const start = text.slice(0, 4000).trimStart()
  if (start === '') return 'nothing'
  if (/^[[{]/.test(start)) return 'JSON'
  if (start.startsWith('<')) return /<(?:!doctype html|html|head|body)\b/i.test(start) ? 'web page' : 'XML'
  if (start.startsWith('BEGIN:VCALENDAR')) return 'calendar file'
  const [first = ''] = start.split('\n', 1)
  return first.includes(',') || first.includes(';') ? 'table' : 'text'
}

function mediaTypeOf(contentType: string | null): string | null {
  const type = storable(contentType ?? '')
    .replace(/;.*/s, '')
    .trim()
    .toLowerCase()
  return type === '' ? null : type
}

/** Whether there is a sign for a missing letter, or two letters that stand for one of UTF-8. */
function isGarbled(text: string): boolean {
  return /\uFFFD|Ã[\u0080-\u00BF©¨¤¶¼]|â€/.test(text.slice(0, driftLimits.formBytes))
}
