// `secret rotate`: makes the newest secret the current one, and re-seals the data of the one before, while everything keeps
// running.
import { rotateSecret } from '../../storage/rotation/rotation.ts'
import type { Command } from '../frame/command.ts'
import { withInstallation } from '../frame/installation.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'
import { countOf, ProgressLine } from '../frame/progress.ts'
import { logOf } from '../frame/public-log.ts'
import { problemsOf, verifyInThread } from '../verify/verify-chain.ts'
import { hangingWords } from './secret-list.ts'

export const secretRotateCommand: Command = {
  name: 'secret rotate',
  usage: '[--leaked]',
  summary:
    'Makes the newest secret the current one, after verifying everything, and makes the seals of the previous one again. Processes keep running; a rotation that was stopped continues when it is run again.',
  options: {
    leaked: {
      type: 'boolean',
      help: 'others may know the secret before: ends every session and open invitation as well',
    },
    as: actorSpec,
  },
  positionals: { least: 0, most: 0 },
  run: invocation =>
    withInstallation(invocation, async (installation, config) => {
      const { owner, ring, target } = installation
      const progress = new ProgressLine(invocation)
      const log = logOf(installation, config, invocation)
      const rotated = await rotateSecret({
        owner,
        ring,
        publicLog: log,
        who: actorOf(invocation),
        isLeaked: invocation.options.leaked === true,
        async verify() {
          const kept = await log.problemOfKept()
          const problems = problemsOf(await verifyInThread({ target, workspaceId: null }))
          return kept === null ? problems : [`public log: ${kept}`, ...problems]
        },
        report: ({ what, done, of }) => progress.show(what, done, of),
      }).finally(() => progress.clear())
      const { from, to, isResumed, sealed, ended, hanging } = rotated
      const rest = hangingWords(hanging)
      return {
        json: rotated,
        words: [
          `${to} is the secret of the server now, ${isResumed ? 'as the rotation that was stopped began it' : `in the place of ${from}`}; ${countOf(sealed, 'seal')} made again`,
          ...(ended.sessions + ended.links === 0
            ? []
            : [`ended: ${countOf(ended.sessions, 'session')}, ${countOf(ended.links, 'invitation')}`]),
          ...(rest.length === 0
            ? [`nothing depends on ${from} any more: assize secret remove ${from}`]
            : [`at their next use these change to ${to}; what is left ends with assize secret remove ${from}:`]),
          ...rest.map(line => `  ${line}`),
        ],
      }
    }),
}
