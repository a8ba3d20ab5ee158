// The names of the lines of a calculation for people. The lines of a clause have names of ours, which nobody has to know; the
// author of a worksheet has named its lines.
import type { Step } from '../formula/formula.ts'

/** Words in English; pages in other languages have their own. */
export const clauseWords: Readonly<Record<string, string>> = {
  ratio: 'the weighted ratio of the indices',
  factor: 'the weighted factor of the indices',
  movement: 'the movement of the indices',
  payable: 'the movement that counts after the threshold',
  threshold_met: 'whether the threshold is met',
  movement_applied: 'the movement at the last adjustment',
  shared: 'the part of the movement that is passed on',
  total_held: 'the change since the start before rounding',
  total_nearest: 'the change since the start, rounded to the nearest',
  total_down: 'the change since the start, rounded down',
  total_up: 'the change since the start, rounded up',
  total: 'the rounded change since the start',
  target: 'where the price factor should go',
  step: 'the change from the last adjustment',
  pct_held: 'the percentage before rounding',
  pct_nearest: 'the percentage, rounded to the nearest',
  pct_down: 'the percentage, rounded down',
  pct_up: 'the percentage, rounded up',
  pct: 'the percentage of this adjustment',
  applied: 'the price factor in force',
  year_cap: 'the highest factor that the year allows',
  year_floor: 'the lowest factor that the year allows',
  held_back: 'what limits hold back for later',
}

/** `the movement of the indices`, `the ratio of steel`; a line of a worksheet by the name it was given. */
export function formatLine({ name, compiled }: Pick<Step, 'name' | 'compiled'>): string {
  if (!compiled) return `the line ${name.replaceAll('_', ' ')}`
  return clauseWords[name] ?? `the ratio of ${name.replace(/^ratio_/, '').replaceAll('_', ' ')}`
}
