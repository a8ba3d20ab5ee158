// The rows of a long table: only visible rows are rendered, with spacers for the others above and below. Short tables are
// rendered in full.
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Up to this many rows are rendered at once without a noticeable delay. */
const fewRows = 60
const overscan = 12

/** Props that each row passes on to its `tr`, so that it is measured. */
export interface RowPlace {
  readonly 'data-index': number
  readonly ref: (element: HTMLTableRowElement | null) => void
}

interface VirtualBodyProps<Row> {
  readonly rows: readonly Row[]
  /** The height of a row with nothing folded under it, in pixels. */
  readonly height: number
  readonly columns: number
  readonly render: (row: Row, index: number, place: RowPlace) => ReactNode
  /** Called when the last rows become visible. */
  readonly onEnd?: (() => void) | undefined
}

export function VirtualBody<Row>({ rows, height, columns, render, onEnd }: VirtualBodyProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => setTop((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY), [])
  const virtual = useWindowVirtualizer({ count: rows.length, estimateSize: () => height, overscan, scrollMargin: top })
  const items = virtual.getVirtualItems()
  const isWhole = rows.length <= fewRows
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (last >= rows.length - 1) onEnd?.()
  }, [last, rows.length, onEnd])
  const shown = isWhole ? rows.map((_, index) => index) : items.map(({ index }) => index)
  const above = isWhole || items.length === 0 ? 0 : items[0]!.start - top
  const below = isWhole || items.length === 0 ? 0 : virtual.getTotalSize() - (items.at(-1)!.end - top)
  return (
    <tbody ref={body}>
      {above > 0 && <Spacer height={above} columns={columns} />}
      {shown.map(index => render(rows[index]!, index, { 'data-index': index, ref: virtual.measureElement }))}
      {below > 0 && <Spacer height={below} columns={columns} />}
    </tbody>
  )
}

function Spacer({ height, columns }: { readonly height: number; readonly columns: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it can be focused.
    <tr aria-hidden="true">
      <td colSpan={columns} style={{ height, padding: 0, border: 0 }} />
    </tr>
  )
}
