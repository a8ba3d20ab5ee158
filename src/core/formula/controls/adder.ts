// The adder: percentage points on top of the movement of the indices.
import { number } from '../check/keys.ts'
import type { ClauseNumber } from '../terms.ts'
import type { Control } from './control.ts'
import { percent } from './expressions.ts'

export const adder: Control<ClauseNumber | null> = {
  name: 'adder',
  keys: [
    {
      path: 'clause.adder',
      label: 'Added to the movement',
      help: 'Percentage points added to the movement of the indices before any other control applies.',
      value: number('points', true),
      otherwise: '0',
    },
  ],
  points: { adder: 'the adder' },
  lines: ['movement'],
  check: ({ clause, numbers }) => numbers.read(clause, 'adder'),
  link: {
    line: 'movement',
    note: null,
    expr: (before, { clause }) => (clause.adder === null ? before : `${before} + ${percent(clause.adder)}`),
  },
}
