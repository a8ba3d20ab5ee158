// Requests to providers, counted for all processes: in the database, by its clock, one process at a time. It keeps no more than
// the limits look back at.
import { randomUUIDv7 } from 'node:crypto'
import { inWorkspace, publicScope, type Sql, withWorkspace } from '../postgres/database.ts'

export interface PaceWindow {
  readonly requests: number
  readonly seconds: number
}

/** Takes a place in every window and returns 0, or returns the milliseconds until there may be one. */
export function takePlace(sql: Sql, provider: string, windows: readonly PaceWindow[]): Promise<number> {
  return withWorkspace(sql, publicScope, async tx => {
    // Other requests to the same provider wait here, for as long as three small statements take.
    await tx`select set_config('lock_timeout', '30s', true), set_config('statement_timeout', '30s', true)`
    await tx`select pg_advisory_xact_lock(hashtextextended(${`assize pace ${provider}`}, 0))`
    const [pause] = await tx<{ wait: number }[]>`
      select ceil(extract(epoch from until - clock_timestamp()) * 1000)::bigint as wait from provider_pause
      where owner = ${publicScope} and provider = ${provider} and until > clock_timestamp()`
    if (pause !== undefined) return Math.max(1, pause.wait)
    const longest = Math.max(...windows.map(({ seconds }) => seconds))
    await tx`
      delete from provider_request where owner = ${publicScope} and provider = ${provider}
        and at <= clock_timestamp() - make_interval(secs => ${longest})`
    for (const { requests, seconds } of windows) {
      // The request whose place becomes free first: the oldest of the newest `requests`.
      const [oldest] = await tx<{ wait: number }[]>`
        select ceil(extract(epoch from at + make_interval(secs => ${seconds}) - clock_timestamp()) * 1000)::bigint as wait
        from provider_request where owner = ${publicScope} and provider = ${provider}
          and at > clock_timestamp() - make_interval(secs => ${seconds})
        order by at desc offset ${requests - 1} limit 1`
      if (oldest !== undefined) return Math.max(1, oldest.wait)
    }
    await tx`
      insert into provider_request (owner, provider, id, at)
      values (${publicScope}, ${provider}, ${randomUUIDv7()}, clock_timestamp())`
    return 0
  })
}

/** The provider asked for a pause; a longer one that is already set stays. */
export async function pauseProvider(sql: Sql, provider: string, milliseconds: number): Promise<void> {
  await inWorkspace(sql, publicScope)`
    insert into provider_pause as p (owner, provider, until)
    values (${publicScope}, ${provider}, clock_timestamp() + make_interval(secs => ${milliseconds / 1000}))
    on conflict (owner, provider) do update set until = greatest(p.until, excluded.until)`
}
