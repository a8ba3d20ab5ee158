// The contract's own words while a document is written: the text in the box, and the sentences that it becomes. Words that nobody
// touched stay as they are saved.
import { useDeferredValue, useMemo, useState } from 'react'
import {
  type ContractWords,
  findWordsProblems,
  hashOfWords,
  readPasted,
} from '../../../../../src/core/formula/words/contract-words.ts'
import type { SaveRequest } from '../../../../../src/views/calls/agreement-calls.ts'
import type { ProblemView } from '../../../../../src/views/shapes/session.ts'

export interface WordsWork {
  readonly text: string
  readonly setText: (text: string) => void
  readonly saved: readonly string[]
  readonly sentences: readonly string[]
  /** Number of hidden signs of the text that are not in the sentences. */
  readonly taken: number
  /** Whether saving makes another version. */
  readonly isChanged: boolean
  /** The text of the box where it is not as saved, for the draft; else null. */
  readonly begun: string | null
  /** Words that are sent with the document; undefined where the saved words stay. */
  readonly given: SaveRequest['words']
  readonly problems: readonly ProblemView[]
  readonly reset: () => void
}

const hashOf = (words: ContractWords | null) => (words === null ? null : hashOfWords(words))

/** `begun`: the text of the box from before a reload; null where it was as saved. */
export function useWords(saved: ContractWords | null, begun: string | null): WordsWork {
  const savedText = saved?.sentences.join('\n\n') ?? ''
  const [text, setText] = useState(begun ?? savedText)
  const settled = useDeferredValue(text)
  const read = useMemo(() => {
    const isTouched = settled !== savedText
    const { words, taken } = isTouched ? readPasted(settled) : { words: saved, taken: 0 }
    const isChanged = hashOf(words) !== hashOf(saved)
    const given = words === null ? null : { sentences: [...words.sentences], links: [...words.links] }
    return {
      saved: saved?.sentences ?? [],
      sentences: words?.sentences ?? [],
      taken,
      isChanged,
      given: isChanged ? given : undefined,
      problems: words === null ? [] : findWordsProblems(words, null).map(each => ({ ...each, line: null })),
    }
  }, [settled, savedText, saved])
  return {
    text,
    setText,
    begun: text === savedText ? null : text,
    ...read,
    reset: () => setText(savedText),
  }
}
