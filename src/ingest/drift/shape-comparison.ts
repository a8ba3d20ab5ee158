// Two shapes side by side, line by line, for an operator who may accept the new one. Equal lines are shown only where they say
// what the shapes belong to.
import type { Drift, DriftLine } from '../../storage/series/drift.ts'
import { driftLimits } from './drift-limits.ts'
import type { AnswerForm } from './form.ts'
import type { SeriesShape } from './series-signs.ts'

/** Change in one sentence: the common part of everything that changed, and how much it is. */
export function driftReason({ parts }: Pick<Drift, 'parts'>): string {
  const words = [...new Set(parts.flatMap(({ signs }) => signs.map(each => each.words)))]
  const more = words.length > 2 ? `; and ${words.length - 2} more` : ''
  const places = parts.length > 1 ? ` (in ${parts.length} places)` : ''
  return `answers changed: ${words.slice(0, 2).join('; ')}${more}${places}`
}

export function formLines(before: AnswerForm, after: AnswerForm): readonly DriftLine[] {
  const columns = [...new Set([...(before.columns ?? []), ...(after.columns ?? [])])]
  const paths = [...new Set([...Object.keys(before.fields), ...Object.keys(after.fields)])].sort()
  const lines: readonly DriftLine[] = [
    { what: 'Content type', before: before.contentType, after: after.contentType },
    { what: 'Format', before: before.format, after: after.format },
    ...(before.columns === null && after.columns === null
      ? []
      : [{ what: 'Columns', before: countWords(before.columns), after: countWords(after.columns) }]),
    ...changed(columns.map(column => [`Column ${column}`, placeWords(before, column), placeWords(after, column)])),
    ...changed(
      paths.map(path => [`Field ${path.replace(/^\$\.?/, '')}`, kindWords(before, path), kindWords(after, path)]),
    ),
    ...changed([
      ['The same row twice', before.repeated.join(', ') || null, after.repeated.join(', ') || null],
      ['Garbled letters', before.isGarbled ? 'yes' : 'no', after.isGarbled ? 'yes' : 'no'],
    ]),
  ]
  return lines.slice(0, driftLimits.lines)
}

export function shapeLines(before: SeriesShape | null, after: SeriesShape): readonly DriftLine[] {
  const paths = [...new Set([...Object.keys(before?.labels ?? {}), ...Object.keys(after.labels)])].sort()
  const lines: readonly DriftLine[] = [
    { what: 'Title', before: before?.title ?? null, after: after.title },
    { what: 'Unit', before: before?.unit ?? null, after: after.unit },
    { what: 'Frequency', before: before?.frequency ?? null, after: after.frequency },
    { what: 'Decimals', before: before === null ? null : `${before.decimals}`, after: `${after.decimals}` },
    ...changed(
      paths.map(path => [path.replace(/^\$\.?/, ''), before?.labels[path] ?? null, after.labels[path] ?? null]),
    ),
  ]
  return lines.slice(0, driftLimits.lines)
}

function changed(lines: readonly (readonly [string, string | null, string | null])[]): readonly DriftLine[] {
  return lines.flatMap(([what, before, after]) => (before === after ? [] : [{ what, before, after }]))
}

function countWords(columns: readonly string[] | null): string | null {
  return columns === null ? null : `${columns.length}`
}

function placeWords({ columns }: AnswerForm, column: string): string | null {
  const at = columns?.indexOf(column) ?? -1
  // A column that only moved says the same under its name.
  return at < 0 ? null : 'there'
}

function kindWords({ fields }: AnswerForm, path: string): string | null {
  const kinds = fields[path]
  if (kinds === undefined) return null
  return kinds.endsWith('?')
    ? `${kinds.slice(0, -1).replaceAll('|', ' or ')}, not always`
    : kinds.replaceAll('|', ' or ')
}
