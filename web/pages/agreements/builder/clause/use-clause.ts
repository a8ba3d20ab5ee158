// The pasted clause of a document that is being written, and which of its sentences were ticked off.
import { useMemo, useState } from 'react'
import { type KeptClause, openSentences } from '../../../../../src/core/formula/pasted/clause-check.ts'
import type { ProblemView } from '../../../../../src/views/shapes/session.ts'
import { countOf } from '../../../../components/words/words.ts'

export interface ClauseWork {
  readonly clause: KeptClause
  readonly tick: (sentence: string, isChecked: boolean) => void
  readonly isChanged: boolean
  /** How many sentences are neither understood nor ticked off. */
  readonly open: number
  readonly reset: () => void
}

/** Null if no clause was pasted. `begun` is the unsaved one of before a reload. */
export function useClause(saved: KeptClause | null, begun: KeptClause | null): ClauseWork | null {
  const [checked, setChecked] = useState<readonly string[]>((begun ?? saved)?.checked ?? [])
  const text = saved?.text ?? null
  return useMemo(() => {
    if (text === null) return null
    const clause = { text, checked }
    return {
      clause,
      tick: (sentence, isChecked) =>
        setChecked(before => [...before.filter(each => each !== sentence), ...(isChecked ? [sentence] : [])]),
      isChanged: [...checked].sort().join('\n') !== [...(saved?.checked ?? [])].sort().join('\n'),
      open: openSentences(clause).length,
      reset: () => setChecked(saved?.checked ?? []),
    }
  }, [text, checked, saved])
}

/** The server refuses it as well: what is not ticked off cannot be in force. */
export function clauseProblems(work: ClauseWork | null, status: unknown): readonly ProblemView[] {
  if (work === null || work.open === 0 || status !== 'ACTIVE') return []
  const message = `cannot be active yet: ${countOf(work.open, 'sentence')} of your clause ${work.open === 1 ? 'is' : 'are'} neither in the form nor ticked off`
  return [{ path: 'status', message, line: null }]
}
