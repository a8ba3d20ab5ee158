// The controls of a clause, in the order in which they act. A new control is one file and one line here; everything
// that iterates over controls uses this list.
import type { KeySpec } from '../check/keys.ts'
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

/** All keys of a list of controls; each shared mapping comes before the keys inside it. */
export function keysOfControls(list: readonly Control[] = controls): readonly KeySpec[] {
  const keys = list.flatMap(control => control.keys)
  const isInside = ({ path }: KeySpec) => limitKeys.some(limit => path.startsWith(`${limit.path}.`))
  const at = keys.findIndex(isInside)
  return at < 0 ? [...keys, ...limitKeys] : keys.toSpliced(at, 0, ...limitKeys)
}

/** The names of controls in a breakdown, in order, with the text shown to people. */
export const controlWords: Readonly<Record<string, string>> = Object.assign({}, ...controls.map(({ points }) => points))
