// Revisions of a series' periods, and the shape of the bars that show them.
import type { SeriesLine } from '../view.ts'

interface Revision {
  readonly place: number
  /** A position on the screen: from the first value to the current one. */
  readonly pct: number
}

/** The visible periods whose current value differs from their first. */
export function revisionsOf({
  history,
  cut,
  first,
  end,
}: Pick<SeriesLine, 'history' | 'cut' | 'first' | 'end'>): Revision[] {
  const { begins, heights } = history
  const found: Revision[] = []
  for (let place = first; place < end; place++) {
    const row = cut[place]!
    if (row < 0) continue
    let from = begins[place]!
    while (from < row && Number.isNaN(heights[from]!)) from++
    const [old, now] = [heights[from]!, heights[row]!]
    if (from === row || Number.isNaN(now) || old === 0 || old === now) continue
    found.push({ place, pct: ((now - old) / Math.abs(old)) * 100 })
  }
  return found
}

interface Bars {
  /** Position of each bar, from left to right, and the revision of its period. */
  readonly bars: readonly (readonly [x: number, pct: number])[]
  readonly width: number
  /** Pixels for a percent. */
  readonly scale: number
  /** Position of the line that bars go up and down from. */
  readonly middle: number
}

/**
 * All bars as one shape, because thousands of elements take longer to change than a frame. Bars in the same column of pixels
 * become one above the line and one below it, as long as the longest of them.
 */
export function shapeOf({ bars, width, scale, middle }: Bars): string {
  const wide = toHundredths(width)
  const shape: string[] = []
  let [column, left, above, below] = [Number.NEGATIVE_INFINITY, 0, 0, 0]
  const finish = () => {
    if (above > 0) shape.push(`M${left} ${middle}v${-above}h${wide}v${above}z`)
    if (below > 0) shape.push(`M${left} ${middle + 1}v${below}h${wide}v${-below}z`)
  }
  for (const [x, pct] of bars) {
    if (Math.floor(x) !== column) {
      finish()
      ;[column, left, above, below] = [Math.floor(x), toHundredths(x - width / 2), 0, 0]
    }
    const long = toHundredths(Math.max(1, Math.abs(pct) * scale))
    if (pct > 0) above = Math.max(above, long)
    else below = Math.max(below, long)
  }
  finish()
  return shape.join('')
}

/** Hundredths of a pixel: nobody sees less, and shorter texts are drawn sooner. */
const toHundredths = (pixels: number) => Math.round(pixels * 100) / 100
