// `splice candidates`: series that might take the place of one, and how closely each follows it.
import { findCandidates } from '../../core/index-changes/candidates.ts'
import { successorOf } from '../../core/index-changes/index-event.ts'
import { compareCandidate } from '../../core/index-changes/splice-window.ts'
import { Refusal } from '../../core/refusal.ts'
import { noCuts } from '../../core/series/vintage.ts'
import { wellKnownSeries } from '../../providers/catalogue/well-known.ts'
import { candidatesFor, historyOf } from '../../read/index-suspects.ts'
import { alignRows } from '../frame/aligned-rows.ts'
import { openLibrary } from '../frame/library.ts'
import { workspaceCommand } from '../frame/workspace-command.ts'

export const spliceCandidatesCommand = workspaceCommand({
  name: 'splice candidates',
  usage: '<series> --workspace W',
  summary: 'Lists series that might take the place of one that ends, with spread, correlation and mean difference.',
  positionals: 1,
  async work({ invocation, installation, workspace }) {
    const library = openLibrary(installation, invocation)
    const index = await library.index(workspace.id)
    const asked = invocation.positionals[0]!
    const old = index.findByReference(asked)
    if (old === undefined) throw new Refusal('not-found', `${workspace.slug} has no series "${asked}"`)
    const history = await historyOf(library, workspace.id, old)
    const candidates = await candidatesFor(library, workspace.id, index.series, old)
    const compared = candidates.map(each => compareCandidate(history, each, noCuts))
    const events = (await library.indexEvents.ofSeries(workspace.id, [old])).get(old.id) ?? []
    const named = events.flatMap(event => {
      const code = successorOf(event, old.code)
      return code === null ? [] : [{ series: `${old.provider}/${code}`, event: event.id }]
    })
    const followed = new Set(index.series.map(({ provider, code }) => `${provider}/${code}`))
    const known = wellKnownSeries.map(each => ({ reference: `${each.provider}/${each.code}`, name: each.name }))
    const notFollowed = findCandidates(history, known)
      .filter(({ series }) => !followed.has(series.reference))
      .map(({ series, why }) => ({ series: series.reference, name: series.name, why }))
    const rows = [
      ['series', 'why', 'common periods', 'spread %', 'correlation', 'difference %'],
      ...compared.map(each => [
        each.series,
        each.why,
        each.common ?? 'none',
        each.spreadPct ?? '–',
        each.correlation ?? '–',
        each.differencePct ?? '–',
      ]),
    ]
    const words = [
      compared.length === 0 ? 'No series of the workspace looks like it.\n' : alignRows(rows),
      ...named.map(({ series, event }) => `named by ${event}: ${series}\n`),
      ...notFollowed.map(({ series, why }) => `not followed yet: ${series} (${why})\n`),
    ]
    return { json: { candidates: compared, named, notFollowed }, words }
  },
})
