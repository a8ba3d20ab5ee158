// Places of the builder in which places of the document are edited.
import type { ProblemView } from '../../../../src/views/shapes/session.ts'
import { lineOf } from './form/control-fields.ts'

export type View = 'clause' | 'steps' | 'yaml'

export function slugTaken(slug: string): ProblemView {
  return { path: 'slug', message: `an agreement with the slug ${slug} already exists; choose another slug`, line: null }
}

interface Spot {
  readonly view: View
  /** The line of the form that has to be open. */
  readonly line: string | null
}

export function spotOf(path: string): Spot | null {
  const [top = '', second = ''] = path.split(/[.[]/)
  if (['slug', 'name', 'description', 'status'].includes(top)) return { view: 'clause', line: 'name' }
  if (top === 'contract' && (second === 'price' || second === 'restart'))
    return { view: 'clause', line: 'contract.price' }
  if (top === 'contract' && ['references', 'priceDate', 'prorate'].includes(second))
    return { view: 'clause', line: 'contract.references' }
  if (top === 'contract' && second === 'change') return { view: 'clause', line: 'parties' }
  if (top === 'contract' || top === 'effectiveFrom') return { view: 'clause', line: 'contract' }
  if (['parties', 'params', 'corrections'].includes(top)) return { view: 'clause', line: top }
  if (top === 'inputs') return { view: 'clause', line: second === '' ? null : `inputs.${second}` }
  if (top === 'clause') return { view: 'clause', line: clauseLine(second) }
  return top === 'steps' || top === 'result' ? { view: 'steps', line: null } : null
}

function clauseLine(key: string): string | null {
  return key === '' ? null : `clause.${lineOf(key)}`
}

/** The place and those that enclose it, innermost first: `a.b[0].c`, `a.b[0]`, `a.b`, `a`. */
export function placesAround(path: string): string[] {
  const around: string[] = []
  for (let at = path; at !== ''; at = at.replace(/(?:\.[^.[\]]+|\[\d+\]|^[^.[\]]+)$/, '')) around.push(at)
  return around
}
