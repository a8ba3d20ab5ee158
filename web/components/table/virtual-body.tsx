// The rows of a long table: only visible rows are rendered, with spacers for the others above and below. Short tables are
// rendered in full. Arrow keys go from row to row where each row is a link.
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'

/** Up to this many rows are rendered at once without a noticeable delay. */
const fewRows = 60
const overscan = 12
/** The bar of the frame and the table head cover this much. */
const covered = 56 + 36

/** Reference for the `tr` of each row, so that its height is known. */
export type Measure = (element: HTMLTableRowElement | null) => void

export interface Virtual<Row> {
  /** The height of a row with nothing folded under it, in pixels. */
  readonly height: number | ((row: Row) => number)
  /** Called when the last rows become visible. */
  readonly onEnd?: () => void
  readonly onShown?: (rows: readonly Row[]) => void
  /** Whether arrow keys go from the link of one row to the next. */
  readonly hasArrowKeys?: boolean
  /** Gets a function that brings a row into view and focuses its main link or button. */
  readonly goTo?: RefObject<GoTo | null>
}

export type GoTo = (index: number) => void

/** Elements by which the keyboard reaches a row. */
const rowTarget = 'a, button[data-row]'

interface VirtualBodyProps<Row> {
  readonly rows: readonly Row[]
  readonly columns: number
  readonly virtual: Virtual<Row>
  readonly keyOf: (row: Row, index: number) => string | number
  readonly render: (row: Row, index: number, measure: Measure) => ReactNode
}

export function VirtualBody<Row>({ rows, columns, virtual: wanted, keyOf, render }: VirtualBodyProps<Row>) {
  const { height, onEnd, onShown, hasArrowKeys = false, goTo } = wanted
  const body = useRef<HTMLTableSectionElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => setTop((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY), [])
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: index => (typeof height === 'number' ? height : height(rows[index]!)),
    getItemKey: index => keyOf(rows[index]!, index),
    overscan,
    scrollMargin: top,
    scrollPaddingStart: covered,
  })
  const items = virtual.getVirtualItems()
  const isWhole = rows.length <= fewRows
  const first = isWhole ? 0 : (items[0]?.index ?? 0)
  const last = isWhole ? rows.length - 1 : (items.at(-1)?.index ?? 0)
  useEffect(() => {
    if (last >= rows.length - 1) onEnd?.()
  }, [last, rows.length, onEnd])
  useEffect(() => onShown?.(rows.slice(first, last + 1)), [rows, first, last, onShown])
  const above = isWhole || items.length === 0 ? 0 : items[0]!.start - top
  const below = isWhole || items.length === 0 ? 0 : virtual.getTotalSize() - (items.at(-1)!.end - top)
  const go: GoTo = index => {
    const target = () => body.current?.querySelector<HTMLElement>(`tr[data-index="${index}"] :is(${rowTarget})`)
    if (!isWhole) virtual.scrollToIndex(index)
    // The browser tells of scrolling only when it draws; the next key may come before that and must find the focus here.
    if (target() == null) window.dispatchEvent(new Event('scroll'))
    target()?.focus()
  }
  useImperativeHandle(goTo, () => go)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const from = (event.target as HTMLElement).closest<HTMLElement>(rowTarget)?.closest('tr')?.dataset.index
    const to = from === undefined ? undefined : rowAfter(event.key, Number.parseInt(from, 10), rows.length)
    if (to === undefined) return
    event.preventDefault()
    go(to)
  }
  return (
    <tbody ref={body} {...(hasArrowKeys ? { onKeyDown } : {})}>
      {above > 0 && <Spacer height={above} columns={columns} />}
      {rows.slice(first, last + 1).map((row, i) => render(row, first + i, virtual.measureElement))}
      {below > 0 && <Spacer height={below} columns={columns} />}
    </tbody>
  )
}

const rowsPerPage = 10

function rowAfter(key: string, at: number, count: number): number | undefined {
  const ways: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + rowsPerPage,
    PageUp: at - rowsPerPage,
    Home: 0,
    End: count - 1,
  }
  const to = ways[key]
  return to === undefined ? undefined : Math.min(Math.max(to, 0), count - 1)
}

function Spacer({ height, columns }: { readonly height: number; readonly columns: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it can be focused.
    <tr aria-hidden="true">
      <td colSpan={columns} style={{ height, padding: 0, border: 0 }} />
    </tr>
  )
}
