// Place of somebody in the inbox: one marked line, which has the focus, is outlined, opens beside the list, and is signed.
import { useCallback, useRef, useState } from 'react'
import type { GoTo } from '../../../components/table/virtual-body.tsx'
import { type InboxLine, keyOfLine } from './inbox-table.tsx'

interface Mark {
  /** Key of the line; null before there was one. */
  readonly key: string | null
  readonly isOpen: boolean
}

export function useWalk(lines: readonly InboxLine[]) {
  const [mark, setMark] = useState<Mark>({ key: null, isOpen: false })
  const goTo = useRef<GoTo>(null)
  // A callback from an earlier drawing also sees the newest lines.
  const newest = useRef(lines)
  newest.current = lines
  const placeOf = (key: string | null) => newest.current.findIndex(line => keyOfLine(line) === key)
  const place = placeOf(mark.key)
  const line = lines[place]
  const show = (to: number) => {
    if (to >= 0) goTo.current?.(to)
  }
  return {
    goTo,
    line,
    isOpen: mark.isOpen && line !== undefined,
    open: useCallback((opened: InboxLine) => setMark({ key: keyOfLine(opened), isOpen: true }), []),
    close() {
      setMark({ ...mark, isOpen: false })
      show(place)
    },
    /** The focus came to a line by itself. */
    arrive: (key: string) => setMark(before => (before.key === key ? before : { ...before, key })),
    move(by: number) {
      const to = place < 0 ? 0 : place + by
      const next = lines[to]
      if (next === undefined) return
      setMark({ ...mark, key: keyOfLine(next) })
      show(to)
    },
    goOn(key: string) {
      setMark({ key, isOpen: true })
      show(placeOf(key))
    },
  }
}
