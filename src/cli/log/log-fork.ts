// `log fork` and `log resume`: after a restore from an older backup the log signs nothing, until the operator starts another
// origin, which everybody sees, or confirms that nothing newer was given out.
import { isOneLine } from '../../core/text/one-line.ts'
import { logLimits } from '../../storage/proof/log-limits.ts'
import { type Command, linesOf, Misuse, textOption } from '../frame/command.ts'
import { withInstallation } from '../frame/installation.ts'
import { noteCommand } from '../frame/operator.ts'
import { logOf } from '../frame/public-log.ts'

export const logForkCommand: Command = {
  name: 'log fork',
  usage: '--reason "…"',
  summary:
    'Starts the public log again under the next origin, with a leaf that says why. Everybody who kept a checkpoint of the last origin sees it.',
  options: { reason: { type: 'string', value: 'R', help: 'the reason, one line that everybody can read' } },
  positionals: { least: 0, most: 0 },
  run(invocation) {
    const reason = textOption(invocation, 'reason')?.trim() ?? ''
    if (reason === '' || reason.length > logLimits.reasonLength || !isOneLine(reason))
      throw new Misuse(`--reason must be one line of at most ${logLimits.reasonLength} characters`)
    return withInstallation(invocation, async (installation, config) => {
      const { origin, size, note } = await logOf(installation, config, invocation).fork(reason)
      await noteCommand(installation.sql, invocation, 'log.fork', 'the public log was started again', origin)
      return { json: { origin, leaves: size, note }, words: [`the log goes on as ${origin}`, '', linesOf(note)] }
    })
  },
}

export const logResumeCommand: Command = {
  name: 'log resume',
  usage: '',
  summary:
    'After a restore: lets the public log sign again under the same origin. Only if no checkpoint was given out after the backup was made; otherwise others hold the proof that history was rewritten.',
  options: {},
  positionals: { least: 0, most: 0 },
  run: invocation =>
    withInstallation(invocation, async (installation, config) => {
      await logOf(installation, config, invocation).resume()
      await noteCommand(installation.sql, invocation, 'log.resume', 'the public log signs again', 'public log')
      return { json: { resumed: true }, words: 'the log signs again\n' }
    }),
}
