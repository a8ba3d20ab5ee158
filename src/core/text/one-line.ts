// Texts of one line that people write: names of workspaces, parties, people, keys, agreements and series, units, reasons. In
// mails, receipts, lists and terminals a line break or a hidden sign would change their meaning, so none comes in. Texts stored
// before stay, and go out like any other text of somebody else.
import { Refusal } from '../refusal.ts'
import { visibleText } from './foreign-text.ts'

/** Selectors that choose the form of the letter before them are allowed. */
const chosenForms = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu

export function isOneLine(text: string): boolean {
  const plain = text.replaceAll(chosenForms, '')
  return visibleText(plain) === plain
}

/** Whether a text of several lines has controls but for line breaks and tabs. */
export function hasControls(text: string): boolean {
  return /(?![\n\r\t])\p{Cc}/u.test(text)
}

/** The words of a refusal behind the name of the text. */
export const oneLineRule = 'must be one line without control characters and hidden signs'

/** A text without spaces around it. `what` begins the sentence of a refusal: `a party's name`. */
export function readOneLine(given: string, what: string, mostCharacters: number): string {
  const text = given.trim()
  if (text === '' || text.length > mostCharacters)
    throw new Refusal('invalid', `${what} must have 1 to ${mostCharacters} characters, got ${text.length}`)
  if (!isOneLine(text)) throw new Refusal('invalid', `${what} ${oneLineRule}, got ${JSON.stringify(text)}`)
  return text
}
