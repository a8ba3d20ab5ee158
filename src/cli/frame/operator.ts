// The name under which a command is noted in a workspace's activity: the operator, or the person they name. It is
// information for people and grants no access: anyone who runs commands has full access to the database anyway.
import { readEmail } from '../../storage/people/people.ts'
import { type Invocation, textOption } from './command.ts'

export const actorSpec = {
  type: 'string',
  value: 'E',
  help: 'the e-mail address of the person doing this; default: the operator',
} as const

const operator = 'operator'

export function actorOf(invocation: Invocation): string {
  const email = textOption(invocation, 'as')
  return email === null ? operator : readEmail(email)
}
