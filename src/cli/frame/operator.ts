// The name under which a command is noted in a workspace's activity: the operator, or the person they name. The name informs
// people and grants no access: anyone who runs commands has full access to the database anyway.
import type { Act } from '../../core/people/acts.ts'
import { noteAct } from '../../storage/audit/audit-acts.ts'
import { readEmail } from '../../storage/people/people.ts'
import type { Sql } from '../../storage/postgres/database.ts'
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

/** Notes a command about the installation itself, for observers from outside; its effect on a workspace is noted there. */
export function noteCommand(sql: Sql, invocation: Invocation, act: Act, said: string, subject: string): Promise<void> {
  return noteAct(sql, { act, who: actorOf(invocation), fromAddress: null, said, subject })
}
