// Chart of the first series of a file, drawn while somebody says how to read it.
import { useMemo } from 'react'
import { parsePeriod } from '../../../../src/core/time/period.ts'
import { axisStyle, baseOption, Chart, type Palette } from '../../../components/chart/chart.tsx'
import { countOf } from '../../../components/words/words.ts'
import type { Understood, UnderstoodSeries } from './understood.ts'

/** More lines could not be told apart. */
const mostLines = 5

export function UnderstoodChart({ understood: { series, missing } }: { readonly understood: Understood }) {
  const shown = useMemo(() => series.slice(0, mostLines), [series])
  const option = useMemo(() => (palette: Palette) => chartOf(shown, palette), [shown])
  if (shown.length === 0) return <p className="soft">No value can be read yet.</p>
  const more = series.length - shown.length
  return (
    <>
      <Chart option={option} height={200} label="The first rows of the file as they are understood" />
      <p className="soft">
        As understood from the first rows: {shown.map(formatLine).join('; ')}
        {more > 0 && ` and ${countOf(more, 'more series', 'more series')}`}.
        {missing > 0 && ` ${countOf(missing, 'cell')} without a value ${missing === 1 ? 'is' : 'are'} left out.`}
      </p>
    </>
  )
}

function formatLine({ name, points }: UnderstoodSeries): string {
  const periods = points.map(({ period }) => period).sort()
  return `${name}, ${countOf(points.length, 'value')} from ${periods[0]} to ${periods.at(-1)}`
}

function chartOf(series: readonly UnderstoodSeries[], palette: Palette) {
  const order = (period: string) => parsePeriod(period)?.ordinal ?? 0
  const periods = [...new Set(series.flatMap(({ points }) => points.map(({ period }) => period)))].sort(
    (a, b) => order(a) - order(b),
  )
  return {
    ...baseOption(palette),
    grid: { left: 8, right: 96, top: 16, bottom: 8, containLabel: true },
    xAxis: { type: 'category', data: periods, ...axisStyle(palette), splitLine: { show: false } },
    yAxis: { type: 'value', scale: true, ...axisStyle(palette) },
    series: series.map(({ name, points }, i) => {
      const byPeriod = new Map(points.map(({ period, value }) => [period, value]))
      return {
        type: 'line',
        name,
        data: periods.map(period => byPeriod.get(period) ?? null),
        symbolSize: 4,
        lineStyle: { width: 1.5, color: palette.several[i] },
        itemStyle: { color: palette.several[i] },
        endLabel: { show: true, formatter: name, color: palette.several[i], width: 88, overflow: 'truncate' },
      }
    }),
  }
}
