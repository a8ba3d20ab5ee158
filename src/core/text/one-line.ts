// Texts of one line that people write: names of workspaces, parties, people, keys, agreements and series, units, reasons. They
// stand in mails, receipts, lists and on terminals, where a line break or a hidden sign would make them say something else, so
// none comes in. What was stored before stays, and goes out as any other text of somebody else does.
import { Refusal } from '../refusal.ts'
import { visibleText } from './foreign-text.ts'

/** Those that choose how the letter before them is written come in. */
const chosenForms = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu

export function isOneLine(text: string): boolean {
  const plain = text.replaceAll(chosenForms, '')
  return visibleText(plain) === plain
}

/** Of texts with several lines: controls but for line breaks and tabs. */
export function hasControls(text: string): boolean {
  return /(?![\n\r\t])\p{Cc}/u.test(text)
}

/** What a refusal says behind the name of the text. */
export const oneLineRule = 'must be one line without control characters and hidden signs'

/** Without spaces around it. `what` begins the sentence of a refusal: `a party's name`. */
export function readOneLine(given: string, what: string, mostCharacters: number): string {
  const text = given.trim()
  if (text === '' || text.length > mostCharacters)
    throw new Refusal('invalid', `${what} must have 1 to ${mostCharacters} characters, got ${text.length}`)
  if (!isOneLine(text)) throw new Refusal('invalid', `${what} ${oneLineRule}, got ${JSON.stringify(text)}`)
  return text
}
