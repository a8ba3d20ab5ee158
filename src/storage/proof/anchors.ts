// Who has vouched for the public log, and when: the newest cosignature of each witness and the newest time stamp.
import type { Instant } from '../../core/time/instant.ts'
import type { Queryable } from '../postgres/database.ts'

interface Anchored {
  readonly size: number
  readonly at: Instant
}

/** By the name under which the cosignatures of a witness are kept. */
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
  /** How long ago each witness signed last. */
  readonly witnesses: readonly { readonly witness: string; readonly seconds: number }[]
  /** Null where nothing was ever stamped. */
  readonly stampSeconds: number | null
}

export async function readAnchorHealth(sql: Queryable): Promise<AnchorHealth> {
  const witnesses = await sql<AnchorHealth['witnesses'][number][]>`
    select witness, floor(extract(epoch from clock_timestamp() - max(received_at)))::bigint as seconds
    from log_cosignature group by witness order by witness`
  const [stamp] = await sql<{ seconds: number | null }[]>`
    select floor(extract(epoch from clock_timestamp() - max(stamped_at)))::bigint as seconds from log_stamp`
  return { witnesses, stampSeconds: stamp!.seconds }
}
