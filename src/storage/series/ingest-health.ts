// The state of reading from providers, in a few numbers for monitoring.
import { inWorkspace, publicScope, type Sql } from '../postgres/database.ts'

export interface ProviderHealth {
  readonly provider: string
  readonly series: number
  /** Seconds since a new figure of one of its series was published here. */
  readonly newestPublicationSeconds: number | null
  /** Series that were not answered in full within the time given. */
  readonly late: number
  readonly quarantined: number
  /** Waiting drifts of its answers. */
  readonly drifts: number
}

/** `lateAfterMinutes` by provider; a provider without series is left out. */
export async function loadProviderHealth(
  sql: Sql,
  lateAfterMinutes: ReadonlyMap<string, number>,
): Promise<readonly ProviderHealth[]> {
  return inWorkspace(sql, publicScope)<ProviderHealth[]>`
    select s.provider, count(*) as series,
      ceil(extract(epoch from now() - max(st.last_changed_at)))::bigint as "newestPublicationSeconds",
      count(*) filter (where st.last_answered_at is null
        or st.last_answered_at < now() - make_interval(mins => t.minutes)) as late,
      count(q.id) as quarantined,
      (select count(*) from drift d where d.owner = ${publicScope} and d.provider = s.provider and d.decision is null)
        as drifts
    from series s
    join unnest(${[...lateAfterMinutes.keys()]}::text[], ${[...lateAfterMinutes.values()]}::int[]) as t (provider, minutes)
      on t.provider = s.provider
    left join series_state st on st.owner = s.owner and st.series_id = s.id
    left join quarantine q on q.owner = s.owner and q.series_id = s.id and q.decision is null
    where s.owner = ${publicScope}
    group by s.provider order by s.provider`
}
