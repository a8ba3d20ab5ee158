// Checkpoints that were signed, and what others added to them: cosignatures of witnesses and time stamps.
import type { Instant } from '../../core/time/instant.ts'
import type { Queryable, Transaction } from '../postgres/database.ts'

export interface StoredCheckpoint {
  readonly origin: string
  readonly size: number
  readonly root: Buffer
  /** With the log's own signatures alone. */
  readonly note: string
  readonly madeAt: Instant
}

export async function addCheckpoint(
  tx: Transaction,
  { origin, size, root, note }: Omit<StoredCheckpoint, 'madeAt'>,
): Promise<StoredCheckpoint> {
  const [row] = await tx<{ madeAt: Instant }[]>`
    select add_checkpoint(${origin}, ${size}, ${root}, ${note}) as "madeAt"`
  return { origin, size, root, note, madeAt: row!.madeAt }
}

export async function loadNewestCheckpoint(sql: Queryable, origin: string): Promise<StoredCheckpoint | null> {
  const [row] = await sql<StoredCheckpoint[]>`
    select origin, size, root, note, made_at as "madeAt" from log_checkpoint where origin = ${origin}
    order by size desc limit 1`
  return row ?? null
}

/** The checkpoint with the cosignatures there are, as witnesses and verifiers read it. */
export async function loadCosigned(sql: Queryable, { origin, size, note }: StoredCheckpoint): Promise<string> {
  const lines = await sql<{ line: string }[]>`
    select line from log_cosignature where origin = ${origin} and size = ${size} order by witness`
  return `${note}${lines.map(({ line }) => line).join('')}`
}

/** A line of a signature, as it follows the log's own, with its line break. One of each witness counts: the first. */
export async function addCosignature(
  sql: Queryable,
  { origin, size }: Pick<StoredCheckpoint, 'origin' | 'size'>,
  { witness, line }: { readonly witness: string; readonly line: string },
): Promise<void> {
  await sql`
    insert into log_cosignature (origin, size, witness, line) values (${origin}, ${size}, ${witness}, ${line})
    on conflict do nothing`
}

export interface StoredStamp {
  readonly origin: string
  readonly size: number
  readonly authority: string
  readonly token: Buffer
  readonly stampedAt: Instant
}

export async function addStamp(
  sql: Queryable,
  { origin, size, authority, token, stampedAt }: StoredStamp,
): Promise<void> {
  await sql`
    insert into log_stamp (origin, size, authority, token, stamped_at)
    values (${origin}, ${size}, ${authority}, ${token}, ${stampedAt}) on conflict do nothing`
}

export function loadStamps(sql: Queryable, origin: string, from: number, to: number): Promise<readonly StoredStamp[]> {
  return sql<StoredStamp[]>`
    select origin, size, authority, token, stamped_at as "stampedAt" from log_stamp
    where origin = ${origin} and size between ${from} and ${to} order by size, authority`
}
