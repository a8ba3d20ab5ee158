// Overview of series, for lists that people read: the counts and the span of each. It reads one workspace's own and followed
// series and nobody else's.

import type { DataType } from '../../core/series/series.ts'
import type { Frequency } from '../../core/time/period.ts'
import { vintageSource } from '../log/clock-repairs.ts'
import type { Transaction } from '../postgres/database.ts'

export interface SeriesOverview {
  readonly id: string
  readonly provider: string
  readonly code: string
  readonly name: string
  readonly unit: string
  readonly dataType: DataType
  readonly frequency: Frequency
  /** Whether it is read from the provider for all who follow it; otherwise it is the workspace's own. */
  readonly isFollowed: boolean
  /** Running numbers of the first and the last period that has a value now; `null` where none has. */
  readonly first: number | null
  readonly last: number | null
  readonly lastValue: string | null
  readonly vintages: number
}

/** Series by provider and code. The newest vintage of a period decides whether it has a value. */
export async function loadSeriesOverview(tx: Transaction, workspaceId: string): Promise<readonly SeriesOverview[]> {
  const vintage = tx(await vintageSource(tx, workspaceId))
  return tx<SeriesOverview[]>`
    select s.id, s.provider, s.code, m.name, m.unit, m.data_type as "dataType", m.frequency,
      seen.owner = 'public' as "isFollowed", earliest.period as first, latest.period as last, latest.value as "lastValue",
      (select count(*) from vintage v where v.owner = s.owner and v.series_id = s.id) as vintages
    from (
      select owner, id from series where owner = ${workspaceId}
      union all
      select series_owner, series_id from follow where workspace_id = ${workspaceId}
    ) seen
    join series s on s.owner = seen.owner and s.id = seen.id
    join lateral (
      select * from series_metadata m where m.owner = s.owner and m.series_id = s.id order by m.seq desc limit 1) m on true
    left join lateral (
      select period from (
        select distinct on (v.period) v.period, v.value from ${vintage} v where v.owner = s.owner and v.series_id = s.id
        order by v.period, v.published_at desc, v.seq desc) newest
      where value is not null order by period limit 1) earliest on true
    left join lateral (
      select period, value from (
        select distinct on (v.period) v.period, v.value from ${vintage} v where v.owner = s.owner and v.series_id = s.id
        order by v.period desc, v.published_at desc, v.seq desc) newest
      where value is not null order by period desc limit 1) latest on true
    order by s.provider, s.code`
}
