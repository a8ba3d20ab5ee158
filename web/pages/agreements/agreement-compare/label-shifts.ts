// Positions of the names at the ends of lines, so that none is printed over another.
import type { PreviewEntry } from '../../../../src/views/shapes/agreements.ts'

/** The height of a label and of the plot. Approximate, because the axis ends at round figures. */
const [labelPixels, plotPixels] = [16, 220]

/** Distances by which labels move down so that none is printed over another: labels close together are stacked. */
export function shiftsOf(
  readings: readonly { readonly entries: readonly Pick<PreviewEntry, 'factor'>[] }[],
): readonly number[] {
  const factors = readings.flatMap(({ entries }) => entries.map(({ factor }) => Number.parseFloat(factor)))
  const [low, high] = [Math.min(...factors), Math.max(...factors)]
  const pixelsOf = (factor: number) => (high === low ? 0 : ((high - factor) / (high - low)) * plotPixels)
  const ends = readings.map(({ entries }) => pixelsOf(Number.parseFloat(entries.at(-1)?.factor ?? `${high}`)))
  const shifts = ends.map(() => 0)
  let free = Number.NEGATIVE_INFINITY
  for (const i of [...ends.keys()].sort((a, b) => ends[a]! - ends[b]! || a - b)) {
    shifts[i] = Math.max(0, free - ends[i]!)
    free = ends[i]! + shifts[i]! + labelPixels
  }
  return shifts
}
