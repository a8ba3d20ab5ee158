// The problems of a formula document as the pages show them: each with the line of the text it belongs to.
import { nearestLine } from '../../core/formula/raw.ts'
import type { Problem } from '../../core/refusal.ts'
import type { ProblemView } from './wire/session.ts'

export function problemViews(problems: readonly Problem[], lines: ReadonlyMap<string, number>): ProblemView[] {
  return problems.map(({ path, message, words }) => ({
    path,
    message,
    ...(words === undefined ? {} : { words }),
    line: nearestLine(path, lines) ?? lineTold(message),
  }))
}

/** The message about unreadable text already names its line. */
function lineTold(message: string): number | null {
  const told = /^line (\d+) cannot be read/.exec(message)?.[1]
  return told === undefined ? null : Number.parseInt(told, 10)
}
