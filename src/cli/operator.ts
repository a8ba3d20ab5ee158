// Under whose name a command is noted in a workspace's activity: the operator, or the person they name. It is a note for
// people to read and opens no door: whoever runs commands has the database in their hands.
import { readEmail } from '../storage/people.ts'
import { type Invocation, textOption } from './command.ts'

export const actorSpec = {
  type: 'string',
  value: 'E',
  help: 'the e-mail of who does it; the operator unless said otherwise',
} as const

const operator = 'operator'

export function actorOf(invocation: Invocation): string {
  const email = textOption(invocation, 'as')
  return email === null ? operator : readEmail(email)
}
