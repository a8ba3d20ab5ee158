// Opened rows of a table, by their keys.
import { useState } from 'react'

export interface Opened {
  readonly has: (key: string) => boolean
  readonly turn: (key: string) => void
}

export function useOpened(first: readonly string[] = []): Opened {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set(first))
  const turn = (key: string) => setOpened(turned(opened, key))
  return { has: key => opened.has(key), turn }
}

/** The keys with this key, or without it if it was there. */
export function turned(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys)
  if (!next.delete(key)) next.add(key)
  return next
}
