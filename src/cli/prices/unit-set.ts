// `unit set`: a factor between two units, used both ways.

import { unitProblems } from '../../core/invoices/unit-table.ts'
import { Refusal } from '../../core/refusal.ts'
import { setUnits } from '../../storage/agreements/units.ts'
import { noteActivity } from '../../storage/workspaces/activity.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'
import { preparedCommand } from '../frame/workspace-command.ts'

export const unitSetCommand = preparedCommand({
  name: 'unit set',
  usage: '<unit> <other> <factor> --workspace W',
  summary:
    'Sets how many of the other unit make one of the first unit: KGM TNE 0.001. Invoice lines are converted both ways.',
  options: { as: actorSpec },
  positionals: 3,
  prepare: invocation => {
    const [unit, other, factor] = invocation.positionals.map(text => text.trim()) as [string, string, string]
    const [problem] = unitProblems({ unit, other, factor })
    if (problem !== undefined) throw new Refusal('invalid', problem.message)
    return { who: actorOf(invocation), line: { unit, other, factor: factor.replace(/^\+/, '') } }
  },
  async work({ sql, workspace: { id } }, { who, line }) {
    const { unit, other, factor } = line
    const changed = await setUnits(sql, id, [line], who, tx =>
      noteActivity(tx, id, {
        who,
        act: 'unit.set',
        what: 'unit set',
        subject: `${unit} ${other} ${factor}`,
        fromAddress: null,
      }),
    )
    const outcome = changed === 1 ? 'set' : 'unchanged'
    return { json: { outcome, ...line }, words: `1 ${unit} = ${factor} ${other}: ${outcome}\n` }
  },
})
