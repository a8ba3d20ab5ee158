// Builds problems, each in one line without keys and control characters, and joins parsed answers.
import type { AnswerProblem, ParsedAnswer, ProblemKind } from '../provider.ts'

export const nothingRead: ParsedAnswer = { series: [], problems: [] }

export function failed(kind: ProblemKind, message: string): ParsedAnswer {
  return { series: [], problems: [problem(kind, message)] }
}

export function problem(kind: ProblemKind, message: string): AnswerProblem {
  return { kind, message: sentence(message) || noWords }
}

/** Replaces a message that is empty or only white space. */
const noWords = 'the provider answered with an error and no message'

/** Joins parsed answers into one; problems with the same words are reported once. */
export function joinAnswers(answers: readonly ParsedAnswer[]): ParsedAnswer {
  const problems = new Map<string, AnswerProblem>()
  for (const each of answers.flatMap(parsed => parsed.problems)) problems.set(`${each.kind} ${each.message}`, each)
  return { series: answers.flatMap(each => each.series), problems: [...problems.values()] }
}

/** One line of at most 300 characters without control characters and without keys. */
export function sentence(text: string): string {
  const line = blankKeys(text)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  return line.length > 300 ? `${line.slice(0, 299)}…` : line
}

/** Keys as providers repeat them: `The key:ABC provided`, `your API key: abc.`, `registration key abc has`, `api_key=abc`. */
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
