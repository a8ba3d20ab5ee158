// `unit set`: a factor between two units, used both ways.

import { compare, ratio, zero } from '../../core/numbers/ratio.ts'
import { listBounds } from '../../core/prices/list-table.ts'
import { Refusal } from '../../core/refusal.ts'
import { isDecimal } from '../../core/series/observation-table.ts'
import { setUnit } from '../../storage/agreements/units.ts'
import { noteActivity } from '../../storage/workspaces/activity.ts'
import { type Command, writeJson } from '../frame/command.ts'
import { withInstallation, workspaceOption, workspaceSpec } from '../frame/installation.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'

export const unitSetCommand: Command = {
  name: 'unit set',
  usage: '<unit> <other> <factor> --workspace W',
  summary: 'Sets how many of the other make one of the unit: KGM TNE 0.001. Invoice lines are converted both ways.',
  options: { workspace: workspaceSpec, as: actorSpec },
  positionals: { least: 3, most: 3 },
  async run(invocation) {
    const [unit, other, factor] = invocation.positionals.map(text => text.trim()) as [string, string, string]
    for (const name of [unit, other]) checkUnit(name)
    if (unit.toLowerCase() === other.toLowerCase())
      throw new Refusal('invalid', `"${unit}" and "${other}" are the same unit: units are compared without case`)
    if (!isDecimal(factor) || compare(ratio(factor), zero) <= 0)
      throw new Refusal('invalid', `the factor must be a decimal number above 0 such as 0.001, got "${factor}"`)
    const who = actorOf(invocation)
    const line = { unit, other, factor: factor.replace(/^\+/, '') }
    return withInstallation(invocation, async installation => {
      const { id } = await workspaceOption(installation, invocation)
      const isChanged = await setUnit(installation.sql, id, line, who, tx =>
        noteActivity(tx, id, { who, what: 'unit set', subject: `${unit} ${other} ${line.factor}`, fromAddress: null }),
      )
      const outcome = isChanged ? 'set' : 'unchanged'
      if (invocation.json) writeJson(invocation, { outcome, ...line })
      else invocation.terminal.out(`1 ${unit} = ${line.factor} ${other}: ${outcome}\n`)
      return 0
    })
  },
}

function checkUnit(name: string): void {
  if (name === '' || [...name].length > listBounds.unitLength || /\p{Cc}/u.test(name))
    throw new Refusal('invalid', `a unit must have 1 to ${listBounds.unitLength} characters, got "${name}"`)
}
