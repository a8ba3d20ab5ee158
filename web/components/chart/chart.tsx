// A chart: drawn by ECharts in the colours of the current scheme and loaded when first needed. It is never the only place
// where a figure appears. The page supplies the option for a palette; floats in it are only positions on the screen.

import { Skeleton, useComputedColorScheme } from '@mantine/core'
import type { EChartsCoreOption, EChartsType } from 'echarts/core'
import { useEffect, useRef, useState } from 'react'
import { visibleText } from '../../../src/core/text/foreign-text.ts'
import classes from './chart.module.css'
import { decimalsOfStep, formatMark, roundScale } from './scale.ts'
import { visibleOption } from './visible-option.ts'

export interface Palette {
  readonly text: string
  readonly soft: string
  readonly line: string
  readonly ground: string
  readonly accent: string
  readonly amber: string
  readonly violet: string
  readonly green: string
  readonly red: string
  /** Colours for several lines in one chart. Labels tell the lines apart as well. */
  readonly several: readonly string[]
}

function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement)
  const of = (name: string) => style.getPropertyValue(name).trim()
  const [accent, violet, green, amber, red] = ['--accent', '--violet', '--green', '--amber', '--red'].map(of)
  return {
    text: of('--text'),
    soft: of('--text-soft'),
    line: of('--line'),
    ground: of('--ground'),
    accent: accent!,
    amber: amber!,
    violet: violet!,
    green: green!,
    red: red!,
    several: [accent!, amber!, green!, violet!, red!],
  }
}

/** Option that every chart begins with: thin lines, few grid lines, muted labels. Spread it and add to it. */
export function baseOption(palette: Palette): EChartsCoreOption {
  return {
    animation: false,
    textStyle: { fontFamily: "'Inter Variable', system-ui, sans-serif", color: palette.soft, fontSize: 12 },
    grid: { left: 8, right: 16, top: 16, bottom: 8, containLabel: true },
    tooltip: {
      trigger: 'axis',
      backgroundColor: palette.ground,
      borderColor: palette.line,
      borderWidth: 1,
      padding: [8, 12],
      textStyle: { color: palette.text, fontSize: 12 },
      axisPointer: { type: 'line', lineStyle: { color: palette.soft, width: 1, type: 'dashed' } },
      extraCssText: 'box-shadow: none; font-variant-numeric: tabular-nums',
      confine: true,
      transitionDuration: 0,
    },
  }
}

export function axisStyle(palette: Palette) {
  return {
    axisLine: { lineStyle: { color: palette.line } },
    axisTick: { lineStyle: { color: palette.line } },
    axisLabel: { color: palette.soft, fontSize: 12 },
    splitLine: { lineStyle: { color: palette.line, width: 1 } },
  }
}

export function heightAxis(palette: Palette, heights: readonly number[], marks = 5) {
  const known = heights.filter(Number.isFinite)
  const { low, high, step } = roundScale(Math.min(...known), Math.max(...known), marks)
  const decimals = decimalsOfStep(step)
  const style = axisStyle(palette)
  return {
    type: 'value',
    min: low,
    max: high,
    interval: step,
    ...style,
    axisLabel: { ...style.axisLabel, formatter: (value: number) => formatMark(value, decimals, '') },
    axisLine: { show: false },
    axisTick: { show: false },
  }
}

/** A tooltip built from elements: our policy forbids styles in HTML text. Rows are `[label, value, muted text]`. */
export function tooltipOf(title: string, rows: readonly (readonly [string, string, string?])[]): HTMLElement {
  const box = document.createElement('div')
  const head = document.createElement('div')
  head.className = classes.tipHead!
  head.textContent = visibleText(title)
  box.append(head)
  for (const [label, value, quiet] of rows) {
    const line = document.createElement('div')
    line.className = classes.tipLine!
    for (const [text, name] of [
      [label, classes.tipLabel],
      [value, classes.tipValue],
      [quiet ?? '', classes.tipQuiet],
    ] as const) {
      const part = document.createElement('span')
      part.className = name!
      part.textContent = visibleText(text)
      line.append(part)
    }
    box.append(line)
  }
  return box
}

interface ChartProps {
  readonly option: (palette: Palette) => EChartsCoreOption
  readonly height: number
  /** Contents of the chart, for screen readers. */
  readonly label: string
  /** The option always has the same parts, which are updated instead of recreated. For charts that redraw every frame. */
  readonly isSteady?: boolean
  /** Called once the chart exists, to add listeners; the function it returns is called when the chart is removed. */
  readonly onReady?: (chart: EChartsType) => undefined | (() => void)
}

export function Chart({ option, height, label, isSteady = false, onReady }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<EChartsType | null>(null)
  const ready = useRef(onReady)
  ready.current = onReady
  const scheme = useComputedColorScheme('light')
  const colours = useRef<{ readonly scheme: string; readonly palette: Palette } | null>(null)
  const [isDrawn, setDrawn] = useState(false)
  const [isMissing, setMissing] = useState(false)

  useEffect(() => {
    let isGone = false
    let leave: undefined | (() => void)
    let watch: ResizeObserver | null = null
    const draw = ({ init }: typeof import('./chart-engine.ts')) => {
      if (isGone || place.current === null) return
      const made = init(place.current)
      chart.current = made
      leave = ready.current?.(made) ?? undefined
      watch = new ResizeObserver(() => made.resize())
      watch.observe(place.current)
      setDrawn(true)
    }
    import('./chart-engine.ts').then(draw, () => setMissing(true))
    return () => {
      isGone = true
      watch?.disconnect()
      leave?.()
      chart.current?.dispose()
      chart.current = null
    }
  }, [])

  useEffect(() => {
    if (!isDrawn) return
    // Reading the colours forces the browser to compute styles, so it is done once per scheme.
    if (colours.current?.scheme !== scheme) colours.current = { scheme, palette: readPalette() }
    const how = isSteady ? { replaceMerge: ['series'] } : { notMerge: true }
    chart.current?.setOption(visibleOption(option(colours.current.palette)), how)
  }, [option, isDrawn, scheme, isSteady])

  return (
    <div className={classes.chart} style={{ height }}>
      {!isDrawn && !isMissing && <Skeleton height={height} radius={4} />}
      {isMissing && (
        <p className="soft">The chart could not be loaded. The figures are below; reload the page to try again.</p>
      )}
      <div ref={place} className={classes.place} style={{ height }} role="img" aria-label={label} />
    </div>
  )
}
