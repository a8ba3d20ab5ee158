// State of a page, kept in its address as plain text. A change shows at once; while something is dragged or typed the address
// follows a moment later, because browsers limit how often it may change.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'

export type AddressTexts = Readonly<Record<string, string | undefined>>

/** `soon`: more changes like this one are likely to follow. */
export type ChangeAddress = (change: AddressTexts, when?: 'now' | 'soon') => void

const settleMs = 200

/** `isMoving`: something is being dragged or typed right now. */
export function useAddress(): [texts: AddressTexts, change: ChangeAddress, isMoving: boolean] {
  const search: AddressTexts = useSearch({ strict: false })
  const navigate = useNavigate()
  const [ahead, setAhead] = useState<AddressTexts | null>(null)
  const [isMoving, setMoving] = useState(false)
  const pending = useRef<AddressTexts | null>(null)
  const timer = useRef(0)

  const settle = useCallback(() => {
    clearTimeout(timer.current)
    setMoving(false)
    const change = pending.current
    if (change === null) return
    const arrived = navigate({
      to: '.',
      search: ((before: AddressTexts) => ({ ...before, ...change })) as never,
      replace: true,
      resetScroll: false,
    })
    void arrived.then(() => {
      // A later change is still pending and settles on its own.
      if (pending.current !== change) return
      pending.current = null
      setAhead(null)
    })
  }, [navigate])

  const change = useCallback<ChangeAddress>(
    (texts, when = 'now') => {
      pending.current = { ...pending.current, ...texts }
      setAhead(pending.current)
      clearTimeout(timer.current)
      if (when === 'now') settle()
      else {
        setMoving(true)
        timer.current = window.setTimeout(settle, settleMs)
      }
    },
    [settle],
  )

  // Leaving the page drops a pending change: the address now belongs to another page.
  useEffect(() => () => clearTimeout(timer.current), [])

  return [ahead === null ? search : { ...search, ...ahead }, change, isMoving]
}
