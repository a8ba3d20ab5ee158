// A long table on paper: what is on the screen is a part of it, so all rows are fetched first and printed in its place.
import { type ReactNode, useEffect, useState } from 'react'

interface PrintedRows<Row> {
  /** Null while nothing is being printed. */
  readonly rows: readonly Row[] | null
  readonly isReading: boolean
  readonly print: (read: () => Promise<readonly Row[]>) => Promise<void>
}

export function usePrintedRows<Row>(): PrintedRows<Row> {
  const [rows, setRows] = useState<readonly Row[] | null>(null)
  const [isReading, setReading] = useState(false)
  useEffect(() => {
    if (rows === null) return
    const done = () => setRows(null)
    window.addEventListener('afterprint', done, { once: true })
    window.print()
    return () => window.removeEventListener('afterprint', done)
  }, [rows])
  const print = async (read: () => Promise<readonly Row[]>) => {
    setReading(true)
    try {
      setRows(await read())
    } finally {
      setReading(false)
    }
  }
  return { rows, isReading, print }
}

interface AllRowsProps<Row> {
  readonly rows: readonly Row[] | null
  readonly children: (rows: readonly Row[]) => ReactNode
}

/** On paper alone. */
export function AllRows<Row>({ rows, children }: AllRowsProps<Row>) {
  return rows === null ? null : <div className="print-only">{children(rows)}</div>
}
