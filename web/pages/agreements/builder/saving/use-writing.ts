// What is being written, kept for this tab: the text, what it was started from, and which sentences of a pasted clause were ticked
// off.
import { useEffect, useState } from 'react'
import type { KeptClause } from '../../../../../src/core/formula/pasted/clause-check.ts'
import { useClause } from '../clause/use-clause.ts'
import { keepDraft, readDraft } from './draft.ts'
import type { Origin } from './save-dialog.tsx'

export type Writing = ReturnType<typeof useWriting>

export function useWriting(saved: Origin, draftPlace: string, savedClause: KeptClause | null) {
  const [begun] = useState(() => readDraft(draftPlace))
  // A draft keeps the version it was started from, which may not be the newest any more.
  const [origin, setOrigin] = useState<Origin>(
    begun === null ? saved : { ...saved, version: begun.basedOn, revision: begun.revision },
  )
  const [text, setText] = useState(begun?.text ?? saved.text)
  const [wasRestored, setRestored] = useState(begun !== null && begun.text !== saved.text)
  const work = useClause(savedClause, begun?.clause ?? null)
  const isDirty = text !== origin.text || work?.isChanged === true
  const clause = work?.clause ?? null
  useEffect(() => {
    const { version, revision } = origin
    keepDraft(draftPlace, isDirty ? { text, basedOn: version, revision, clause } : null)
  }, [text, isDirty, draftPlace, origin, clause])
  return {
    text,
    setText,
    origin,
    setOrigin,
    work,
    isDirty,
    wasRestored: wasRestored && isDirty,
    /** Goes back to what is saved. */
    discard: () => {
      setText(saved.text)
      setOrigin(saved)
      setRestored(false)
      work?.reset()
    },
    /** Continues from what somebody else saved. */
    follow: () => {
      setOrigin(saved)
      setText(saved.text)
    },
  }
}
