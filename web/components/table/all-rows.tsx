// A long table on paper: the screen has only a part of it, so all rows are fetched first and printed in its place, by the button
// and by the keys of the browser. A browser that is told to print in another way waits for nothing: then the paper says so.
import { type ReactNode, useEffect, useState } from 'react'
import { formatCount } from '../words/words.ts'

export interface PrintedRows<Row> {
  /** Rows to print; null while nothing is being printed. */
  readonly rows: readonly Row[] | null
  readonly isReading: boolean
  readonly print: () => Promise<void>
}

/** `read` is null where there is nothing to print. */
export function usePrintedRows<Row>(read: (() => Promise<readonly Row[]>) | null): PrintedRows<Row> {
  const [rows, setRows] = useState<readonly Row[] | null>(null)
  const [isReading, setReading] = useState(false)
  useEffect(() => {
    if (rows === null) return
    const done = () => setRows(null)
    window.addEventListener('afterprint', done, { once: true })
    window.print()
    return () => window.removeEventListener('afterprint', done)
  }, [rows])
  const print = async () => {
    if (read === null || isReading) return
    setReading(true)
    try {
      setRows(await read())
    } finally {
      setReading(false)
    }
  }
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const isAsked = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key === 'p'
      if (!isAsked || read === null) return
      event.preventDefault()
      void print()
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  })
  return { rows, isReading, print }
}

interface AllRowsProps<Row> {
  readonly rows: readonly Row[] | null
  /** Number of rows on the screen, and of all rows. */
  readonly shown: number
  readonly count: number
  readonly children: (rows: readonly Row[]) => ReactNode
}

/** Rows on paper alone. */
export function AllRows<Row>({ rows, shown, count, children }: AllRowsProps<Row>) {
  if (rows !== null) return <div className="print-only">{children(rows)}</div>
  if (shown >= count) return null
  return (
    <p className="print-only">
      This paper has only the rows that were on the screen, not all {formatCount(count)}. The Print button of the page
      prints all rows.
    </p>
  )
}
