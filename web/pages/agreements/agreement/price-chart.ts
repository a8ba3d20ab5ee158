// The price over time as a chart: steps from date to date, the start marked, and what a signed number would be today beside
// it. Every figure in text comes from its string; floats are only positions on the screen.
import type { EChartsCoreOption } from 'echarts/core'
import type { AgreementListRow, ContractView, PeriodRow } from '../../../../src/views/shapes/agreements.ts'
import { axisStyle, baseOption, heightAxis, type Palette, tooltipOf } from '../../../components/chart/chart.tsx'
import { writeFactor } from '../../../components/words/price-words.ts'
import { writeDay, writeMoney, writePct } from '../../../components/words/words.ts'

export type Shown = 'price' | 'factor'

interface Course {
  readonly entries: readonly PeriodRow[]
  readonly price: AgreementListRow['price']
  readonly contract: ContractView
  readonly shown: Shown
  /** Whether the first entry goes on from a price that was agreed with another supplier: nothing is drawn before it. */
  readonly isLater: boolean
  /** `YYYY-MM-DD`: how far the last step is drawn. */
  readonly today: string
}

/** One measure of the price: where each entry is on the axis, and how it is written. */
interface Measure {
  readonly label: string
  readonly start: { readonly place: number; readonly text: string }
  readonly place: (entry: PeriodRow) => number
  readonly text: (entry: PeriodRow) => string
  readonly today: (entry: PeriodRow) => string | null
}

const timeOf = (day: string) => Date.parse(`${day}T00:00:00Z`)

function measureOf({ price, shown }: Course): Measure {
  if (shown === 'factor' || price === null)
    return {
      label: 'Factor',
      start: { place: 1, text: '1' },
      place: entry => Number.parseFloat(entry.factor),
      text: entry => writeFactor(entry.factor),
      today: () => null,
    }
  return {
    label: 'Price',
    start: { place: Number.parseFloat(price.amount), text: writeMoney(price.amount, price.currency) },
    place: entry => Number.parseFloat(entry.price ?? 'NaN'),
    text: entry => writeMoney(entry.price ?? '', price.currency),
    today: entry => entry.today?.price ?? null,
  }
}

export function priceChart(course: Course) {
  const { entries } = course
  const measure = measureOf(course)
  const last = entries.at(-1)
  const startLabel = `start ${measure.start.text}`
  const endLabel = last === undefined ? '' : measure.text(last)
  const startPosition = placeOfStart(entries, measure)
  return (palette: Palette): EChartsCoreOption => {
    const style = axisStyle(palette)
    const base = baseOption(palette)
    const option: EChartsCoreOption = {
      ...base,
      useUTC: true,
      grid: { left: 8, top: 16, bottom: 8, containLabel: true },
      xAxis: {
        type: 'time',
        ...style,
        axisLabel: { ...style.axisLabel, hideOverlap: true },
        splitLine: { show: false },
      },
      yAxis: heightAxis(palette, heightsOf(entries, measure)),
      tooltip: { ...(base.tooltip as object), formatter: tooltipFor(course, measure) },
      series: [lineOf(course, measure, palette, startLabel, endLabel), diamondsOf(entries, measure, palette)],
    }
    // A narrow chart has no room for the label of the start, which is also above the chart. Everything that a media query
    // changes must be reset by the last entry, which applies to every other width.
    const setting = (right: number, position: string, show: boolean) => ({
      grid: { right },
      series: [{ markLine: { label: { position, show } } }],
    })
    return {
      baseOption: option,
      media: [
        { query: { maxWidth: 560 }, option: setting(marginFor(endLabel), 'insideStartTop', false) },
        { option: setting(marginFor(startLabel, endLabel), startPosition, true) },
      ],
    }
  }
}

/** Everything that is drawn. */
function heightsOf(entries: readonly PeriodRow[], { start, place, today }: Measure): number[] {
  return [start.place, ...entries.flatMap(entry => [place(entry), Number.parseFloat(today(entry) ?? 'NaN')])]
}

/** In the margin, unless the price's own label is there. */
function placeOfStart(entries: readonly PeriodRow[], { start, place }: Measure): string {
  const places = [start.place, ...entries.map(place)]
  const span = Math.max(...places) - Math.min(...places)
  return Math.abs(places.at(-1)! - start.place) < span * 0.1 ? 'insideStartTop' : 'end'
}

/** Room for the longest label after the line. */
function marginFor(...labels: readonly string[]): number {
  return 24 + 7 * Math.max(...labels.map(label => label.length))
}

function lineOf(
  { entries, contract, isLater, today }: Course,
  { start, place }: Measure,
  palette: Palette,
  startLabel: string,
  endLabel: string,
) {
  const last = entries.at(-1)
  const end = last === undefined || last.adjustmentDate < today ? today : last.adjustmentDate
  const open = { itemStyle: { color: palette.ground, borderColor: palette.accent, borderWidth: 1.5 } }
  return {
    type: 'line',
    step: 'end',
    data: [
      isLater
        ? { value: [timeOf(entries[0]!.adjustmentDate), place(entries[0]!)], symbolSize: 0 }
        : { value: [timeOf(contract.start), start.place], symbolSize: 0 },
      ...entries.map(entry => ({
        value: [timeOf(entry.adjustmentDate), place(entry)],
        ...(entry.isSigned ? {} : open),
      })),
      ...(last === undefined ? [] : [{ value: [timeOf(end), place(last)], symbolSize: 0 }]),
    ],
    symbol: 'circle',
    symbolSize: entries.length > 60 ? 3 : 6,
    lineStyle: { color: palette.accent, width: 1.5 },
    itemStyle: { color: palette.accent },
    endLabel: { show: endLabel !== '', formatter: endLabel, color: palette.text, fontWeight: 600 },
    markLine: {
      silent: true,
      symbol: 'none',
      data: [{ yAxis: start.place }],
      lineStyle: { color: palette.soft, width: 1, type: 'dashed' },
      label: { formatter: startLabel, color: palette.soft },
    },
  }
}

/** What signed numbers would be with today's figures. */
function diamondsOf(entries: readonly PeriodRow[], { today }: Measure, palette: Palette) {
  return {
    type: 'scatter',
    data: entries.flatMap(entry => {
      const price = today(entry)
      return price === null ? [] : [[timeOf(entry.adjustmentDate), Number.parseFloat(price)]]
    }),
    symbol: 'diamond',
    symbolSize: 9,
    itemStyle: { color: palette.ground, borderColor: palette.violet, borderWidth: 1.5 },
    silent: true,
  }
}

interface Found {
  readonly seriesIndex: number
  readonly dataIndex: number
}

/** The first point is the start; the last one repeats the newest entry at today's date. */
function tooltipFor({ entries, contract, price, isLater }: Course, { label, start, text }: Measure) {
  return (found: unknown) => {
    const point = (found as readonly Found[]).find(({ seriesIndex }) => seriesIndex === 0)
    if (point === undefined) return ''
    const first = isLater ? 0 : -1
    const entry = entries[Math.max(first, Math.min(point.dataIndex - 1, entries.length - 1))]
    if (entry === undefined) return tooltipOf(`Start, ${writeDay(contract.start)}`, [[label, start.text]])
    const { today } = entry
    return tooltipOf(`${entry.period}, ${writeDay(entry.adjustmentDate)}`, [
      [label, text(entry), entry.isSigned ? 'signed by both' : 'not signed by both'],
      ['Adjustment', writePct(entry.adjustmentPct), entry.dataVersion.toLowerCase()],
      ['Since the start', writePct(entry.cumulativePct)],
      ...(today === null
        ? []
        : [
            [
              'Would be today',
              today.price === null ? writePct(today.adjustmentPct) : writeMoney(today.price, price?.currency),
            ] as const,
          ]),
    ])
  }
}
