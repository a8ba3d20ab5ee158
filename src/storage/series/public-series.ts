// Public series for ingest: the list with its states, the stored vintages of one, and the one transaction that publishes new
// ones. Only figures read from a provider are stored here.

import type { VersionTag, Vintage } from '../../core/series/series.ts'
import { type Instant, instantOfMicros } from '../../core/time/instant.ts'
import { appending } from '../log/append.ts'
import { inWorkspace, publicScope, type Sql, type Transaction, withWorkspace } from '../postgres/database.ts'
import { changeMetadata, createSeries, type OwnSeries } from './own-series.ts'
import { loadVintages } from './series.ts'
import { type SeriesState, stateColumns } from './series-state.ts'
import { type StagedOutcome, type StagedRow, withStaging } from './staging.ts'

export interface PublicSeries extends OwnSeries {
  /** Running number of the newest period. */
  readonly newestPeriod: number | null
  /** The newest publication that the provider dated itself. */
  readonly newestPublished: Instant | null
  /** `null`: never asked since it was first read. */
  readonly state: SeriesState | null
}

interface SeriesFilter {
  readonly provider?: string
  readonly ids?: readonly string[]
  /** Codes in any case of letters: a provider that does not tell them apart has one series, not two. */
  readonly codes?: readonly string[]
}

/** Lists series by provider and code. */
export function listPublicSeries(sql: Sql, filter: SeriesFilter = {}): Promise<readonly PublicSeries[]> {
  return withWorkspace(sql, publicScope, tx => loadPublic(tx, filter))
}

/** The state of every public series and nothing else, so that thousands of them are quick. */
export function listStanding(
  sql: Sql,
): Promise<readonly { readonly provider: string; readonly code: string; readonly trouble: string | null }[]> {
  return inWorkspace(sql, publicScope)<{ provider: string; code: string; trouble: string | null }[]>`
    select s.provider, s.code, st.trouble from series s
    left join series_state st on st.owner = s.owner and st.series_id = s.id where s.owner = ${publicScope}`
}

async function loadPublic(tx: Transaction, { provider, ids, codes }: SeriesFilter): Promise<readonly PublicSeries[]> {
  // The newest vintages of thousands of series take a moment.
  await tx`select set_config('statement_timeout', '60s', true)`
  const lower = codes?.map(code => code.toLowerCase())
  type Row = OwnSeries & Partial<SeriesState> & Pick<PublicSeries, 'newestPeriod' | 'newestPublished'>
  const rows = await tx<Row[]>`
    select s.id, s.provider, s.code, m.name, m.unit, m.data_type as "dataType", m.frequency, m.description,
      newest.period as "newestPeriod", newest.published as "newestPublished", ${stateColumns(tx)}
    from series s join lateral (
      select * from series_metadata m where m.owner = s.owner and m.series_id = s.id order by m.seq desc limit 1) m on true
    left join lateral (
      select max(v.period) as period, max(v.published_at) filter (where v.published_at <> v.recorded_at) as published
      from vintage v where v.owner = s.owner and v.series_id = s.id) newest on true
    left join series_state st on st.owner = s.owner and st.series_id = s.id
    where s.owner = ${publicScope}
      ${provider === undefined ? tx`` : tx`and s.provider = ${provider}`}
      ${ids === undefined ? tx`` : tx`and s.id = any(${ids as string[]}::text[])`}
      ${lower === undefined ? tx`` : tx`and lower(s.code) = any(${lower}::text[])`}
    order by s.provider, s.code`
  return rows.map(({ id, provider, code, name, unit, dataType, frequency, description, ...row }) => {
    const { newestPeriod, newestPublished, ...state } = row
    return {
      id,
      provider,
      code,
      name,
      unit,
      dataType,
      frequency,
      description,
      newestPeriod,
      newestPublished,
      state: state.lastAskedAt == null ? null : (state as SeriesState),
    }
  })
}

/** All vintages by period, oldest publication first. */
export async function loadStoredVintages(sql: Sql, id: string): Promise<ReadonlyMap<number, readonly Vintage[]>> {
  const rows = await withWorkspace(sql, publicScope, tx => loadVintages(tx, publicScope, id))
  const stored = new Map<number, Vintage[]>()
  for (const { period, value, tag, flag, published, recorded } of rows) {
    const own = stored.get(period) ?? []
    if (own.length === 0) stored.set(period, own)
    own.push({
      value,
      tag: tag as VersionTag | null,
      flag,
      publishedAt: instantOfMicros(published),
      recordedAt: instantOfMicros(recorded),
    })
  }
  return stored
}

/** Numbers the rows one by one: a copy of a long history would stand in memory beside it. */
function* numbered(rows: SeriesChange['rows']): Generator<StagedRow> {
  let line = 0
  for (const row of rows) yield { ...row, series: 0, line: ++line }
}

interface SeriesChange {
  readonly series: OwnSeries
  /** `none`: the description stays as it is. */
  readonly description: 'new series' | 'changed' | 'none'
  readonly rows: readonly Omit<StagedRow, 'series' | 'line'>[]
}

/** Publishes everything of one series or nothing. */
export function publishSeries(sql: Sql, { series, description, rows }: SeriesChange): Promise<StagedOutcome> {
  if (rows.length === 0 && description === 'changed')
    return appending(sql, publicScope, async (tx, log) => {
      await changeMetadata(tx, log, [series])
      return { rows: 0, added: 0, recordedAt: log.recordedAt, changed: [series.id] }
    })
  return withStaging(sql, publicScope, async staging => {
    await staging.add(numbered(rows))
    const comparison = await staging.compare([series.id])
    return comparison.appendOne(async log => {
      if (description === 'new series') await createSeries(staging.tx, log, [series])
      if (description === 'changed') await changeMetadata(staging.tx, log, [series])
    })
  })
}
