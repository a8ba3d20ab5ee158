// The chart of a series: lines labelled at their ends, with a layer above that handles pointer and keyboard.
import { useElementSize, useViewportSize } from '@mantine/hooks'
import { type ReactNode, useCallback, useMemo } from 'react'
import { Chart, type Palette } from '../../../../components/chart/chart.tsx'
import { decimalsOfStep, formatMark } from '../../../../components/chart/scale.ts'
import { shownAt } from '../../../../components/figures/exact-figures.ts'
import { formatLabel } from '../../../../components/words/period-words.ts'
import { formatFigure, formatSigned } from '../../../../components/words/words.ts'
import type { SeriesLine, View } from '../view.ts'
import { lastPlace } from '../vintages.ts'
import classes from './chart.module.css'
import { ChartLayer } from './chart-layer.tsx'
import { MarkLines, MarkList, visibleMarks } from './chart-marks.tsx'
import { drawOption } from './chart-option.ts'
import { type Drawing, fanOf, preliminaryOf, scaleOf, thin } from './drawing.ts'
import { lineColours } from './line-colours.ts'
import type { Mark } from './marks.ts'
import { type Plot, spreadLabels, xOf, yOf } from './plot.ts'
import { RevisionBars } from './revision-bars.tsx'

/** Height of everything around the chart, which is as tall as the window allows with the slider below still visible. */
const aroundChart = 590
const [leastHeight, mostHeight] = [280, 400]

function useChartHeight(): number {
  const { height } = useViewportSize()
  const window = height === 0 ? globalThis.innerHeight : height
  return Math.min(mostHeight, Math.max(leastHeight, window - aroundChart))
}

/** Least width for names beside the lines; on narrower screens they are under the chart. */
const labelsFrom = 720
const namesWidth = 208
const digitWidth = 7.4
/** Columns for each pixel. A column shows its lowest and its highest point; finer columns would only cost time. */
const columnsPerPixel = 0.75

interface SeriesChartProps {
  readonly view: View
  readonly hasFan: boolean
  /** Known events of the series itself, by day. */
  readonly marks: readonly Mark[]
  readonly openPeriod: (label: string) => void
  readonly zoom: (fromDay: number, toDay: number, when: 'now' | 'soon') => void
  /** The axis continues to this day if the newest period is visible: figures are published after their period. */
  readonly until: number
  /** Contents under the chart, on the same axis. */
  readonly below?: (axis: Axis) => ReactNode
}

/** Days from left to right, and the margins on both sides. */
type Axis = Pick<Plot, 'left' | 'right' | 'fromDay' | 'toDay'>

export function SeriesChart({ view, hasFan, marks, openPeriod, zoom, until, below }: SeriesChartProps) {
  const { ref, width } = useElementSize()
  const chartHeight = useChartHeight()
  const drawing = useDrawing(view, hasFan, Math.max(200, Math.round(width * columnsPerPixel)))
  const unit = view.mode === 'yoy' ? '\u202f%' : ''
  const { plot, step } = useMemo(
    () => layOut(view, drawing, { width, height: chartHeight }, unit, until),
    [view, drawing, width, chartHeight, unit, until],
  )
  const option = useCallback(
    (palette: Palette) => drawOption(palette, drawing, plot, step, unit),
    [drawing, plot, step, unit],
  )
  const seen = useMemo(() => visibleMarks(marks, plot), [marks, plot])
  const isBlank = drawing.lines.every(line => line.length === 0) && (drawing.today?.length ?? 0) === 0
  return (
    <div>
      <div ref={ref} className={classes.box}>
        {isBlank ? (
          <div className={classes.blank} style={{ height: chartHeight }}>
            <p>{blankWords(view)}</p>
          </div>
        ) : (
          width > 0 && (
            <>
              <Chart option={option} height={chartHeight} label={describe(view)} isSteady />
              <MarkLines marks={seen} plot={plot} />
              <EndLabels view={view} drawing={drawing} plot={plot} />
              <ChartLayer view={view} plot={plot} unit={unit} openPeriod={openPeriod} zoom={zoom} />
            </>
          )
        )}
        {width === 0 && <div style={{ height: chartHeight }} />}
      </div>
      {view.lines.length > 1 && width < labelsFrom && <Legend lines={view.lines} />}
      {!isBlank && <ChartKey drawing={drawing} />}
      {!isBlank && <MarkList marks={seen} />}
      {!isBlank && width > 0 && view.lines.length === 1 && <RevisionBars line={view.lines[0]!} plot={plot} />}
      {below?.(plot)}
    </div>
  )
}

function useDrawing(view: View, hasFan: boolean, columns: number): Drawing {
  // The lines of today stay the same while the day is dragged; only those as of the day are drawn again.
  const { lines, today, span } = view
  return useMemo(
    () => ({
      lines: lines.map(line => thin(line, span, columns)),
      today: today === null ? null : thin(today, span, columns),
      fan: hasFan ? fanOf(lines[0]!, span, columns) : null,
      preliminary: lines.length === 1 ? preliminaryOf(lines[0]!) : [],
    }),
    [lines, today, span, hasFan, columns],
  )
}

type Size = Pick<Plot, 'width' | 'height'>

function layOut({ span, lines }: View, drawing: Drawing, { width, height }: Size, unit: string, until: number) {
  const { low, high, step } = scaleOf(drawing)
  const decimals = decimalsOfStep(step)
  const longest = Math.max(formatMark(low, decimals, unit).length, formatMark(high, decimals, unit).length)
  const isToTheEnd = lines[0]!.end === lines[0]!.history.labels.length
  const plot: Plot = {
    width,
    height,
    left: Math.ceil(longest * digitWidth) + 10,
    right: rightEdge(lines, width, unit),
    top: 12,
    bottom: 28,
    ...span,
    toDay: isToTheEnd ? Math.max(span.toDay, until) : span.toDay,
    low,
    high,
  }
  return { plot, step }
}

function rightEdge(lines: readonly SeriesLine[], width: number, unit: string): number {
  if (lines.length > 1) return width < labelsFrom ? 12 : namesWidth
  const texts = lines.map(line => endText(line).length + unit.length)
  return Math.ceil(Math.max(4, ...texts) * digitWidth) + 14
}

function endText({ history, cut, reading, end }: SeriesLine): string {
  const place = lastPlace(history, cut, end)
  const figure = place < 0 ? '' : (shownAt(history, cut, place, reading) ?? '')
  return reading.mode === 'yoy' ? formatSigned(figure) : formatFigure(figure)
}

interface EndLabel {
  readonly line: SeriesLine
  readonly colour: string
  readonly x: number
  readonly y: number
}

function endLabels({ lines }: View, { lines: drawn }: Drawing, plot: Plot): EndLabel[] {
  return lines.flatMap((line, i) => {
    const end = drawn[i]!.findLast(([, height]) => !Number.isNaN(height))
    if (end === undefined) return []
    // Names are stacked at the edge; a single figure is placed where its line ends.
    const x = lines.length > 1 ? plot.width - plot.right : xOf(plot, end[0])
    return [{ line, colour: lineColours[i % lineColours.length]!, x: x + 7, y: yOf(plot, end[1]) }]
  })
}

function EndLabels({ view, drawing, plot }: { view: View; drawing: Drawing; plot: Plot }) {
  const isSeveral = view.lines.length > 1
  if (isSeveral && plot.width < labelsFrom) return null
  const labels = endLabels(view, drawing, plot)
  const places = spreadLabels(
    labels.map(({ y }) => y),
    16,
    plot.top,
    plot.height - plot.bottom,
  )
  const unit = view.mode === 'yoy' ? '\u202f%' : ''
  return (
    <div aria-hidden="true">
      {labels.map(({ line, colour, x }, i) => (
        <span
          key={line.id}
          className={classes.label}
          style={{ top: places[i]!, left: x, maxWidth: plot.width - x, color: colour }}
          title={line.name}
        >
          {endText(line)}
          {unit}
          {isSeveral && ` ${line.name}`}
        </span>
      ))}
    </div>
  )
}

function Legend({ lines }: { readonly lines: readonly SeriesLine[] }) {
  return (
    <ul className={classes.legend}>
      {lines.map(({ id, name }, i) => (
        <li key={id}>
          <span className={classes.swatch} style={{ background: lineColours[i % lineColours.length]! }} />
          {name}
        </li>
      ))}
    </ul>
  )
}

/** Key of the marks, and the use of the chart. */
function ChartKey({ drawing: { fan, preliminary, today } }: { readonly drawing: Drawing }) {
  return (
    <div className={classes.keys}>
      {preliminary.length > 0 && (
        <span className={classes.key} data-kind="preliminary">
          <span className={classes.ring} /> preliminary
        </span>
      )}
      {fan !== null && (
        <span className={classes.key} data-kind="fan">
          <span className={classes.stick} /> from the first print (ring) to the current value
        </span>
      )}
      {today !== null && (
        <span className={classes.key} data-kind="today">
          <span className={classes.swatch} /> as known today
        </span>
      )}
      <span className={classes.hint}>Drag across the chart to zoom. A click on a period shows its vintages.</span>
    </div>
  )
}

const modeWords = { level: '', yoy: ', change from a year before in percent', rebased: ', rebased to 100' } as const

function describe({ lines, mode }: View): string {
  const names = lines.map(({ name }) => name).join('; ')
  const [main] = lines
  const [from, to] = [main!.history.labels[main!.first], main!.history.labels[main!.end - 1]]
  const range = from === undefined || to === undefined ? '' : `, ${formatLabel(from)} to ${formatLabel(to)}`
  return `Line chart of ${names}${modeWords[mode]}${range}. The figures are in the table below.`
}

function blankWords({ mode, lines }: View): string {
  if (lines[0]!.history.labels.length === 0) return 'No value has been published yet.'
  if (mode === 'yoy') return 'There is no value a year before any of these periods, so there is no change to show.'
  if (mode === 'rebased') return 'There is no base above zero in this range, so nothing can be rebased to 100.'
  return 'There is no value in this range.'
}
