// `pam sign`: a party confirms the receipt of a period.

import { Seal } from '../agreements/seal.ts'
import { signPeriod } from '../agreements/sign.ts'
import { Refusal } from '../core/refusal.ts'
import { partyNames } from '../storage/pams.ts'
import { type Command, type Invocation, textOption, writeJson } from './command.ts'
import { withInstallation, workspaceOption, workspaceSpec } from './installation.ts'

export const pamSignCommand: Command = {
  name: 'pam sign',
  usage: '<slug> --workspace W --period P --party buyer|supplier --as <email> [--hash H] [--through]',
  summary: 'Signs the adjustment of a period for one side. Signing the same receipt again adds nothing.',
  options: {
    workspace: workspaceSpec,
    period: { type: 'string', value: 'P', help: 'the period, such as 2024-Q2' },
    party: { type: 'string', value: 'S', help: 'buyer or supplier' },
    as: { type: 'string', value: 'E', help: 'the e-mail of who signs' },
    hash: { type: 'string', value: 'H', help: 'only if this is the hash of what is there' },
    through: { type: 'boolean', help: 'earlier periods that this side has not signed, too' },
  },
  positionals: { least: 1, most: 1 },
  run: invocation =>
    withInstallation(invocation, async installation => {
      const workspace = await workspaceOption(installation, invocation)
      const party = partyNames.find(name => name === needed(invocation, 'party'))
      if (party === undefined)
        throw new Refusal('invalid', `--party must be buyer or supplier, got "${textOption(invocation, 'party')}"`)
      const signed = await signPeriod(installation.sql, new Seal(installation.secret), {
        workspaceId: workspace.id,
        pam: invocation.positionals[0]!,
        period: needed(invocation, 'period'),
        party,
        email: needed(invocation, 'as'),
        hash: textOption(invocation, 'hash'),
        through: invocation.options.through === true,
        fromAddress: null,
      })
      if (invocation.json) {
        writeJson(invocation, signed)
        return 0
      }
      const { added, period, hash } = signed
      for (const each of added)
        invocation.terminal.out(`${each.period} signed as ${party} by ${each.signedBy}: ${each.receiptHash}\n`)
      if (added.length === 0) invocation.terminal.out(`${period} was signed before: ${hash}\n`)
      return 0
    }),
}

function needed(invocation: Invocation, name: string): string {
  const value = textOption(invocation, name)
  if (value === null) throw new Refusal('invalid', `--${name} is missing`)
  return value
}
