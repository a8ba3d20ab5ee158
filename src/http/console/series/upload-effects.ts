// Which contracts a file would affect, before anything in it is published: the numbers in force, computed again with
// its values in addition to the stored ones.
import { setImmediate } from 'node:timers/promises'
import type { SeriesData } from '../../../core/formula/bind.ts'
import { Refusal } from '../../../core/refusal.ts'
import type { SeriesHistory } from '../../../core/series/series.ts'
import { buildHistory, type Statement, withStatements } from '../../../core/series/vintage.ts'
import type { FileSeries } from '../../../import/series.ts'
import { limits } from '../../../limits.ts'
import type { AgreementRecord } from '../../../storage/agreements/agreements.ts'
import type { StagedComparison, StagedRow } from '../../../storage/series/staging.ts'
import { goOn } from '../../../views/agreements/in-force.ts'
import { todayOf } from '../../../views/agreements/seen-agreement.ts'
import type { PreviewEntry } from '../../../views/shapes/agreements.ts'
import type { MovedContract, UploadEffects } from '../../../views/shapes/series.ts'
import type { Seat } from '../../../views/sight/seat.ts'
import type { ViewParts } from '../../../views/sight/view-parts.ts'
import { readersOf } from '../../../views/sight/visibility.ts'

type Fresh = Omit<StagedRow, 'line'>

export async function readEffects(
  parts: ViewParts,
  seat: Seat,
  comparison: StagedComparison,
  list: readonly FileSeries[],
): Promise<UploadEffects> {
  const { library } = parts
  await parts.catchUp()
  const index = await library.index(seat.workspace.id)
  const readers = await readersOf(seat, library, index)
  const touched = (await comparison.touched()).filter(number => readers.has(list[number]!.id))
  const agreements = new Map<string, AgreementRecord>()
  for (const number of touched)
    for (const agreement of readers.get(list[number]!.id)!) agreements.set(agreement.id, agreement)
  const rows = await comparison.freshOf(touched, limits.uploadContractRows)
  const fresh = Map.groupBy(rows, ({ series }) => list[series]!.reference)
  const untilMs = performance.now() + limits.uploadContractsMs
  const contracts: MovedContract[] = []
  let computed = 0
  for (const agreement of [...agreements.values()].slice(0, limits.uploadContracts)) {
    if (performance.now() > untilMs) break
    const moved = await moveOf(parts, seat, agreement, fresh)
    if (moved !== null && moved.periods.length > 0) contracts.push(moved)
    computed++
    await setImmediate()
  }
  return { contracts, readers: agreements.size, notComputed: agreements.size - computed }
}

async function moveOf(
  parts: ViewParts,
  seat: Seat,
  agreement: AgreementRecord,
  fresh: ReadonlyMap<string, readonly Fresh[]>,
): Promise<MovedContract | null> {
  const { library } = parts
  const cached = await library.agreement(seat.workspace.id, agreement.id)
  const standing = cached?.snapshot.at(null) ?? null
  if (cached === null || standing === null || standing.broken !== null) return null
  const data = await library.data(seat.workspace.id, cached.snapshot, null)
  const until = todayOf(parts)
  const now = parts.now()
  const { price } = standing.versions.at(-1)!.formula.contract
  const common = {
    slug: agreement.slug,
    name: standing.state.name,
    currency: price?.currency ?? null,
    unit: price?.unit || null,
  }
  try {
    const before = goOn({ standing, data, until, draft: null }) ?? []
    const after = goOn({ standing, data: withFresh(data, fresh, now), until, draft: null }) ?? []
    return { ...common, periods: differences(before, after) }
  } catch (error) {
    // It cannot be computed before or after: then it is not mentioned.
    if (error instanceof Refusal) return null
    throw error
  }
}

function withFresh(data: SeriesData, fresh: ReadonlyMap<string, readonly Fresh[]>, now: string): SeriesData {
  const next = new Map<string, SeriesHistory>(data)
  for (const [reference, rows] of fresh) {
    const history = data.get(reference)
    if (history !== undefined) next.set(reference, addRows(history, rows, now))
  }
  return next
}

function addRows(history: SeriesHistory, rows: readonly Fresh[], now: string): SeriesHistory {
  const periods = new Map(history.periods)
  for (const [period, group] of Map.groupBy(rows, row => row.period)) {
    const said = group.map(
      ({ value, tag, flag, publishedAt }): Statement => ({
        value,
        mark: tag,
        flag,
        publishedAt: publishedAt ?? now,
        recordedAt: null,
      }),
    )
    periods.set(period, withStatements(periods.get(period) ?? [], said))
  }
  const { reference, name, unit, frequency } = history
  return buildHistory({ reference, name, unit, frequency }, periods)
}

function differences(before: readonly PreviewEntry[], after: readonly PreviewEntry[]): MovedContract['periods'] {
  const labels = [...new Set([...before, ...after].map(({ period }) => period))]
  return labels.flatMap(period => {
    const [old, next] = [before, after].map(list => list.find(each => each.period === period) ?? null)
    const isSame =
      old?.adjustmentPct === next?.adjustmentPct && old?.price === next?.price && (old === null) === (next === null)
    return isSame ? [] : [{ period, before: side(old), after: side(next) }]
  })
}

function side(entry: PreviewEntry | null | undefined): MovedContract['periods'][number]['before'] {
  return entry == null ? null : { adjustmentPct: entry.adjustmentPct, price: entry.price }
}
