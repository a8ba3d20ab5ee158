// Names that people write, of workspaces, parties, people and keys: one line of visible text. Names stand in mails,
// receipts and lists, where a line break or a hidden sign would make them say something else.
import { Refusal } from '../refusal.ts'

/** Control characters, separators of lines, and signs that turn the direction of what follows. */
const hidden = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u

export function isPlain(text: string): boolean {
  return !hidden.test(text)
}

/** Without spaces around it. `what` begins the sentence of a refusal: `a party's name`. */
export function readPlainName(given: string, what: string, mostCharacters: number): string {
  const name = given.trim()
  if (name === '' || name.length > mostCharacters)
    throw new Refusal('invalid', `${what} must have 1 to ${mostCharacters} characters, got ${name.length}`)
  if (!isPlain(name))
    throw new Refusal('invalid', `${what} must be one line without control characters, got ${JSON.stringify(name)}`)
  return name
}
