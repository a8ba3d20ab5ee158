// The controls of a clause, in the order in which they act. A new one is a file of its own and a line here; whatever goes
// over controls goes over this list.
import type { KeySpec } from '../keys.ts'
import { adder } from './adder.ts'
import { carryForward } from './carry-forward.ts'
import type { Control } from './control.ts'
import { cumulative } from './cumulative.ts'
import { limitKeys } from './limits.ts'
import { period } from './period.ts'
import { rounding } from './rounding.ts'
import { sharing } from './sharing.ts'
import { threshold } from './threshold.ts'
import { year } from './year.ts'

export const controls: readonly Control[] = [
  adder,
  threshold,
  sharing,
  cumulative,
  year,
  period,
  carryForward,
  rounding,
]

/** All keys of a list of controls, with those of the mappings they share before what stands in these. */
export function keysOfControls(list: readonly Control[] = controls): readonly KeySpec[] {
  const keys = list.flatMap(control => control.keys)
  const isInside = ({ path }: KeySpec) => limitKeys.some(limit => path.startsWith(`${limit.path}.`))
  const at = keys.findIndex(isInside)
  return at < 0 ? [...keys, ...limitKeys] : keys.toSpliced(at, 0, ...limitKeys)
}

/** The names under which controls stand in a breakdown, in their order, with their words. */
export const controlWords: Readonly<Record<string, string>> = Object.assign({}, ...controls.map(({ points }) => points))
