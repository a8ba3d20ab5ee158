// Course of a price as a chart: the settled price as a line of steps from date to date, the proposed one dashed, the one signed
// before a correction as a circle, and the one by today's figures as a diamond.

import type { EChartsCoreOption } from 'echarts/core'
import { formatDate } from '../../../../src/core/text/words.ts'
import { isOtherToday, reportedOf } from '../../../components/agreements/settled-numbers.ts'
import { axisStyle, baseOption, heightAxis, type Palette, tooltipOf } from '../../../components/chart/chart.tsx'
import { formatMoney, formatPct } from '../../../components/words/words.ts'
import { type Course, drawnOf, type Measure, measureOf, type PriceLines, type Step, timeOf } from './price-course.ts'

export function priceChart(course: Course) {
  const { entries, settled } = course
  const measure = measureOf(course)
  const drawn = drawnOf(course)
  const startLabel = `start ${measure.start.text}`
  const open = entries.findLast(({ isSigned }) => !isSigned)
  const labels = {
    settled: settled === null || drawn.settled.length === 0 ? '' : measure.text(settled),
    proposed: open === undefined ? '' : `proposed ${measure.text(open)}`,
  }
  const startPosition = placeOfStart(drawn, measure)
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
      yAxis: heightAxis(palette, [
        measure.start.place,
        ...Object.values(drawn)
          .flat()
          .map(({ place }) => place),
      ]),
      tooltip: { ...(base.tooltip as object), formatter: tooltipFor(course, measure) },
      series: [
        settledLine(course, drawn, palette, { start: measure.start.place, startLabel, endLabel: labels.settled }),
        proposedLine(course, drawn, palette, labels.proposed),
        marksOf(drawn.signed, { symbol: 'circle', size: 8, ground: palette.ground, border: palette.soft }),
        marksOf(drawn.today, { symbol: 'diamond', size: 9, ground: palette.ground, border: palette.violet }),
      ],
    }
    // A narrow chart has no room for the label of the start, which is also above the chart. Everything that a media query
    // changes must be reset by the last entry, which applies to every other width.
    const setting = (right: number, position: string, show: boolean) => ({
      grid: { right },
      series: [{ markLine: { label: { position, show } } }],
    })
    const ends = [labels.settled, labels.proposed]
    return {
      baseOption: option,
      media: [
        { query: { maxWidth: 560 }, option: setting(marginFor(...ends), 'insideStartTop', false) },
        { option: setting(marginFor(startLabel, ...ends), startPosition, true) },
      ],
    }
  }
}

/** Place of the start's label: in the margin, unless the label of a line is there. */
function placeOfStart({ settled, proposed }: PriceLines, { start }: Measure): string {
  const places = [start.place, ...settled.map(({ place }) => place), ...proposed.map(({ place }) => place)]
  const span = Math.max(...places) - Math.min(...places)
  const isNear = (step: Step | undefined) => step !== undefined && Math.abs(step.place - start.place) <= span * 0.1
  return isNear(settled.at(-1)) || isNear(proposed.at(-1)) ? 'insideStartTop' : 'end'
}

/** Room for the longest label after the line. */
function marginFor(...labels: readonly string[]): number {
  return 24 + 7 * Math.max(...labels.map(label => label.length))
}

/** The last step goes on to today. */
function pointsOf(steps: readonly Step[], today: string) {
  const last = steps.at(-1)
  const end = last === undefined ? [] : [{ date: last.date < today ? today : last.date, place: last.place }]
  const point = ({ date, place }: Step) => [timeOf(date), place]
  return [...steps.map(step => ({ value: point(step) })), ...end.map(step => ({ value: point(step), symbolSize: 0 }))]
}

interface LineLabels {
  readonly start: number
  readonly startLabel: string
  readonly endLabel: string
}

function settledLine({ today }: Course, { settled }: PriceLines, palette: Palette, labels: LineLabels) {
  const { start, startLabel, endLabel } = labels
  return {
    type: 'line',
    step: 'end',
    data: pointsOf(settled, today),
    symbol: 'circle',
    symbolSize: settled.length > 60 ? 3 : 6,
    lineStyle: { color: palette.accent, width: 1.5 },
    itemStyle: { color: palette.accent },
    endLabel: { show: endLabel !== '', formatter: endLabel, color: palette.text, fontWeight: 600 },
    labelLayout: { moveOverlap: 'shiftY' },
    markLine: {
      silent: true,
      symbol: 'none',
      data: [{ yAxis: start }],
      lineStyle: { color: palette.soft, width: 1, type: 'dotted' },
      label: { formatter: startLabel, color: palette.soft },
    },
  }
}

/** Proposed line, which leaves the settled line where the first proposal would begin. */
function proposedLine({ today }: Course, { settled, proposed }: PriceLines, palette: Palette, endLabel: string) {
  const [first] = proposed
  const from = first === undefined ? undefined : settled.findLast(({ date }) => date <= first.date)
  const leaving = from === undefined ? [] : [{ value: [timeOf(first!.date), from.place], symbolSize: 0 }]
  return {
    type: 'line',
    step: 'end',
    data: [...leaving, ...pointsOf(proposed, today)],
    symbol: 'circle',
    symbolSize: proposed.length > 60 ? 3 : 6,
    lineStyle: { color: palette.accent, width: 1.5, type: 'dashed' },
    itemStyle: { color: palette.ground, borderColor: palette.accent, borderWidth: 1.5 },
    endLabel: { show: endLabel !== '', formatter: endLabel, color: palette.soft },
    labelLayout: { moveOverlap: 'shiftY' },
  }
}

interface Mark {
  readonly symbol: string
  readonly size: number
  readonly ground: string
  readonly border: string
}

function marksOf(steps: readonly Step[], { symbol, size, ground, border }: Mark) {
  return {
    type: 'scatter',
    data: steps.map(({ date, place }) => [timeOf(date), place]),
    symbol,
    symbolSize: size,
    itemStyle: { color: ground, borderColor: border, borderWidth: 1.5 },
    silent: true,
  }
}

interface HoveredPoint {
  readonly axisValue: number
}

function tooltipFor({ entries, contract, price, isLater }: Course, { label, start, text }: Measure) {
  return (found: unknown) => {
    const [point] = found as readonly HoveredPoint[]
    if (point === undefined) return ''
    const entry = entries.findLast(({ adjustmentDate }) => timeOf(adjustmentDate) <= point.axisValue)
    if (entry === undefined)
      return isLater ? '' : tooltipOf(`Start, ${formatDate(contract.start)}`, [[label, start.text]])
    const { settled, today } = entry
    const { adjustmentPct, cumulativePct } = reportedOf(entry)
    const corrected = settled?.correction ?? null
    return tooltipOf(`${entry.period}, ${formatDate(entry.adjustmentDate)}`, [
      settled === null ? ['Proposed', text(entry), 'not signed by both'] : ['Settled', text(settled), 'signed by both'],
      ...(corrected === null ? [] : [['Signed', text(entry), `corrected ${formatDate(corrected.agreedAt)}`] as const]),
      ['Adjustment', formatPct(adjustmentPct), entry.dataVersion.toLowerCase()],
      ['Since the start', formatPct(cumulativePct)],
      ...(today === null || !isOtherToday(entry)
        ? []
        : [
            [
              'With today’s figures',
              today.price === null ? formatPct(today.adjustmentPct) : formatMoney(today.price, price?.currency),
            ] as const,
          ]),
    ])
  }
}
