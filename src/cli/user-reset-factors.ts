// `user reset-factors`: lets somebody back in who lost the phone or the key they sign in with. The password stays; passkeys,
// one-time codes and recovery codes go, and all their sessions end.
import { noteOperator } from '../storage/activity.ts'
import { readEmail } from '../storage/people.ts'
import { resetSecondFactors } from '../storage/second-factors.ts'
import { accountSpec, accountWorkspace } from './account-option.ts'
import { type Command, writeJson } from './command.ts'
import { withInstallation } from './installation.ts'
import { actorOf, actorSpec } from './operator.ts'

export const userResetFactorsCommand: Command = {
  name: 'user reset-factors',
  usage: '<email> [--workspace W]',
  summary:
    'Removes the passkeys, one-time codes and recovery codes of a person. Their sessions end; the password stays.',
  options: {
    workspace: accountSpec,
    as: actorSpec,
  },
  positionals: { least: 1, most: 1 },
  async run(invocation) {
    const email = readEmail(invocation.positionals[0]!)
    const who = actorOf(invocation)
    return withInstallation(invocation, async ({ sql, owner }) => {
      const within = await accountWorkspace(owner, invocation)
      const workspaces = await resetSecondFactors(owner, email, within)
      const what = 'passkeys and one-time codes removed by the operator'
      for (const id of workspaces) await noteOperator(sql, id, [{ who, what, subject: email }])
      if (invocation.json) writeJson(invocation, { email })
      else invocation.terminal.out(`${email} signs in with the password alone again; all their sessions have ended\n`)
      return 0
    })
  },
}
