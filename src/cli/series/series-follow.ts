// `series follow`: loads series from their providers and shows them to a workspace.
import { type Followed, follow } from '../../ingest/follow.ts'
import { openIngest } from '../../ingest/ingest-connections.ts'
import { noteOperator } from '../../storage/workspaces/activity.ts'
import { alignRows } from '../frame/aligned-rows.ts'
import { currentInstant } from '../frame/clock.ts'
import { type Command, type Invocation, printJson } from '../frame/command.ts'
import { withInstallation, workspaceOption, workspaceSpec } from '../frame/installation.ts'
import { actorOf, actorSpec } from '../frame/operator.ts'
import { ProgressLine } from '../frame/progress.ts'
import { changeWords, newestWords, presentOutcome, printTroubles, referenceOf } from './ingest-report.ts'

export const seriesFollowCommand: Command = {
  name: 'series follow',
  usage: '<PROVIDER/code> … --workspace W',
  summary: 'Follows series: loads metadata and the whole history, and refreshes them from then on.',
  options: { workspace: workspaceSpec, as: actorSpec },
  positionals: { least: 1, most: 10_000 },
  heap: 'small',
  run: invocation =>
    withInstallation(invocation, async (installation, config) => {
      const who = actorOf(invocation)
      const workspace = await workspaceOption(installation, invocation)
      const progress = new ProgressLine(invocation)
      const wanted = new Set(invocation.positionals).size
      let done = 0
      const ingest = openIngest(installation, config, {
        clock: currentInstant,
        report: outcome => progress.show(`${referenceOf(outcome)}: ${changeWords(outcome)}`, ++done, wanted),
      })
      try {
        progress.show('asking', 0, wanted)
        const followed = await follow(ingest, workspace.id, invocation.positionals)
        progress.clear()
        const fresh = followed.filter(({ follows }) => follows === 'new')
        await noteOperator(
          installation.sql,
          workspace.id,
          fresh.map(each => ({
            who,
            act: 'series.follow' as const,
            what: 'series followed',
            subject: referenceOf(each),
          })),
        )
        return report(invocation, followed)
      } finally {
        progress.clear()
        await ingest.close()
      }
    }),
}

function report(invocation: Invocation, followed: readonly Followed[]): number {
  printTroubles(invocation.terminal, followed)
  if (invocation.json) printJson(invocation, followed.map(present))
  else
    invocation.terminal.out(
      alignRows(
        followed
          .filter(({ follows }) => follows !== 'no')
          .map(each => [
            referenceOf(each),
            each.series?.name ?? '',
            followWords(each),
            changeWords(each),
            newestWords(each),
          ]),
      ),
    )
  return followed.every(({ follows }) => follows !== 'no') ? 0 : 1
}

function followWords({ follows }: Followed): string {
  return follows === 'new' ? 'followed' : 'already followed'
}

function present(followed: Followed) {
  const { series, follows } = followed
  return {
    ...presentOutcome(followed),
    follows,
    name: series?.name ?? null,
    unit: series?.unit ?? null,
    frequency: series?.frequency ?? null,
    dataType: series?.dataType ?? null,
  }
}
