// Checks the terms agreed in advance for the day on which a series ends. The successor need not be known before the document is
// applied: nothing reads it before that day.
import { formulaBounds, type Input, type Successor } from '../formula.ts'
import { isRawMap, joinPath } from '../raw.ts'
import { Fields } from './fields.ts'
import { inputKeys, successorMethodKey } from './input-keys.ts'

/** `series`: the series that it follows. */
export function checkSuccessor(input: Fields, series: string | null): Successor | null {
  const raw = input.raw('successor')
  if (raw === undefined || raw === null) return null
  const what = 'a successor is written as { series: PROVIDER/code, method: OVERLAP }'
  const path = joinPath(input.path, 'successor')
  const fields = Fields.at(raw, path, input.problems, what, 'inputs.*.successor', inputKeys)
  if (!isRawMap(raw)) return null
  const next = fields.series('series')
  const method = fields.requiredChosen('method', successorMethodKey)
  const window = fields.whole('window', formulaBounds.successorWindow.least, formulaBounds.successorWindow.most)
  const automatic = fields.truth('automatic')
  fields.finish()
  if (next !== null && next === series) fields.refuse('series', `${next} cannot follow itself: name another series`)
  if (fields.has('window') && method !== null && method !== 'OVERLAP')
    fields.refuse('window', `window goes with OVERLAP only, and the method is ${method}`)
  if (automatic && method === 'RELEVEL')
    fields.refuse('automatic', 'automatic does not go with RELEVEL: somebody has to choose the new base')
  return next === null || method === null ? null : { series: next, method, window, automatic }
}

/** Every successor that is named, with the place where it is written. */
export function successorsOf(inputs: readonly Input[]): { path: string; series: string }[] {
  return inputs.flatMap(({ name, successor }) =>
    successor === null ? [] : [{ path: `${joinPath('inputs', name)}.successor.series`, series: successor.series }],
  )
}
