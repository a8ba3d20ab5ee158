// A password from standard input: never among the words of a command, where others on the machine could read it.
import process from 'node:process'
import { Refusal } from '../core/refusal.ts'
import { limits } from '../limits.ts'

/** A line, without its end. Checked before anybody is admitted, so that nobody stays behind half made. */
export async function readPassword(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += chunk
    if (text.length > limits.maximumPasswordLength * 2) break
  }
  const password = text.replace(/\r?\n$/, '')
  const { minimumPasswordLength: least, maximumPasswordLength: most } = limits
  if (password.length < least || password.length > most)
    throw new Refusal('invalid', `a password must have ${least} to ${most} characters, got ${password.length}`)
  return password
}
