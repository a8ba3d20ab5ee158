// An agreement and the series it reads, loaded inside one transaction. Changes use it: they must see what is true when they
// commit, and a server's memory cannot promise that.
import type { SeriesData } from '../core/formula/bind.ts'
import { TooHeavyHere } from '../core/numbers/work-budget.ts'
import type { OriginOf } from '../core/receipt/receipt.ts'
import { Refusal } from '../core/refusal.ts'
import type { SeriesHistory } from '../core/series/series.ts'
import { dayOfInstant, type Instant, microsOf } from '../core/time/instant.ts'
import { Adjustments } from '../read/agreements/adjustments.ts'
import type { AgreementSnapshot } from '../read/agreements/agreement-snapshot.ts'
import { metadataAt } from '../read/lists/agreement-series.ts'
import { CachedIndex } from '../read/lists/cached-index.ts'
import { type LibraryBounds, unbounded } from '../read/memory/library-bounds.ts'
import { originOfSeries, originsOf, type SeriesOrigin } from '../read/series/origins.ts'
import { SeriesSnapshot } from '../read/series/series-snapshot.ts'
import { loadMarks } from '../storage/log/append.ts'
import { loadIdentity } from '../storage/people/issuer-names.ts'
import { publicScope, type Transaction } from '../storage/postgres/database.ts'
import { loadVisibleSeries } from '../storage/series/series.ts'
import { loadUploadsOf } from '../storage/series/uploads.ts'
import { loadVintagesTogether } from '../storage/series/vintages-together.ts'
import type { VisibleSeries } from '../storage/series/visible-series.ts'

interface LoadedSeries {
  readonly data: SeriesData
  readonly originOf: OriginOf
  /** Number of public series: they may change meanwhile, all others are read under our own lock. */
  readonly ofPublic: number
}

/**
 * The series of a workspace with these names, as of one moment; series that it does not see are left out. Public series may be
 * published while a workspace's own entry is under way: then they are read again, and what was recorded after `knownBy` does not
 * count.
 */
export async function loadSeriesData(
  tx: Transaction,
  workspaceId: string,
  references: readonly string[],
  knownBy: Instant | null = null,
): Promise<SeriesData> {
  return (await loadSeries(tx, workspaceId, { references, knownBy, mostVintages: Number.POSITIVE_INFINITY })).data
}

/** References of series, the moment they are read as of, and the most vintages of each. */
interface SeriesRequest {
  readonly references: readonly string[]
  readonly knownBy: Instant | null
  readonly mostVintages: number
}

async function loadSeries(tx: Transaction, workspaceId: string, request: SeriesRequest): Promise<LoadedSeries> {
  for (let turn = 0; turn < mostTurns; turn++) {
    const before = await loadMarks(tx, workspaceId)
    const loaded = await loadSeriesRows(tx, workspaceId, request)
    if (loaded.ofPublic < 2) return loaded
    const after = await loadMarks(tx, workspaceId)
    if (after.get(publicScope) === before.get(publicScope)) return loaded
  }
  throw new Refusal('unavailable', 'too much is being published at the moment; try again')
}

/** The most times that series are read again because something was published meanwhile. */
const mostTurns = 20

async function loadSeriesRows(tx: Transaction, workspaceId: string, request: SeriesRequest): Promise<LoadedSeries> {
  const { references, knownBy, mostVintages } = request
  const index = new CachedIndex(workspaceId, await loadVisibleSeries(tx, workspaceId, { references }), [], null)
  const last = knownBy === null ? Number.POSITIVE_INFINITY : microsOf(knownBy)
  const visible = new Map<VisibleSeries, string[]>()
  for (const reference of references) {
    const found = index.findByReference(reference)
    if (found !== undefined) visible.set(found, [...(visible.get(found) ?? []), reference])
  }
  const series = [...visible.keys()]
  const uploads = await loadUploadsOf(tx, workspaceId, series)
  const data = new Map<string, SeriesHistory>()
  const origins = new Map<string, SeriesOrigin>()
  await loadVintagesTogether(tx, series, mostVintages, (each, all) => {
    const [first, ...others] = visible.get(each)!
    if (all === null) throw new TooHeavyHere(`${first} has many vintages`)
    const { name, unit, frequency } = metadataAt(each, knownBy)
    const rows = all.filter(({ recorded }) => recorded <= last)
    const snapshot = new SeriesSnapshot(each.id, frequency, rows)
    for (const reference of [first!, ...others]) {
      data.set(reference, snapshot.history({ reference, name, unit, frequency }))
      origins.set(reference, originOfSeries(each, uploads.get(each.id)!))
    }
  })
  return { data, originOf: originsOf(origins), ofPublic: series.filter(({ owner }) => owner === publicScope).length }
}

/**
 * The numbers as they stand for an entry that is recorded at `knownBy`. A transaction waits for them: callers on a
 * thread where others wait pass their bounds.
 */
export async function openAdjustments(
  tx: Transaction,
  workspaceId: string,
  snapshot: AgreementSnapshot,
  knownBy: Instant,
  bounds: LibraryBounds = unbounded,
): Promise<Adjustments> {
  return (await openAllAdjustments(tx, workspaceId, [snapshot], knownBy, bounds))(snapshot)
}

/** Opens the adjustments of many agreements, whose series are read once; each agreement is computed when it is asked for. */
export async function openAllAdjustments(
  tx: Transaction,
  workspaceId: string,
  snapshots: readonly AgreementSnapshot[],
  knownBy: Instant,
  bounds: LibraryBounds = unbounded,
): Promise<(snapshot: AgreementSnapshot) => Adjustments> {
  const references = [...new Set(snapshots.flatMap(snapshot => snapshot.references))]
  const { data, originOf } = await loadSeries(tx, workspaceId, { references, knownBy, mostVintages: bounds.vintages })
  const issuer = (await loadIdentity(tx, workspaceId)).issuerAt(null)
  const request = { asOf: null, knownAt: null, version: null, until: dayOfInstant(knownBy) }
  return snapshot =>
    new Adjustments({ snapshot, standing: snapshot.at(null)!, data, request, issuer, originOf, work: bounds.work })
}
