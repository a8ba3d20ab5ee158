// The linter's messages for people who only read an agreement: sentences without the document's keys and codes.
import type { ProblemView } from '../../../../src/views/shapes/session.ts'
import { asSentence, formatDaysIn } from '../../../components/words/words.ts'

/** `Steel: on 1 Apr 2024 the value of 2024-02 is not out yet …` */
export function formatAdvice({ path, message, words }: ProblemView): string {
  const input = /^inputs\.([^.[]+)/.exec(path)?.[1]?.replaceAll('_', ' ')
  const said = formatDaysIn(words ?? message)
  return asSentence(input === undefined ? said : `${input}: ${said}`)
}
