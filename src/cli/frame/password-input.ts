// A password from standard input: never on the command line, where others on the machine could read it.
import process from 'node:process'
import { Refusal } from '../../core/refusal.ts'
import { limits } from '../../limits.ts'

/** Reads one line, without its end. The length is checked before anybody is added, so that no account is left half created. */
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
