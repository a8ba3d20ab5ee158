// Whether the screen is narrow, as the styles of tables understand it.
import { useSyncExternalStore } from 'react'

const narrow = window.matchMedia('(max-width: 48em)')

function subscribe(changed: () => void): () => void {
  narrow.addEventListener('change', changed)
  return () => narrow.removeEventListener('change', changed)
}

export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches)
}
