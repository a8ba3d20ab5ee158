// The price factor over time: a line that steps at every adjustment, the base marked, the saved version pale behind it.

import type { EChartsCoreOption } from 'echarts/core'
import { useMemo } from 'react'
import { formatFixed, parseRatio } from '../../../../../src/core/numbers/ratio.ts'
import { formatDate } from '../../../../../src/core/text/words.ts'
import type { PreviewEntry } from '../../../../../src/views/shapes/agreements.ts'
import {
  axisStyle,
  baseOption,
  Chart,
  heightAxis,
  type Palette,
  tooltipOf,
} from '../../../../components/chart/chart.tsx'
import { formatFigure, formatMoney, formatPct } from '../../../../components/words/words.ts'

interface FactorChartProps {
  readonly entries: readonly PreviewEntry[]
  /** The entries of the saved version; empty if there is none or nothing differs. */
  readonly before: readonly PreviewEntry[]
  /** The contract's start, where the factor is 1; null if it cannot be read. */
  readonly start: string | null
  readonly currency: string
}

export function FactorChart({ entries, before, start, currency }: FactorChartProps) {
  const option = useMemo(
    () => (palette: Palette) => optionOf({ entries, before, start, currency }, palette),
    [entries, before, start, currency],
  )
  const last = entries.at(-1)
  const label = `Price factor over ${entries.length} periods${last === undefined ? '' : `, ${last.factor} at the last`}`
  return <Chart option={option} height={220} label={label} />
}

type FactorPoint = readonly [date: string, factor: number]

/** The last factor applies until today. */
function pointsOf(entries: readonly PreviewEntry[], start: string | null): FactorPoint[] {
  const base: FactorPoint[] = start === null ? [] : [[start, 1]]
  const points = entries.map(({ adjustmentDate, factor }): FactorPoint => [adjustmentDate, Number.parseFloat(factor)])
  const last = points.at(-1) ?? base[0]
  const today = new Date().toISOString().slice(0, 10)
  return [...base, ...points, ...(last !== undefined && last[0] < today ? [[today, last[1]] as const] : [])]
}

function optionOf({ entries, before, start, currency }: FactorChartProps, palette: Palette): EChartsCoreOption {
  const now = pointsOf(entries, start)
  const saved = before.length === 0 ? [] : pointsOf(before, start)
  const isFew = entries.length <= 40
  const dates = new Set([...(start === null ? [] : [start]), ...entries.map(({ adjustmentDate }) => adjustmentDate)])
  const isAdjustment = (date: string) => dates.has(date)
  const base = baseOption(palette)
  // The two labels at the ends are moved apart.
  const apart = saved.length === 0 ? 0 : saved.at(-1)![1] >= (now.at(-1)?.[1] ?? 0) ? 8 : -8
  return {
    ...base,
    grid: { left: 8, right: 52, top: 20, bottom: 8, containLabel: true },
    tooltip: {
      ...(base.tooltip as object),
      formatter: (points: readonly { readonly value: FactorPoint }[]) =>
        tip(points[0]?.value[0], entries, before, currency),
    },
    xAxis: { type: 'time', ...axisStyle(palette), splitLine: { show: false } },
    yAxis: heightAxis(palette, [1, ...[...now, ...saved].map(([, factor]) => factor)], 6),
    series: [
      {
        type: 'line',
        step: 'end',
        data: saved,
        symbol: 'none',
        lineStyle: { color: palette.soft, width: 1.25, opacity: 0.7, type: 'dashed' },
        endLabel: {
          show: saved.length > 0,
          formatter: 'saved',
          color: palette.soft,
          fontSize: 11,
          offset: [0, -apart],
        },
        silent: true,
      },
      {
        type: 'line',
        step: 'end',
        data: now,
        symbol: isFew ? 'circle' : 'none',
        symbolSize: (point: FactorPoint) => (isAdjustment(point[0]) ? 4 : 0),
        lineStyle: { color: palette.accent, width: 1.75 },
        itemStyle: { color: palette.accent },
        endLabel: {
          show: now.length > 1,
          formatter: () => formatFigure(shortFactor(entries.at(-1)?.factor ?? '1')),
          color: palette.text,
          fontSize: 11,
          offset: [0, apart],
        },
        markLine: {
          silent: true,
          symbol: 'none',
          lineStyle: { color: palette.soft, width: 1, type: 'dotted', opacity: 0.8 },
          label: { formatter: 'base', position: 'insideStartTop', color: palette.soft, fontSize: 11 },
          data: [{ yAxis: 1 }],
        },
      },
    ],
  }
}

/** Enough digits to tell the factors apart; the table has the exact percentages. */
function shortFactor(factor: string): string {
  const exact = parseRatio(factor)
  return exact === null ? factor : formatFixed(exact, 4)
}

function tip(
  date: string | undefined,
  entries: readonly PreviewEntry[],
  before: readonly PreviewEntry[],
  currency: string,
): HTMLElement | string {
  if (date === undefined) return ''
  const entry = entries.find(each => each.adjustmentDate === date)
  const earlier = before.find(each => each.adjustmentDate === date)
  if (entry === undefined && earlier === undefined) {
    const held = entries.findLast(each => each.adjustmentDate < date)
    return tooltipOf(formatDate(date), [
      held === undefined ? ['base', '1'] : ['since the start', formatPct(held.cumulativePct)],
    ])
  }
  const words = (each: PreviewEntry) => (each.price === null ? '' : formatMoney(each.price, currency))
  return tooltipOf(`${(entry ?? earlier)!.period}, ${formatDate(date)}`, [
    ...(entry === undefined
      ? []
      : ([
          ['adjustment', formatPct(entry.adjustmentPct)],
          ['since the start', formatPct(entry.cumulativePct), words(entry)],
        ] as const)),
    ...(earlier === undefined ? [] : ([['saved', formatPct(earlier.cumulativePct), words(earlier)]] as const)),
  ])
}
