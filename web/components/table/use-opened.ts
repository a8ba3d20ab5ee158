// Which rows of a table are opened, by their keys.
import { useState } from 'react'

interface Opened {
  readonly has: (key: string) => boolean
  /** Opens it, or closes it again. */
  readonly turn: (key: string) => void
}

export function useOpened(first: readonly string[] = []): Opened {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set(first))
  const turn = (key: string) => {
    const next = new Set(opened)
    if (!next.delete(key)) next.add(key)
    setOpened(next)
  }
  return { has: key => opened.has(key), turn }
}
