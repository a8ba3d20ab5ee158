// Chart of two series: as they are published, and the one that is brought to the level of the other. Below it is the ratio of
// each common period with the coefficient. Heights are positions on the screen; the figures are in the tables.
import { useCallback } from 'react'
import type { SpliceBody } from '../../../../src/core/index-changes/splice-schema.ts'
import { divide, formatFixed, multiply, one, parseExact } from '../../../../src/core/numbers/ratio.ts'
import { firstDayOf, parsePeriod } from '../../../../src/core/time/period.ts'
import type { SplicedLine, TermsChangePage } from '../../../../src/views/shapes/index-changes.ts'
import { axisStyle, baseOption, Chart, heightAxis, type Palette, tooltipOf } from '../../../components/chart/chart.tsx'
import { formatExact, heightOf } from '../../../components/index-changes/words.ts'

const dayMs = 86_400_000

interface SplicePoint {
  readonly at: number
  readonly period: string
  readonly value: string
}

interface SpliceLine {
  readonly name: string
  /** Name at the end of the line. */
  readonly label: string
  readonly points: readonly SplicePoint[]
  readonly isJoined: boolean
}

function pointsOf({ points }: SplicedLine): readonly SplicePoint[] {
  return points.flatMap(({ period, value }) => {
    const read = parsePeriod(period)
    return read === null ? [] : [{ at: firstDayOf(read) * dayMs, period, value }]
  })
}

/** Points times the coefficient, on the level of the other series. */
function joinedOf(points: readonly SplicePoint[], coefficient: string): readonly SplicePoint[] {
  const factor = parseExact(coefficient) ?? one
  return points.flatMap(point => {
    const value = parseExact(point.value)
    return value === null ? [] : [{ ...point, value: formatFixed(multiply(value, factor), 4) }]
  })
}

export function LinesChart({ page: { lines }, body }: { readonly page: TermsChangePage; readonly body: SpliceBody }) {
  const option = useCallback(
    (palette: Palette) => {
      const drawn = lines === null ? [] : linesOf(lines, body)
      const join = parsePeriod(body.join)
      return timeOption(palette, drawn, join === null ? null : { at: firstDayOf(join) * dayMs, label: body.join })
    },
    [lines, body],
  )
  if (lines === null || (lines.old.points.length === 0 && lines.new.points.length === 0))
    return (
      <p className="soft">
        The figures of these series are no longer stored here; the evidence below lists the figures that count.
      </p>
    )
  return (
    <Chart
      option={option}
      height={320}
      label={`${body.old.name} and ${body.new.name}, as published and joined after ${body.join}`}
    />
  )
}

function linesOf(
  lines: NonNullable<TermsChangePage['lines']>,
  { coefficient, old, new: successor }: SpliceBody,
): SpliceLine[] {
  const [before, after] = [pointsOf(lines.old), pointsOf(lines.new)]
  const drawn = [
    { name: old.name, label: 'old', points: before, isJoined: false },
    { name: successor.name, label: 'new', points: after, isJoined: false },
  ]
  if (coefficient === null) return drawn
  const isToNew = coefficient.direction === 'OLD_TO_NEW'
  const name = `${isToNew ? old.name : successor.name} × ${coefficient.written}`
  const label = `${isToNew ? 'old' : 'new'} × coefficient`
  return [...drawn, { name, label, points: joinedOf(isToNew ? before : after, coefficient.written), isJoined: true }]
}

interface TipPoint {
  readonly seriesIndex: number
  readonly dataIndex: number
}

function timeOption(
  palette: Palette,
  drawn: readonly SpliceLine[],
  join: { readonly at: number; readonly label: string } | null,
) {
  const base = baseOption(palette)
  const style = axisStyle(palette)
  const heights = drawn.flatMap(({ points }) => points.map(({ value }) => heightOf(value)))
  return {
    ...base,
    useUTC: true,
    grid: { left: 8, right: 112, top: 28, bottom: 8, containLabel: true },
    tooltip: {
      ...(base.tooltip as object),
      formatter: (tips: readonly TipPoint[]) => {
        const first = tips[0]
        const title = first === undefined ? '' : (drawn[first.seriesIndex]?.points[first.dataIndex]?.period ?? '')
        return tooltipOf(
          title,
          tips.flatMap(({ seriesIndex, dataIndex }): [string, string][] => {
            const line = drawn[seriesIndex]
            const point = line?.points[dataIndex]
            return line === undefined || point === undefined ? [] : [[line.name, formatExact(point.value)]]
          }),
        )
      },
    },
    xAxis: { type: 'time', ...style, splitLine: { show: false } },
    yAxis: heightAxis(palette, heights),
    series: drawn.map(({ name, label, points, isJoined }, i) => ({
      type: 'line',
      name,
      showSymbol: points.length === 1,
      data: points.map(({ at, value }) => [at, heightOf(value)]),
      lineStyle: { color: palette.several[i], width: isJoined ? 1.5 : 2, type: isJoined ? 'dashed' : 'solid' },
      itemStyle: { color: palette.several[i] },
      endLabel: {
        show: true,
        formatter: label,
        color: palette.several[i],
      },
      labelLayout: { moveOverlap: 'shiftY' },
      ...(i === 0 && join !== null ? { markLine: joinMark(palette, join) } : {}),
    })),
  }
}

function joinMark(palette: Palette, { at, label }: { readonly at: number; readonly label: string }) {
  return {
    silent: true,
    symbol: 'none',
    data: [{ xAxis: at }],
    lineStyle: { color: palette.soft, width: 1, type: 'dashed' },
    label: { formatter: `join ${label}`, color: palette.soft, position: 'end' },
  }
}

export function RatioChart({ body: { evidence, coefficient } }: { readonly body: SpliceBody }) {
  const option = useCallback(
    (palette: Palette) => ratioOption(palette, evidence.overlap, coefficient),
    [evidence, coefficient],
  )
  return <Chart option={option} height={160} label="The new value divided by the old one in each common period" />
}

function ratioOption(
  palette: Palette,
  overlap: SpliceBody['evidence']['overlap'],
  coefficient: SpliceBody['coefficient'],
) {
  const base = baseOption(palette)
  const style = axisStyle(palette)
  const level = levelOf(coefficient)
  const ratios = overlap.map(({ ratio }) => heightOf(ratio))
  return {
    ...base,
    tooltip: {
      ...(base.tooltip as object),
      formatter: (tips: readonly TipPoint[]) => {
        const line = overlap[tips[0]?.dataIndex ?? -1]
        return line === undefined ? '' : tooltipOf(line.period, [['New ÷ old', formatExact(line.ratio)]])
      },
    },
    xAxis: { type: 'category', data: overlap.map(({ period }) => period), ...style, splitLine: { show: false } },
    yAxis: heightAxis(palette, level === null ? ratios : [...ratios, level], 3),
    series: [
      {
        type: 'line',
        data: ratios,
        symbol: 'circle',
        symbolSize: 6,
        showSymbol: true,
        lineStyle: { color: palette.accent, width: 1.5 },
        itemStyle: { color: palette.accent },
        ...(level === null ? {} : { markLine: levelMark(palette, level, coefficient!.written) }),
      },
    ],
  }
}

/** Coefficient as a ratio of new to old. */
function levelOf(coefficient: SpliceBody['coefficient']): number | null {
  const written = coefficient === null ? null : parseExact(coefficient.written)
  if (coefficient === null || written === null || written.n === 0n) return null
  const level = coefficient.direction === 'OLD_TO_NEW' ? written : divide(one, written)
  return Number(formatFixed(level, 6))
}

function levelMark(palette: Palette, level: number, written: string) {
  return {
    silent: true,
    symbol: 'none',
    data: [{ yAxis: level }],
    lineStyle: { color: palette.amber, width: 1, type: 'dashed' },
    label: { formatter: `coefficient ${written}`, color: palette.text, position: 'insideEndTop' },
  }
}
