// `unit set`: a factor between two units, used both ways.

import { compare, ratio, zero } from '../../core/numbers/ratio.ts'
import { listBounds } from '../../core/prices/list-table.ts'
import { Refusal } from '../../core/refusal.ts'
import { isDecimal } from '../../core/series/observation-table.ts'
import { setUnit } from '../../storage/agreements/units.ts'
import { noteActivity } from '../../storage/workspaces/activity.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'
import { preparedCommand } from '../frame/workspace-command.ts'

export const unitSetCommand = preparedCommand({
  name: 'unit set',
  usage: '<unit> <other> <factor> --workspace W',
  summary: 'Sets how many of the other make one of the unit: KGM TNE 0.001. Invoice lines are converted both ways.',
  options: { as: actorSpec },
  positionals: 3,
  prepare: invocation => {
    const [unit, other, factor] = invocation.positionals.map(text => text.trim()) as [string, string, string]
    for (const name of [unit, other]) checkUnit(name)
    if (unit.toLowerCase() === other.toLowerCase())
      throw new Refusal('invalid', `"${unit}" and "${other}" are the same unit: units are compared without case`)
    if (!isDecimal(factor) || compare(ratio(factor), zero) <= 0)
      throw new Refusal('invalid', `the factor must be a decimal number above 0 such as 0.001, got "${factor}"`)
    return { who: actorOf(invocation), line: { unit, other, factor: factor.replace(/^\+/, '') } }
  },
  async work({ sql, workspace: { id } }, { who, line }) {
    const { unit, other, factor } = line
    const isChanged = await setUnit(sql, id, line, who, tx =>
      noteActivity(tx, id, { who, what: 'unit set', subject: `${unit} ${other} ${factor}`, fromAddress: null }),
    )
    const outcome = isChanged ? 'set' : 'unchanged'
    return { json: { outcome, ...line }, words: `1 ${unit} = ${factor} ${other}: ${outcome}\n` }
  },
})

function checkUnit(name: string): void {
  if (name === '' || [...name].length > listBounds.unitLength || /\p{Cc}/u.test(name))
    throw new Refusal('invalid', `a unit must have 1 to ${listBounds.unitLength} characters, got "${name}"`)
}
