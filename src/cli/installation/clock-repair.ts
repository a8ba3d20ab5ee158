// `clock repair`: after a clock was ahead, lets publishing continue from the real time. Records from the future keep their
// instants and count as recorded now; this is published and noted in the activity of each workspace.
import { repairClocks } from '../../storage/upkeep/clock-repair.ts'
import { type Command, printJson } from '../frame/command.ts'
import { scopeNames, withInstallation } from '../frame/installation.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'
import { countOf } from '../frame/progress.ts'

export const clockRepairCommand: Command = {
  name: 'clock repair',
  usage: '',
  summary: 'Repairs records of a clock that was ahead: they count as recorded now, and nothing is rewritten.',
  options: { as: actorSpec },
  positionals: { least: 0, most: 0 },
  run: invocation =>
    withInstallation(invocation, async ({ owner }) => {
      const repaired = await repairClocks(owner, actorOf(invocation))
      const nameOf = await scopeNames(owner)
      if (invocation.json) printJson(invocation, { repaired })
      else if (repaired.length === 0) invocation.terminal.out('nothing is recorded in the future\n')
      else
        for (const { scope, publications, countsAs } of repaired)
          invocation.terminal.out(
            `${nameOf(scope)}: ${countOf(publications, 'publication')} count as recorded at ${countsAs}\n`,
          )
      return 0
    }),
}
