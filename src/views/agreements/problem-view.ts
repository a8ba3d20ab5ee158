// Problems of a formula document for the pages, each with the line of its text.
import { nearestLine } from '../../core/formula/raw.ts'
import type { Problem } from '../../core/refusal.ts'
import type { ProblemView } from '../shapes/session.ts'

export function problemViews(problems: readonly Problem[], lines: ReadonlyMap<string, number>): ProblemView[] {
  return problems.map(({ path, message, words, line = null, at, weights }) => ({
    path,
    message,
    ...(words === undefined ? {} : { words }),
    line: nearestLine(path, lines) ?? line,
    ...(at === undefined ? {} : { at }),
    ...(weights === undefined ? {} : { weights }),
  }))
}
