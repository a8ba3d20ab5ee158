// `user password`: lets a person who forgot their password back in. The new one comes from standard input or is generated
// and shown once; all their sessions end.
import { randomBytes } from 'node:crypto'
import { readEmail, recordAboutPerson, replacePassword } from '../../storage/people/people.ts'
import { noteInPlaces } from '../../storage/workspaces/activity.ts'
import { accountOptions, accountWorkspace } from '../frame/account-command.ts'
import { type Command, printJson } from '../frame/command.ts'
import { withInstallation } from '../frame/installation.ts'
import { actorOf } from '../frame/operator.ts'
import { readPassword } from '../frame/password-input.ts'

export const userPasswordCommand: Command = {
  name: 'user password',
  usage: '<email> [--workspace W] [--password-stdin]',
  summary: 'Gives a person a new password, generated and shown once unless one is given. Their sessions end.',
  options: {
    ...accountOptions,
    'password-stdin': { type: 'boolean', help: 'reads the new password from standard input' },
  },
  positionals: { least: 1, most: 1 },
  async run(invocation) {
    const email = readEmail(invocation.positionals[0]!)
    const who = actorOf(invocation)
    const isGiven = invocation.options['password-stdin'] === true
    const password = isGiven ? await readPassword() : randomBytes(12).toString('base64url')
    return withInstallation(invocation, async ({ sql, owner }) => {
      const within = await accountWorkspace(owner, invocation)
      const workspaces = await replacePassword(owner, email, password, within)
      for (const id of workspaces)
        await recordAboutPerson(sql, id, { who, fromAddress: null }, email, { kind: 'PASSWORD_SET' })
      await noteInPlaces(sql, workspaces, {
        who,
        fromAddress: null,
        act: 'password.reset',
        what: 'given a new password',
        subject: email,
      })
      if (invocation.json) printJson(invocation, { email, password: isGiven ? null : password })
      else if (isGiven) invocation.terminal.out(`${email} has the new password; all their sessions have ended\n`)
      else
        invocation.terminal.out([
          `${email} has a new password, shown only now: ${password}`,
          'All their sessions have ended. They change it under Settings, Your sign-in.',
        ])
      return 0
    })
  },
}
