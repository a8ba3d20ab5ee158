// The problems of a formula document as the pages show them: each with the line of the text it belongs to.
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
