// `clock check`: compares the clocks and lists the records of a clock that was ahead. It changes nothing.
import { checkClocks } from '../../storage/upkeep/clock-repair.ts'
import { type Command, printJson } from '../frame/command.ts'
import { scopeNames, withInstallation } from '../frame/installation.ts'
import { countOf } from '../frame/progress.ts'

export const clockCheckCommand: Command = {
  name: 'clock check',
  usage: '',
  summary: 'Compares the clock of the database with this machine’s, and lists what is recorded in the future.',
  options: {},
  positionals: { least: 0, most: 0 },
  run: invocation =>
    withInstallation(invocation, async ({ owner }) => {
      const { terminal } = invocation
      const report = await checkClocks(owner)
      const nameOf = await scopeNames(owner)
      const isWell = report.difference === null && report.ahead.length === 0
      if (invocation.json) printJson(invocation, { isWell, ...report })
      else {
        terminal.out([`database      ${report.databaseNow}`, `this machine  ${report.processNow}`])
        if (report.difference !== null) terminal.out(`${report.difference}\n`)
        for (const { scope, clockAt, publications, lastRecordedAt } of report.ahead)
          terminal.out(
            `${nameOf(scope)}: ${countOf(publications, 'publication')} recorded in the future, up to ${lastRecordedAt ?? clockAt}; assize clock repair lets publishing continue\n`,
          )
        if (isWell) terminal.out('nothing is recorded in the future\n')
      }
      return isWell ? 0 : 1
    }),
}
