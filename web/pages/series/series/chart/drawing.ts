// Drawing of a series as points: lines, revisions, preliminary values. They are thinned to what the pixels can show before the
// chart gets it, so that a long history redraws within a frame.

import { roundScale, type Scale } from '../../../../components/chart/scale.ts'
import { heightOf } from '../../../../components/figures/exact-figures.ts'
import type { SeriesLine, View } from '../view.ts'
import { extentOf, longestStep, type PlotPoint, thinLine } from './plot.ts'

/** Most visible periods with single marks: more would blur together. */
const mostMarks = 400

/** Every vintage from the first print to the newest: thin vertical lines, with marks if there is room. */
interface Fan {
  readonly verticals: readonly PlotPoint[]
  readonly firsts: readonly PlotPoint[]
  readonly later: readonly PlotPoint[]
}

export interface Drawing {
  readonly lines: readonly (readonly PlotPoint[])[]
  readonly today: readonly PlotPoint[] | null
  readonly fan: Fan | null
  readonly preliminary: readonly PlotPoint[]
}

export function thin(line: SeriesLine, { fromDay, toDay }: View['span'], columns: number): PlotPoint[] {
  const { history, heights, first, end } = line
  const { firstDays: days, ordinals } = history
  return thinLine(
    { days, ordinals, heights, first, end, longest: longestStep(history.frequency) },
    fromDay,
    toDay,
    columns,
  )
}

/** Merges vertical lines that share a column of pixels. */
class Verticals {
  readonly points: PlotPoint[] = []
  #column = -1
  #day = 0
  #low = 0
  #high = 0

  add(column: number, day: number, low: number, high: number): void {
    if (column === this.#column) {
      this.#low = Math.min(this.#low, low)
      this.#high = Math.max(this.#high, high)
      return
    }
    this.flush()
    this.#column = column
    this.#day = day
    this.#low = low
    this.#high = high
  }

  flush(): void {
    if (this.#column >= 0) this.points.push([this.#day, this.#low], [this.#day, this.#high], [this.#day, Number.NaN])
    this.#column = -1
  }
}

export function fanOf(line: SeriesLine, { fromDay, toDay }: View['span'], columns: number): Fan {
  const { history, cut, reading, first, end } = line
  const verticals = new Verticals()
  const [firsts, later]: [PlotPoint[], PlotPoint[]] = [[], []]
  const isRoomy = end - first <= mostMarks
  for (let i = first; i < end; i++) {
    const [from, to] = [history.begins[i]!, cut[i]!]
    if (to <= from) continue
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    const day = history.firstDays[i]!
    for (let row = from; row <= to; row++) {
      const height = heightOf(history, cut, i, row, reading)
      if (height < low) low = height
      if (height > high) high = height
    }
    if (!(low < high)) continue
    verticals.add(Math.floor(((day - fromDay) / (toDay - fromDay)) * columns), day, low, high)
    if (!isRoomy) continue
    for (let row = from; row <= to; row++) {
      const mark: PlotPoint = [day, heightOf(history, cut, i, row, reading)]
      if (row === from) firsts.push(mark)
      else later.push(mark)
    }
  }
  verticals.flush()
  return { verticals: verticals.points, firsts, later }
}

export function preliminaryOf({ history, cut, heights, first, end }: SeriesLine): PlotPoint[] {
  const points: PlotPoint[] = []
  if (end - first > mostMarks) return points
  for (let i = first; i < end; i++)
    if (cut[i]! >= 0 && history.tag[cut[i]!] === 'PRELIMINARY') points.push([history.firstDays[i]!, heights[i]!])
  return points
}

const axisMarks = 5

/** Scale from the lowest to the highest drawn value. */
export function scaleOf({ lines, today, fan }: Drawing): Scale {
  const parts = [...lines, today ?? [], fan?.verticals ?? []]
  return roundScale(...extentOf(parts.flat().map(([, height]) => height)), axisMarks)
}
