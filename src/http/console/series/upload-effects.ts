// Effects of a file on agreements, before anything in it is published: signed periods that would be restated and open numbers that
// would move, computed by the radar with the file's values beside the stored ones, so that the rows equal those after the import.
import type { SeriesHistory } from '../../../core/series/series.ts'
import { buildHistory, type Statement, withStatements } from '../../../core/series/vintage.ts'
import { type Instant, instantOfMicros, microsOf } from '../../../core/time/instant.ts'
import { Arrivals } from '../../../core/true-up/arrivals.ts'
import type { FileSeries } from '../../../import/series.ts'
import { limits } from '../../../limits.ts'
import { sideNames } from '../../../read/ledger-groups.ts'
import type { WithFigures } from '../../../read/lists/reads-agreements.ts'
import { compareEntries, type ForeseenFigures, type RadarEntry } from '../../../read/radar.ts'
import type { AgreementRecord } from '../../../storage/agreements/agreements.ts'
import type { StagedComparison, StagedRow } from '../../../storage/series/staging.ts'
import { todayOf } from '../../../views/agreements/opened-agreement.ts'
import type { UploadEffect, UploadEffects } from '../../../views/shapes/series.ts'
import type { Seat } from '../../../views/sight/seat.ts'
import type { ViewContext } from '../../../views/sight/view-parts.ts'
import { readersOf, stateFor } from '../../../views/sight/visibility.ts'
import { unitOf } from '../../../views/true-up/correction-page.ts'
import { MoneySums, moneyParts, partiesOfPeriod } from '../../../views/true-up/moved-amounts.ts'
import { countKinds } from '../../../views/true-up/revisions.ts'

type Fresh = Omit<StagedRow, 'line'>

/** `tell` is called after each agreement, and may stop the work by throwing. */
export async function readEffects(
  parts: ViewContext,
  seat: Seat,
  comparison: StagedComparison,
  list: readonly FileSeries[],
  tell: (done: number, of: number) => void,
): Promise<UploadEffects> {
  const { library } = parts
  const workspaceId = seat.workspace.id
  await parts.catchUp()
  const index = await library.index(workspaceId)
  const readers = await readersOf(seat, library, index)
  const touched = (await comparison.touched()).filter(number => readers.has(list[number]!.id))
  const agreements = new Map<string, AgreementRecord>()
  for (const number of touched)
    for (const agreement of readers.get(list[number]!.id)!) agreements.set(agreement.id, agreement)
  const rows = await comparison.freshOf(touched, limits.uploadEffects.values)
  const at = after((await library.moments.of(workspaceId)).newest, parts.now())
  const fresh = Map.groupBy(rows, ({ series }) => list[series]!.reference)
  const figures = { withFigures: withFresh(fresh, at), at, day: todayOf(parts), arrivals: new Arrivals() }
  const { found, computed } = await foreseeAll(parts, seat, [...agreements.keys()], figures, tell)
  const names = sideNames(seat, index)
  const sums = new MoneySums()
  for (const entry of found) {
    const { agreementId, row } = entry
    const snapshot = (await library.agreement(workspaceId, agreementId))?.snapshot
    if (snapshot === undefined) continue
    const sides = names(partiesOfPeriod(snapshot, row.period))
    for (const part of moneyParts(entry, null)) sums.add({ ...part, agreementId, sides, currency: row.currency })
  }
  return {
    rows: await Promise.all(
      found
        .slice(0, limits.uploadEffects.rows)
        .map(({ agreementId, row }) => effectRow(parts, seat, agreements.get(agreementId)!, row)),
    ),
    count: found.length,
    agreements: new Set(found.map(({ agreementId }) => agreementId)).size,
    kinds: countKinds(found),
    money: sums.moved,
    readers: agreements.size,
    notComputed: agreements.size - computed,
  }
}

/** Foreseen rows, the largest amounts first. */
async function foreseeAll(
  { library }: ViewContext,
  { workspace }: Seat,
  ids: readonly string[],
  figures: ForeseenFigures,
  tell: (done: number, of: number) => void,
): Promise<{ readonly found: readonly RadarEntry[]; readonly computed: number }> {
  const found: RadarEntry[] = []
  const untilMs = performance.now() + limits.uploadEffects.ms
  let computed = 0
  for (let from = 0; from < ids.length && performance.now() < untilMs; from += limits.radar.together) {
    const together = ids.slice(from, from + limits.radar.together)
    await library.trueUps.prepare(workspace.id, together)
    for (const id of together) {
      found.push(...(await library.radar.foresee(workspace.id, id, figures)))
      tell(++computed, ids.length)
    }
  }
  return { found: found.sort(compareEntries), computed }
}

async function effectRow(
  { library }: ViewContext,
  seat: Seat,
  agreement: AgreementRecord,
  row: RadarEntry['row'],
): Promise<UploadEffect> {
  const cached = await library.agreement(seat.workspace.id, agreement.id)
  const name = stateFor(seat, agreement)?.name ?? agreement.slug
  return { ...row, name, unit: cached === null ? null : unitOf(cached.snapshot) }
}

/** An instant after every record. */
function after(newest: Instant, now: Instant): Instant {
  return instantOfMicros(microsOf(newest > now ? newest : now) + 1)
}

function withFresh(fresh: ReadonlyMap<string, readonly Fresh[]>, at: Instant): WithFigures {
  // Many agreements read one series: its history with the new values is made once.
  const made = new WeakMap<SeriesHistory['periods'], SeriesHistory>()
  return data => {
    const next = new Map(data)
    for (const [reference, rows] of fresh) {
      const history = data.get(reference)
      if (history !== undefined)
        next.set(
          reference,
          made.getOrInsertComputed(history.periods, () => addRows(history, rows, at)),
        )
    }
    return next
  }
}

function addRows(history: SeriesHistory, rows: readonly Fresh[], at: Instant): SeriesHistory {
  const periods = new Map(history.periods)
  for (const [period, group] of Map.groupBy(rows, row => row.period)) {
    const said = group.map(
      ({ value, tag, flag, publishedAt }): Statement => ({
        value,
        flag,
        mark: tag,
        publishedAt: publishedAt ?? at,
        recordedAt: at,
      }),
    )
    periods.set(period, withStatements(periods.get(period) ?? [], said))
  }
  const { reference, name, unit, frequency } = history
  return buildHistory({ reference, name, unit, frequency }, periods)
}
