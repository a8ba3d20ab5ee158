// Answers that were encoded once and are kept beside what they were made from; they go when that goes.
import { createHash } from 'node:crypto'
import { type Answer, inOnePiece } from '../answer.ts'

/** Kept answers of a list or a formula; the oldest make room. */
const mostAnswers = 256

export function keptAnswer(answers: ReadonlyMap<string, unknown>, key: string): Answer | undefined {
  return answers.get(key) as Answer | undefined
}

export function keepAnswer(answers: Map<string, unknown>, key: string, answer: Answer, most = mostAnswers): Answer {
  for (const oldest of answers.keys()) {
    if (answers.size < most) break
    answers.delete(oldest)
  }
  const kept = inOnePiece(answer)
  answers.set(key, kept)
  return kept
}

/** A strong tag from the bytes themselves. */
export function contentTag(body: string): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
}
