// Places of a document in the words of the form, and notes about them: the keys of YAML are for the view of YAML.
import type { ProblemView } from '../../../../../src/views/shapes/session.ts'
import { keyNames, specAt } from '../editor/vocabulary.ts'

/** `inputs.steel.lag` → `steel: Lag`; `clause.cap.yearPct` → the label of that field. */
export function placeWords(path: string): string {
  const parts = partsOf(path)
  const [top, name] = parts
  const own = top === 'inputs' || top === 'params' || top === 'tables' ? name : undefined
  const label = labelAt(parts)
  if (own === undefined) return label ?? path
  return label === null || parts.length === 2 ? own : `${own}: ${label}`
}

const partsOf = (path: string) => path.replace(/\[(\d+)\]/g, '.$1').split('.')

/** Label of the place, or of the nearest one around it that has one. */
function labelAt(parts: readonly string[]): string | null {
  for (let length = parts.length; length > 0; length--) {
    const label = specAt(parts.slice(0, length))?.label
    if (label !== undefined) return label
  }
  return null
}

/** Notes with the labels of fields where the engine names keys, and without the values that the form has words for. */
export function inWords<T extends Pick<ProblemView, 'path' | 'message'>>(notes: readonly T[]): readonly T[] {
  return notes.map(note => ({ ...note, message: worded(note) }))
}

function worded({ path, message }: Pick<ProblemView, 'path' | 'message'>): string {
  const parts = partsOf(path)
  const [key, label] = [parts.at(-1) ?? '', labelAt(parts)]
  const isKey = label !== null && message.startsWith(`${key} `)
  const plain = isKey ? `${label}${message.slice(key.length)}` : message
  return plain
    .replace(/ \([A-Z_]{3,}\)/g, '')
    .replace(/(?<![\w.])[a-z]+(?:\.\w+)+(?:: (?:true|false))?/g, named)
    .replace(/(?<![\w.])[a-z]+[A-Z]\w*(?![\w.])/g, word => quoted(keyNames.get(word)) ?? word)
}

const quoted = (label: string | undefined) => (label === undefined ? null : `“${label}”`)

/** `contract.restart: true` → the label of that field. */
function named(written: string): string {
  const parts = written.replace(/: .*/, '').split('.')
  return quoted(specAt(parts)?.label) ?? written
}
