// The problems of a formula document as the pages show them: each with the line of the text it belongs to.
import type { Problem } from '../../core/refusal.ts'
import type { ProblemView } from './wire/session.ts'

export function problemViews(problems: readonly Problem[], lines: ReadonlyMap<string, number>): ProblemView[] {
  return problems.map(({ path, message }) => ({ path, message, line: lineOf(path, message, lines) }))
}

/** What cannot be read at all says its line itself. */
const unreadable = /^line (\d+) cannot be read/

/** A missing key has no line of its own: the thing it is missing from has. */
function lineOf(path: string, message: string, lines: ReadonlyMap<string, number>): number | null {
  for (let at = path; at !== ''; at = at.replace(/(?:\.[^.[\]]+|\[\d+\])$|^[^.[\]]+$/, '')) {
    const line = lines.get(at)
    if (line !== undefined) return line
  }
  const told = unreadable.exec(message)?.[1]
  return told === undefined ? null : Number.parseInt(told, 10)
}
