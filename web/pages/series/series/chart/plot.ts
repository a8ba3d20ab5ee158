// Positions on the screen: scales, round axis marks, and a line thinned to what pixels can show. All are floats, because nothing
// here is a figure that people read.
import { civilOf, type Day, dayOf } from '../../../../../src/core/time/day.ts'
import type { Frequency } from '../../../../../src/core/time/period.ts'

/** The position of the plot inside its box, and the values at its edges: days from left to right, heights from bottom to top. */
export interface Plot {
  readonly width: number
  readonly height: number
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
  readonly fromDay: number
  readonly toDay: number
  readonly low: number
  readonly high: number
}

export function xOf({ left, right, width, fromDay, toDay }: Plot, day: number): number {
  return left + ((day - fromDay) / (toDay - fromDay)) * (width - left - right)
}

export function yOf({ top, bottom, height, low, high }: Plot, value: number): number {
  return height - bottom - ((value - low) / (high - low)) * (height - top - bottom)
}

export function dayAt({ left, right, width, fromDay, toDay }: Plot, x: number): number {
  return fromDay + ((x - left) / (width - left - right)) * (toDay - fromDay)
}

interface TimeMark {
  readonly day: Day
  readonly label: string
}

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const daySteps = [1, 2, 7, 14]
const monthSteps = [1, 3, 6, 12, 24, 60, 120, 240, 600, 1200]

/** Marks of a time axis at days, months or years, no more than fit. January, and the first mark, show the year. */
export function timeMarks(fromDay: Day, toDay: Day, most: number): TimeMark[] {
  const span = toDay - fromDay
  const step = daySteps.find(each => span / each <= most)
  if (step !== undefined) return dayMarks(Math.ceil(fromDay), toDay, step)
  const months = monthSteps.find(each => span / (each * 30.4) <= most) ?? 1200
  const from = civilOf(Math.ceil(fromDay))
  const after = from.day > 1 ? 1 : 0
  const first = Math.ceil((from.year * 12 + from.month - 1 + after) / months) * months
  const marks: TimeMark[] = []
  for (let month = first; ; month += months) {
    const [year, ofYear] = [Math.floor(month / 12), month % 12]
    const day = dayOf(year, ofYear + 1, 1)
    if (day > toDay) return marks
    const name = monthNames[ofYear]!
    marks.push({ day, label: ofYear === 0 ? year.toString() : marks.length === 0 ? `${name} ${year}` : name })
  }
}

function dayMarks(fromDay: Day, toDay: Day, step: number): TimeMark[] {
  return Array.from({ length: Math.floor((toDay - fromDay) / step) + 1 }, (_, i) => {
    const day = fromDay + i * step
    const { year, month, day: ofMonth } = civilOf(day)
    const label = `${ofMonth} ${monthNames[month - 1]}`
    return { day, label: i === 0 ? `${label} ${year}` : label }
  })
}

export type PlotPoint = [day: number, height: number]

/** A line is broken where periods are missing; daily data may skip a long weekend. */
export function longestStep(frequency: Frequency): number {
  return frequency === 'DAILY' ? 10 : 1
}

interface LineParts {
  readonly days: ArrayLike<number>
  readonly ordinals: ArrayLike<number>
  readonly heights: ArrayLike<number>
  readonly first: number
  readonly end: number
  readonly longest: number
}

/**
 * The points of a line, thinned if there are more than the columns can show: the lowest and the highest point of each column
 * stay, in order, and both ends of the line, so that it looks the same. A point with NaN breaks the line.
 */
export function thinLine(parts: LineParts, fromDay: number, toDay: number, columns: number): PlotPoint[] {
  const { days, ordinals, heights, first, end, longest } = parts
  const isCrowded = end - first > columns * 2
  const scale = isCrowded ? columns / (toDay - fromDay) : 0
  const line: PlotPoint[] = []
  let [column, lowest, highest, before] = [-1, -1, -1, -1]
  const put = (i: number) => {
    line.push([days[i]!, heights[i]!])
  }
  const flush = () => {
    if (lowest < 0) return
    put(Math.min(lowest, highest))
    if (lowest !== highest) put(Math.max(lowest, highest))
    lowest = -1
  }
  // The ends of each part of the line are kept: the label of a figure is placed beside the last point.
  const close = () => {
    const last = line.at(-1)
    flush()
    if (before >= 0 && line.at(-1) !== last && line.at(-1)![0] !== days[before]!) put(before)
  }
  for (let i = first; i < end; i++) {
    const height = heights[i]!
    if (Number.isNaN(height)) continue
    const isGap = before >= 0 && ordinals[i]! - ordinals[before]! > longest
    const own = isCrowded ? Math.floor((days[i]! - fromDay) * scale) : i
    if (isGap) {
      close()
      line.push([days[i]! - 1, Number.NaN])
      put(i)
      column = -1
    } else if (before < 0) put(i)
    else {
      if (own !== column) flush()
      if (lowest < 0) [column, lowest, highest] = [own, i, i]
      else if (height < heights[lowest]!) lowest = i
      else if (height > heights[highest]!) highest = i
    }
    before = i
  }
  close()
  return line
}

/** Points with a gap on both sides: no line passes through them, so they are drawn as dots. */
export function lonePoints(line: readonly PlotPoint[]): PlotPoint[] {
  const isBreak = (point: PlotPoint | undefined) => point === undefined || Number.isNaN(point[1])
  return line.filter((point, i) => !isBreak(point) && isBreak(line[i - 1]) && isBreak(line[i + 1]))
}

/** The lowest and the highest of some heights; infinite if there are none. */
export function extentOf(heights: Iterable<number>): [low: number, high: number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const height of heights) {
    if (height < low) low = height
    if (height > high) high = height
  }
  return [low, high]
}

/** Moves labels apart that would overlap, keeping their order and staying inside. */
export function spreadLabels(places: readonly number[], least: number, low: number, high: number): number[] {
  const order = places.map((_, i) => i).sort((a, b) => places[a]! - places[b]!)
  const spread = [...places]
  let edge = low
  for (const i of order) {
    spread[i] = Math.max(spread[i]!, edge)
    edge = spread[i]! + least
  }
  edge = high
  for (const i of order.reverse()) {
    spread[i] = Math.min(spread[i]!, edge)
    edge = spread[i]! - least
  }
  return spread
}
