// `splice suspects`: changes of indices that the stored figures suggest, as questions, each with its evidence.
import { Refusal } from '../../core/refusal.ts'
import { rewrittenByWaiting } from '../../ingest/quarantine-sample.ts'
import { wellKnownSeries } from '../../providers/catalogue/well-known.ts'
import type { ListedSuspect } from '../../read/index-suspects.ts'
import { today } from '../frame/clock.ts'
import { textOption } from '../frame/command.ts'
import { openLibrary } from '../frame/library.ts'
import { workspaceCommand } from '../frame/workspace-command.ts'

export const spliceSuspectsCommand = workspaceCommand({
  name: 'splice suspects',
  usage: '--workspace W [--series C]',
  summary:
    'Lists indices that seem to have ended, moved to another base, been replaced or computed differently, with the evidence.',
  options: {
    series: {
      type: 'string',
      value: 'C',
      help: 'only this series, as PROVIDER/code; default: every series that agreements read',
    },
  },
  async work({ invocation, installation, workspace, sql }) {
    const library = openLibrary(installation, invocation)
    const index = await library.index(workspace.id)
    const asked = textOption(invocation, 'series')
    const own = asked === null ? null : index.findByReference(asked)
    if (own === undefined) throw new Refusal('not-found', `${workspace.slug} has no series "${asked}"`)
    const waiting = await rewrittenByWaiting(
      sql,
      index.series.map(({ id }) => id),
    )
    const suspects = await library.suspects.list(workspace.id, {
      today: today(),
      series: own === null ? null : [own],
      waiting,
      known: wellKnownSeries.map(({ provider, code }) => `${provider}/${code}`),
    })
    const words = suspects.length === 0 ? 'No change of these indices is suspected.' : suspects.map(wordsOf)
    return { json: suspects, words }
  },
})

function wordsOf({ series, kind, sentence, evidence, successor, pams, events }: ListedSuspect): string[] {
  return [
    `${series}: ${kind}. ${sentence}`,
    ...evidence.map(each => `  ${each}`),
    ...(successor === null ? [] : [`  the same key there: ${successor}`]),
    ...(events.length === 0 ? [] : [`  published about it: ${events.join(', ')}`]),
    ...(pams.length === 0
      ? []
      : [`  read by ${pams.slice(0, 5).join(', ')}${pams.length > 5 ? ` and ${pams.length - 5} more` : ''}`]),
  ]
}
