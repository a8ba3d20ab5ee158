// Anchors of the public log outside this server: the newest cosignature of each witness and the newest time stamp.
import type { Instant } from '../../core/time/instant.ts'
import type { Queryable } from '../postgres/database.ts'

interface Anchored {
  readonly size: number
  readonly at: Instant
}

/** Newest cosignatures, by the name under which those of a witness are stored. */
export async function lastCosigned(sql: Queryable, origin: string): Promise<ReadonlyMap<string, Anchored>> {
  const rows = await sql<(Anchored & { readonly witness: string })[]>`
    select distinct on (witness) witness, size, received_at as at from log_cosignature where origin = ${origin}
    order by witness, size desc`
  return new Map(rows.map(({ witness, size, at }) => [witness, { size, at }]))
}

export async function lastStamped(sql: Queryable, origin: string): Promise<Anchored | null> {
  const [row] = await sql<Anchored[]>`
    select size, stamped_at as at from log_stamp where origin = ${origin} order by stamped_at desc limit 1`
  return row ?? null
}

export interface AnchorHealth {
  /** For how long each has not signed what the log has grown by; 0 where it has signed the newest checkpoint. */
  readonly witnesses: readonly { readonly witness: string; readonly seconds: number }[]
  /** Null where nothing was ever stamped. */
  readonly stampSeconds: number | null
}

/** `watched`: those that are asked now, by name and key id; null for all that ever signed. */
export async function loadAnchorHealth(sql: Queryable, watched: readonly string[] | null): Promise<AnchorHealth> {
  const witnesses = await sql<AnchorHealth['witnesses'][number][]>`
    with own as (select case fork when 1 then name else name || '/' || fork end as origin from log_state),
      asked as (
        select unnest(${watched ?? []}::text[]) as witness
        union select witness from log_cosignature where ${watched === null}),
      signed as (
        select witness, (select max(size) from log_cosignature c
          where c.witness = asked.witness and c.origin = (select origin from own)) as size
        from asked)
    select witness, coalesce((
      select floor(extract(epoch from clock_timestamp() - min(c.made_at)))::bigint from log_checkpoint c
      where c.origin = (select origin from own) and c.size > coalesce(signed.size, 0)), 0) as seconds
    from signed order by witness`
  const [stamp] = await sql<{ seconds: number | null }[]>`
    select floor(extract(epoch from clock_timestamp() - max(stamped_at)))::bigint as seconds from log_stamp`
  return { witnesses, stampSeconds: stamp!.seconds }
}
