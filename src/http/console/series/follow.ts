// Following a series from a page: its provider is asked while the person waits, with a short time limit. A failure is reported in
// the provider's words or the server's, and leaves nothing behind.
import { Refusal } from '../../../core/refusal.ts'
import { follow, type Followed as Outcome } from '../../../ingest/follow.ts'
import { openIngest } from '../../../ingest/ingest-connections.ts'
import { ingestLimits } from '../../../ingest/ingest-limits.ts'
import { troubleWords } from '../../../ingest/publish.ts'
import { findProvider } from '../../../providers/catalogue/catalogue.ts'
import type { ProblemKind } from '../../../providers/provider.ts'
import { withWorkspace } from '../../../storage/postgres/database.ts'
import { noteActivity } from '../../../storage/workspaces/activity.ts'
import type { FollowRequest } from '../../../views/calls/series-calls.ts'
import { newestRows } from '../../../views/series/series-list.ts'
import type { Followed } from '../../../views/shapes/series.ts'
import type { Seat } from '../../../views/sight/seat.ts'
import type { ViewContext } from '../../../views/sight/view-parts.ts'

export async function followFromPage(
  parts: ViewContext,
  seat: Seat,
  { provider, code }: FollowRequest,
): Promise<Followed> {
  const reference = `${findProvider(provider).name}/${code.trim()}`
  const outcome = await ask(parts, seat, reference)
  const { follows, series } = outcome
  if (follows === 'no' || series === null) throw refusalOf(outcome, reference)
  if (follows === 'new') await note(parts, seat, `${series.provider}/${series.code}`)
  await parts.catchUp()
  return { id: series.id, values: await countValues(parts, seat, series.id), wasFollowed: follows === 'held' }
}

async function ask({ installation, config, now }: ViewContext, { workspace }: Seat, reference: string) {
  const signal = AbortSignal.timeout(ingestLimits.pageFollowMs)
  const ingest = openIngest(installation, config, { clock: now, signal })
  try {
    const [outcome] = await follow(ingest, workspace.id, [reference])
    return outcome!
  } catch (error) {
    if (!signal.aborted) throw error
    throw new Refusal(
      'unavailable',
      `${reference} did not come within ${ingestLimits.pageFollowMs / 1000} seconds; try again later`,
    )
  } finally {
    await ingest.close()
  }
}

/** Temporary problems: asking again later may help. Everything else is for the person to fix. */
const passing: readonly ProblemKind[] = ['rate-limited', 'provider-error']

function refusalOf(outcome: Outcome, reference: string): Refusal {
  if (outcome.outcome.kind !== 'failed')
    return new Refusal('unavailable', `${reference} is being read right now; try again in a moment`)
  const { problem } = outcome.outcome
  // For a key the problem is already complete: none is set, or which one was refused and why.
  const words = problem.kind === 'bad-key' ? problem.message : troubleWords(outcome)
  return new Refusal(
    passing.includes(problem.kind) ? 'unavailable' : 'invalid',
    `${reference} cannot be followed: ${words}`,
  )
}

async function note({ installation }: ViewContext, { workspace, person, fromAddress }: Seat, subject: string) {
  await withWorkspace(installation.sql, workspace.id, tx =>
    noteActivity(tx, workspace.id, {
      who: person.email,
      personId: person.id,
      fromAddress,
      act: 'series.follow',
      what: 'series followed',
      subject,
    }),
  )
}

/** Number of periods with a value now. */
async function countValues({ library }: ViewContext, { workspace }: Seat, id: string): Promise<number> {
  const series = (await library.index(workspace.id, { series: [id] })).find(id)
  if (series === undefined) return 0
  return (await library.view(workspace.id, series, newestRows)).ordinals.length
}
