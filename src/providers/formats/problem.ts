// What is told of an answer beside its figures: problems in one line, without keys and control characters, and readings put
// together.
import type { ProblemKind, Reading, ReadingProblem } from '../provider.ts'

export const nothingRead: Reading = { series: [], problems: [] }

export function failed(kind: ProblemKind, message: string): Reading {
  return { series: [], problems: [problem(kind, message)] }
}

export function problem(kind: ProblemKind, message: string): ReadingProblem {
  return { kind, message: sentence(message) || noWords }
}

/** For a message of blanks and control characters. */
const noWords = 'the provider answered with an error and no message'

/** One reading of many; what several of them say in the same words is one problem. */
export function joinReadings(readings: readonly Reading[]): Reading {
  const problems = new Map<string, ReadingProblem>()
  for (const each of readings.flatMap(reading => reading.problems)) problems.set(`${each.kind} ${each.message}`, each)
  return { series: readings.flatMap(each => each.series), problems: [...problems.values()] }
}

/** One line of at most 300 characters without control characters and without keys. */
export function sentence(text: string): string {
  const line = blankKeys(text)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  return line.length > 300 ? `${line.slice(0, 299)}…` : line
}

/** Keys that providers repeat: `The key:ABC provided`, `your API key: abc.`, `registration key abc has`, `api_key=abc`. */
export function blankKeys(text: string): string {
  return text
    .replace(/\b(api_key|registrationkey|apikey|token)=[^&\s"'<>]+/gi, '$1=***')
    .replace(/("(?:api_key|registrationkey)"\s*:\s*")[^"]*/gi, '$1***')
    .replace(/((?:\b|_)key:\s*)\S+?(?=[.,;]?(?:\s|$))/gi, '$1***')
    .replace(/\b(user )\S+(?= has exceeded)/gi, '$1***')
    .replace(/\b(registration key\s+)(?!is\b|was\b|has\b)\S+/gi, '$1***')
}

export function quoted(text: string): string {
  return `"${text.length > 60 ? `${text.slice(0, 59)}…` : text}"`
}

/** The beginning of a text on one line, for messages. */
export function excerpt(text: string, length = 200): string {
  const line = text
    .slice(0, length * 4)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > length ? `${line.slice(0, length)}…` : line
}
