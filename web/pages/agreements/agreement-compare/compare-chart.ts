// The price factor under several readings: a step line for each, named at its end; the clause as written has the text colour.

import type { EChartsCoreOption } from 'echarts/core'
import { formatDate } from '../../../../src/core/text/words.ts'
import type { PreviewEntry, ReadingVariant } from '../../../../src/views/shapes/agreements.ts'
import { axisStyle, baseOption, heightAxis, type Palette, tooltipOf } from '../../../components/chart/chart.tsx'
import { formatFactor } from '../../../components/words/price-words.ts'
import { formatPct } from '../../../components/words/words.ts'
import { shiftsOf } from './label-shifts.ts'

const timeOf = (day: string) => Date.parse(`${day}T00:00:00Z`)

/** The clause as written has the text colour, the others the palette's colours; this many lines fit before colours repeat. */
export const colourCount = 6

/** Lines differ by more than their colour. */
const lineTypes = ['solid', 'dashed', 'dotted'] as const

/** `today`, `YYYY-MM-DD`: how far the last step is drawn. */
export function compareChart(readings: readonly ReadingVariant[], today: string) {
  const dates = [...new Set(readings.flatMap(({ entries }) => entries.map(each => each.adjustmentDate)))].sort()
  const shifts = shiftsOf(readings)
  return (palette: Palette): EChartsCoreOption => {
    const style = axisStyle(palette)
    const colours = [palette.text, ...palette.several]
    const option: EChartsCoreOption = {
      ...baseOption(palette),
      useUTC: true,
      grid: { left: 8, top: 16, bottom: 8, containLabel: true },
      xAxis: {
        type: 'time',
        ...style,
        axisLabel: { ...style.axisLabel, hideOverlap: true },
        splitLine: { show: false },
      },
      yAxis: heightAxis(
        palette,
        readings.flatMap(({ entries }) => entries.map(({ factor }) => Number.parseFloat(factor))),
      ),
      tooltip: {
        ...(baseOption(palette).tooltip as object),
        formatter: (found: unknown) => {
          const [first] = found as readonly { readonly value: readonly [number, number] }[]
          const time = first?.value[0] ?? 0
          const date = dates.findLast(each => timeOf(each) <= time)
          return date === undefined ? '' : tooltipOf(formatDate(date), rowsAt(readings, date))
        },
      },
      series: readings.map(({ title, entries }, i) => ({
        type: 'line',
        step: 'end',
        name: title,
        z: i === 0 ? 3 : 2,
        data: pointsOf(entries, today),
        symbol: 'circle',
        symbolSize: entries.length > 60 ? 2 : 4,
        lineStyle: {
          color: colours[i % colours.length],
          width: i === 0 ? 2 : 1.5,
          type: i === 0 ? 'solid' : lineTypes[Math.floor(i / colours.length) % lineTypes.length],
        },
        itemStyle: { color: colours[i % colours.length] },
        endLabel: {
          show: true,
          formatter: title,
          color: colours[i % colours.length],
          offset: [0, shifts[i]],
          fontWeight: i === 0 ? 600 : 400,
          width: 212,
          overflow: 'truncate',
        },
      })),
    }
    // The swatches beside the readings identify the lines if there is no room for names at the ends. Everything that a media
    // query changes must be reset by the last entry, which applies to every other width.
    const setting = (right: number, show: boolean) => ({
      grid: { right },
      series: readings.map(() => ({ endLabel: { show } })),
    })
    return {
      baseOption: option,
      media: [{ query: { maxWidth: 560 }, option: setting(16, false) }, { option: setting(224, true) }],
    }
  }
}

function pointsOf(entries: readonly PreviewEntry[], today: string) {
  const points = entries.map(({ adjustmentDate, factor }) => ({
    value: [timeOf(adjustmentDate), Number.parseFloat(factor)],
  }))
  const last = entries.at(-1)
  return last === undefined || last.adjustmentDate >= today
    ? points
    : [...points, { value: [timeOf(today), Number.parseFloat(last.factor)], symbolSize: 0 }]
}

function rowsAt(readings: readonly ReadingVariant[], date: string): (readonly [string, string, string])[] {
  return readings.flatMap(({ title, entries }) => {
    const entry = entries.find(({ adjustmentDate }) => adjustmentDate === date)
    return entry === undefined ? [] : [[title, formatFactor(entry.factor), formatPct(entry.adjustmentPct)] as const]
  })
}
