// The lines of a series as an option for the chart: the series as it stood, pale behind it as known today, other series for
// comparison, and its revisions.
import type { EChartsCoreOption } from 'echarts/core'
import { axisStyle, baseOption, type Palette } from '../../../../components/chart/chart.tsx'
import { decimalsOfStep, formatMark } from '../../../../components/chart/scale.ts'
import type { Drawing } from './drawing.ts'
import { lonePoints, type Plot, type PlotPoint, timeMarks } from './plot.ts'

const dayMs = 86_400_000
/** A label of the time axis with the space around it. */
const markWidth = 68

export function drawOption(
  palette: Palette,
  drawing: Drawing,
  plot: Plot,
  step: number,
  unit: string,
): EChartsCoreOption {
  const style = axisStyle(palette)
  const decimals = decimalsOfStep(step)
  const most = Math.max(2, (plot.width - plot.left - plot.right) / markWidth)
  const marks = timeMarks(plot.fromDay, plot.toDay, most)
  const labels = new Map(marks.map(({ day, label }) => [day * dayMs, label]))
  // The layer above the chart shows the values under the pointer.
  const { tooltip: _, ...base } = baseOption(palette)
  return {
    ...base,
    useUTC: true,
    grid: {
      left: plot.left,
      right: plot.right,
      top: plot.top,
      bottom: plot.bottom,
      containLabel: false,
      outerBoundsMode: 'none',
    },
    xAxis: {
      type: 'time',
      min: plot.fromDay * dayMs,
      max: plot.toDay * dayMs,
      ...style,
      splitLine: { show: false },
      axisLine: { ...style.axisLine, onZero: false },
      axisTick: { ...style.axisTick, customValues: [...labels.keys()] },
      axisLabel: {
        ...style.axisLabel,
        customValues: [...labels.keys()],
        formatter: (ms: number) => labels.get(ms) ?? '',
      },
    },
    yAxis: {
      type: 'value',
      min: plot.low,
      max: plot.high,
      interval: step,
      ...style,
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: { ...style.axisLabel, formatter: (value: number) => formatMark(value, decimals, unit) },
    },
    series: drawnSeries(palette, drawing, unit),
  }
}

/** Points as one flat column: the chart uses it directly, but would copy and inspect each point of a list. */
function onTime(points: readonly PlotPoint[]): Float64Array {
  const flat = new Float64Array(points.length * 2)
  points.forEach(([day, height], i) => {
    flat[2 * i] = day * dayMs
    flat[2 * i + 1] = height
  })
  return flat
}

interface Style {
  readonly color: string
  readonly width: number
  readonly opacity?: number
}

function lineOf(id: string, z: number, points: readonly PlotPoint[], lineStyle: Style) {
  return { id, type: 'line', data: onTime(points), lineStyle, showSymbol: false, silent: true, z }
}

interface Mark {
  readonly color: string
  readonly borderColor?: string
  readonly borderWidth?: number
}

function dotsOf(
  id: string,
  z: number,
  points: readonly PlotPoint[],
  itemStyle: Mark,
  symbol: string,
  size: number | number[],
) {
  return { id, type: 'scatter', data: onTime(points), itemStyle, symbol, symbolSize: size, silent: true, z }
}

const noFan = { verticals: [], firsts: [], later: [] }

/**
 * Drawn series, each with an id, so that the chart updates existing ones. Empty ones are left out: they cost as much as full
 * ones.
 */
function drawnSeries(palette: Palette, { lines, today, fan, preliminary }: Drawing, unit: string): object[] {
  const { soft, violet, amber, ground, several } = palette
  const colorOf = (i: number) => several[i % several.length]!
  const { verticals, firsts, later } = fan ?? noFan
  const ring = (borderColor: string, borderWidth: number) => ({ color: ground, borderColor, borderWidth })
  const level = unit === '' ? [] : [{ yAxis: 0 }]
  const drawn = [
    lineOf('today', 2, today ?? [], { color: soft, width: 1.5, opacity: 0.45 }),
    lineOf('fan', 3, verticals, { color: violet, width: 1 }),
    dotsOf('first', 4, firsts, ring(violet, 1), 'circle', 4),
    dotsOf('later', 4, later, { color: violet }, 'rect', [6, 1]),
    ...lines.map((points, i) => lineOf(`line ${i}`, 6 - i, points, { color: colorOf(i), width: i === 0 ? 1.75 : 1.5 })),
    ...lines.map((points, i) => dotsOf(`lone ${i}`, 6, lonePoints(points), { color: colorOf(i) }, 'circle', 5)),
    dotsOf('preliminary', 8, preliminary, ring(amber, 1.5), 'circle', 6),
  ].filter(({ data }) => data.length > 0)
  if (level.length === 0) return drawn
  // The zero line, if it is visible.
  return [{ ...lineOf('zero', 1, [], { color: soft, width: 1 }), markLine: { data: level, ...plain(soft) } }, ...drawn]
}

function plain(color: string): object {
  return { silent: true, symbol: 'none', label: { show: false }, lineStyle: { color, width: 1, type: 'solid' } }
}
