// `user reset-factors`: lets a person who lost their phone or security key back in. The password stays; passkeys, one-time
// codes and recovery codes are removed, and all their sessions end.

import { recordAboutPerson } from '../../storage/people/people.ts'
import { resetSecondFactors } from '../../storage/people/second-factors.ts'
import { noteInPlaces } from '../../storage/workspaces/activity.ts'
import { accountOptions, onAccount } from '../frame/account-command.ts'
import type { Command } from '../frame/command.ts'

export const userResetFactorsCommand: Command = {
  name: 'user reset-factors',
  usage: '<email> [--workspace W]',
  summary:
    'Removes the passkeys, one-time codes and recovery codes of a person. Their sessions end; the password stays.',
  options: accountOptions,
  positionals: { least: 1, most: 1 },
  run: invocation =>
    onAccount(invocation, async ({ sql, owner }, { email, by, workspaceId }) => {
      const workspaces = await resetSecondFactors(owner, email, workspaceId)
      const what = 'passkeys and one-time codes removed by the operator'
      for (const id of workspaces)
        await recordAboutPerson(sql, id, { who: by, fromAddress: null }, email, { kind: 'FACTORS_RESET' })
      await noteInPlaces(sql, workspaces, { who: by, fromAddress: null, act: 'factor.remove', what, subject: email })
      const words = `${email} signs in with the password alone again; all their sessions have ended`
      return { json: { email }, words }
    }),
}
