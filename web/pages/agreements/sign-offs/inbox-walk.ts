// Where somebody is in the inbox: the line that the keys are about, and the row that is open beside the list.
import { useCallback, useRef, useState } from 'react'
import type { InboxRow } from '../../../../src/views/shapes/inbox.ts'
import type { GoTo } from '../../../components/table/virtual-body.tsx'
import { type InboxLine, keyOfLine } from './inbox-table.tsx'
import { keyOfRow } from './selection.ts'

export function useWalk(rows: readonly InboxRow[], lines: readonly InboxLine[]) {
  const [openedKey, setOpened] = useState<string | null>(null)
  const goTo = useRef<GoTo>(null)
  const current = useRef<string | null>(null)
  const opened = rows.find(row => keyOfRow(row) === openedKey)
  const placeOf = (key: string | null) => lines.findIndex(line => keyOfLine(line) === key)
  const show = (place: number) => {
    if (place >= 0) goTo.current?.(place)
  }
  return {
    /** What the table gives to go to a line. */
    goTo,
    opened,
    open: useCallback((row: InboxRow) => setOpened(keyOfRow(row)), []),
    close() {
      setOpened(null)
      show(placeOf(current.current))
    },
    /** The focus came to a line by itself. */
    arrive(key: string) {
      current.current = key
    },
    line: () => lines[placeOf(current.current)],
    move(by: number) {
      const from = placeOf(current.current)
      const to = from < 0 ? 0 : from + by
      const line = lines[to]
      if (line === undefined) return
      current.current = keyOfLine(line)
      show(to)
      if (openedKey !== null) setOpened(keyOfRow(line.row))
    },
    goOn(key: string) {
      setOpened(key)
      current.current = key
      show(placeOf(key))
    },
  }
}
