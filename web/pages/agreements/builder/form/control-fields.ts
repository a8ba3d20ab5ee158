// The fields of the clause, generated from the tables of its controls: one for each plain key, and the line of the form it
// appears in. A control added in one file gets its fields here without any change to the form.

import type { KeySpec } from '../../../../../src/core/formula/check/keys.ts'
import type { Control } from '../../../../../src/core/formula/controls/control.ts'
import type { Raw } from '../../../../../src/core/formula/raw.ts'
import { formatFigure, sentenceCase } from '../../../../components/words/words.ts'
import { textAt } from '../document/document.ts'
import { formatShare } from '../document/weights.ts'

/** Kind of field for a key: a share of 1 as a percentage, a number, a choice, a check box, a rounding. */
type FieldKind = 'share' | 'number' | 'choice' | 'truth' | 'rounding'

export interface SpecField {
  readonly kind: FieldKind
  readonly path: readonly string[]
  readonly spec: KeySpec
}

const kinds: Readonly<Partial<Record<KeySpec['value']['kind'], FieldKind>>> = {
  choice: 'choice',
  truth: 'truth',
  rounding: 'rounding',
  number: 'number',
  whole: 'number',
}

/** The field of a key; null if the key takes more than a plain value. */
export function fieldOf(spec: KeySpec): SpecField | null {
  const path = spec.path.split('.')
  const kind = spec.value.kind === 'number' && spec.value.unit === 'fraction' ? 'share' : kinds[spec.value.kind]
  return kind === undefined || path.includes('*') ? null : { kind, path, spec }
}

export function fieldsOf({ keys }: Pick<Control, 'keys'>): readonly SpecField[] {
  return keys.map(fieldOf).filter(field => field !== null)
}

/** `%`, `pp`: shown after a number. */
export function suffixOf({ value }: KeySpec): string | undefined {
  if (value.kind !== 'number') return undefined
  return { percent: '%', points: 'pp', fraction: undefined, money: undefined, plain: undefined }[value.unit]
}

/** Hint about a key under its field; none for a choice without a default, whose help asks for it. */
export function hintOf({ help, value, otherwise }: KeySpec): string | undefined {
  return value.kind === 'choice' && otherwise === undefined ? undefined : sentenceCase(help)
}

/** Keys of the clause that appear in the line of another key. */
const sharedLines: Readonly<Record<string, string>> = {
  tolerance: 'fixed',
  combine: 'basis',
  adder: 'basis',
  floor: 'cap',
}

/** The line of the form in which a key of the clause appears. */
export function lineOf(key: string): string {
  return sharedLines[key] ?? key
}

export interface FormLine {
  readonly line: string
  readonly fields: readonly SpecField[]
}

/** The lines of the form for a list of controls, in order, each with its fields. */
export function linesOf(controls: readonly Pick<Control, 'keys'>[]): readonly FormLine[] {
  const lines = new Map<string, SpecField[]>()
  for (const field of controls.flatMap(fieldsOf)) {
    const line = lineOf(field.path[1]!)
    lines.set(line, [...(lines.get(line) ?? []), field])
  }
  return [...lines].map(([line, fields]) => ({ line, fields }))
}

/** Sentence for a line without one of its own: the names of its keys and their values. */
export function formatFieldsInWords(root: Raw, fields: readonly SpecField[]): string {
  const words = fields.map(({ path, spec }) => {
    const written = textAt(root, path)
    return `${spec.label}: ${written === '' ? 'nothing written' : wordsFor(spec, written)}`
  })
  return `${words.join('; ')}.`
}

function wordsFor({ value }: KeySpec, written: string): string {
  if (value.kind === 'choice') return value.choices.find(choice => choice.value === written)?.words ?? written
  if (value.kind === 'number' && value.unit === 'fraction') return formatShare(written)
  if (value.kind === 'number' && value.unit === 'percent') return `${formatFigure(written)}\u202f%`
  return written
}
