// Document in the making, kept for this tab: the text, the text it was started from, and the contract's own words.
import { useEffect, useState } from 'react'
import type { ContractWords } from '../../../../../src/core/formula/words/contract-words.ts'
import { useWords } from '../words/use-words.ts'
import { keepDraft, readDraft } from './draft.ts'
import type { Origin } from './save-dialog.tsx'

export type Writing = ReturnType<typeof useWriting>

export function useWriting(saved: Origin, draftPlace: string, savedWords: ContractWords | null) {
  const [begun] = useState(() => readDraft(draftPlace))
  // A draft keeps the version it was started from, which may not be the newest any more.
  const [origin, setOrigin] = useState<Origin>(
    begun === null ? saved : { ...saved, version: begun.basedOn, revision: begun.revision },
  )
  const [text, setText] = useState(begun?.text ?? saved.text)
  const [wasRestored, setRestored] = useState(begun !== null && (begun.text !== saved.text || begun.words !== null))
  const words = useWords(savedWords, begun?.words ?? null)
  const isDirty = text !== origin.text || words.isChanged
  const box = words.begun
  useEffect(() => {
    const { version, revision } = origin
    keepDraft(draftPlace, isDirty ? { text, basedOn: version, revision, words: box } : null)
  }, [text, isDirty, draftPlace, origin, box])
  return {
    text,
    setText,
    origin,
    setOrigin,
    words,
    isDirty,
    wasRestored: wasRestored && isDirty,
    /** Goes back to the saved text. */
    discard: () => {
      setText(saved.text)
      setOrigin(saved)
      setRestored(false)
      words.reset()
    },
    /** Continues from the text that somebody else saved. */
    follow: () => {
      setOrigin(saved)
      setText(saved.text)
    },
  }
}
