// The layer above the chart: hovering or the arrow keys show one period, a click or Enter opens its vintages, dragging or the
// wheel with Ctrl zooms. It draws only the pointer, so that the chart below does not have to redraw.
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import type { View } from '../view.ts'
import { firstPlace, hasValue, lastPlace, nearestPlace } from '../vintages.ts'
import classes from './chart.module.css'
import { ChartTip, tipWords } from './chart-tip.tsx'
import { lineColours } from './line-colours.ts'
import { dayAt, type Plot, xOf, yOf } from './plot.ts'

interface ChartLayerProps {
  readonly view: View
  readonly plot: Plot
  readonly unit: string
  readonly openPeriod: (label: string) => void
  readonly zoom: (fromDay: number, toDay: number, when: 'now' | 'soon') => void
}

/** A shorter drag is a click with an unsteady hand. */
const leastDrag = 8

export function ChartLayer({ view, plot, unit, openPeriod, zoom }: ChartLayerProps) {
  const box = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState<number | null>(null)
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number } | null>(null)
  const main = view.lines[0]!
  const { history } = main
  const cuts = view.today === null ? [main.cut] : [main.cut, view.today.cut]
  useWheel(box, plot, zoom)

  const xIn = (event: PointerEvent) => event.clientX - box.current!.getBoundingClientRect().left
  const placeAt = (x: number) => {
    const found = nearestPlace(history, dayAt(plot, x), cuts)
    return found < 0 ? null : Math.min(Math.max(found, main.first), main.end - 1)
  }
  const onPointerMove = (event: PointerEvent) => {
    const x = xIn(event)
    if (drag !== null) setDrag({ ...drag, to: Math.min(Math.max(x, plot.left), plot.width - plot.right) })
    setPlace(placeAt(x))
  }
  const onPointerDown = (event: PointerEvent) => {
    // A touch moves the pointer; the buttons above are for zooming.
    if (event.pointerType === 'touch' || event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const x = Math.max(xIn(event), plot.left)
    setDrag({ from: x, to: x })
  }
  const onPointerUp = (event: PointerEvent) => {
    const isZoom = drag !== null && Math.abs(drag.to - drag.from) >= leastDrag
    setDrag(null)
    if (isZoom) {
      const [from, to] = [drag.from, drag.to].sort((a, b) => a - b)
      zoom(dayAt(plot, from!), dayAt(plot, to!), 'now')
    } else {
      const at = placeAt(xIn(event))
      if (at !== null && (event.pointerType !== 'touch' || at === place)) openPeriod(history.labels[at]!)
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setDrag(null)
    else if ((event.key === 'Enter' || event.key === ' ') && place !== null) openPeriod(history.labels[place]!)
    else if (event.key === '+' || event.key === '-') zoomAround(place, event.key === '+' ? 0.6 : 1.6)
    else {
      const to = placeAfter(event.key, place, view)
      if (to === undefined) return
      if (to >= 0) setPlace(to)
    }
    event.preventDefault()
  }
  const zoomAround = (at: number | null, factor: number) => {
    const middle = at === null ? (plot.fromDay + plot.toDay) / 2 : history.firstDays[at]!
    zoom(middle - (middle - plot.fromDay) * factor, middle + (plot.toDay - middle) * factor, 'now')
  }
  const isShown = place !== null && place < history.labels.length
  return (
    <div
      ref={box}
      className={classes.overlay}
      role="slider"
      tabIndex={0}
      aria-label="Period on the chart; Enter opens its vintages, plus and minus zoom"
      aria-valuemin={main.first}
      aria-valuemax={Math.max(main.first, main.end - 1)}
      aria-valuenow={place ?? Math.max(main.first, main.end - 1)}
      aria-valuetext={isShown ? tipWords(view, place, unit) : 'None chosen'}
      onPointerMove={onPointerMove}
      onPointerDown={onPointerDown}
      onPointerUp={onPointerUp}
      onPointerLeave={() => setPlace(null)}
      onPointerCancel={() => setDrag(null)}
      onFocus={() => setPlace(current => current ?? lastPlace(history, main.cut, main.end))}
      onBlur={() => setPlace(null)}
      onKeyDown={onKeyDown}
    >
      {drag !== null && Math.abs(drag.to - drag.from) >= leastDrag && <Selection {...drag} plot={plot} />}
      {isShown && place >= 0 && <Pointer view={view} plot={plot} place={place} unit={unit} />}
    </div>
  )
}

function Selection({ from, to, plot }: { readonly from: number; readonly to: number; readonly plot: Plot }) {
  const style = {
    left: Math.min(from, to),
    width: Math.abs(to - from),
    top: plot.top,
    height: plot.height - plot.top - plot.bottom,
  }
  return <div className={classes.selection} style={style} />
}

function Pointer({ view, plot, place, unit }: { view: View; plot: Plot; place: number; unit: string }) {
  const main = view.lines[0]!
  const x = xOf(plot, main.history.firstDays[place]!)
  const height = main.heights[place]!
  return (
    <>
      <div
        className={classes.pointer}
        style={{ left: x, top: plot.top, height: plot.height - plot.top - plot.bottom }}
      />
      {!Number.isNaN(height) && (
        <div className={classes.dot} style={{ left: x, top: yOf(plot, height), background: lineColours[0] }} />
      )}
      <ChartTip view={view} plot={plot} place={place} unit={unit} />
    </>
  )
}

const strides: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1, PageUp: 12, PageDown: -12 }

/** The next position with a value in that direction; undefined for other keys. */
function placeAfter(key: string, from: number | null, { lines, today }: View): number | undefined {
  const { history, cut, first, end } = lines[0]!
  if (key === 'Home') return firstPlace(history, cut, first, end)
  if (key === 'End') return lastPlace(history, cut, end)
  const stride = strides[key]
  if (stride === undefined) return undefined
  if (from === null) return lastPlace(history, cut, end)
  const has = (i: number) => hasValue(history, cut, i) || (today !== null && hasValue(history, today.cut, i))
  const to = Math.min(Math.max(from + stride, first), end - 1)
  for (let i = to; i >= first && i < end; i += Math.sign(stride)) if (has(i)) return i
  return from
}

/** Only with Ctrl (or a pinch, which browsers report that way): the wheel alone still scrolls the page. */
function useWheel(box: React.RefObject<HTMLDivElement | null>, plot: Plot, zoom: ChartLayerProps['zoom']): void {
  const latest = useRef({ plot, zoom })
  latest.current = { plot, zoom }
  useEffect(() => {
    const element = box.current
    const onWheel = (event: WheelEvent) => {
      const { plot: at, zoom: go } = latest.current
      const { fromDay, toDay } = at
      const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY)
      if (!event.ctrlKey && !event.metaKey && !isSideways) return
      event.preventDefault()
      if (isSideways) {
        const by = (event.deltaX / (at.width - at.left - at.right)) * (toDay - fromDay)
        go(fromDay + by, toDay + by, 'soon')
        return
      }
      const middle = dayAt(at, event.clientX - element!.getBoundingClientRect().left)
      const factor = Math.exp(Math.max(-0.5, Math.min(0.5, event.deltaY * 0.004)))
      go(middle - (middle - fromDay) * factor, middle + (toDay - middle) * factor, 'soon')
    }
    element?.addEventListener('wheel', onWheel, { passive: false })
    return () => element?.removeEventListener('wheel', onWheel)
  }, [box])
}
