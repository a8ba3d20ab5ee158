// Every value of every public series as it was published, period by period, in an order that is the same everywhere: what two
// installations compare to see whether both recorded what the providers published.
import type { Frequency } from '../../core/time/period.ts'
import { publicScope, type Sql, withWorkspace } from '../postgres/database.ts'
import { RowCursor } from '../postgres/row-cursor.ts'

interface PublishedPeriod {
  readonly provider: string
  readonly code: string
  readonly frequency: Frequency
  readonly period: number
  /** In the order of their publication; `withdrawn` where there was none any more. */
  readonly values: readonly string[]
}

/** A piece at a time, in one snapshot. */
export async function eachPublishedPeriod(
  sql: Sql,
  take: (periods: readonly PublishedPeriod[]) => Promise<void>,
): Promise<void> {
  await withWorkspace(
    sql,
    publicScope,
    async tx => {
      await tx`select set_config('statement_timeout', '0', true)`
      const rows = tx<PublishedPeriod[]>`
        select s.provider, s.code, m.frequency, v.period,
          array_agg(coalesce(v.value, 'withdrawn') order by v.published_at, v.seq) as values
        from series s
        join lateral (
          select d.frequency from series_metadata d where d.owner = s.owner and d.series_id = s.id
          order by d.seq desc limit 1) m on true
        join vintage v on v.owner = s.owner and v.series_id = s.id
        where s.owner = ${publicScope}
        group by s.provider, s.code, m.frequency, v.period order by s.provider, s.code, v.period`
      for await (const piece of RowCursor.piecesOf(tx, 'published', rows, 1_000)) await take(piece)
    },
    'snapshot',
  )
}
