// Position of the audit stream. One process writes it at a time; another takes over when it lets go, or when it was silent for so
// long. Only the holder moves the position on.
import type { Queryable } from '../postgres/database.ts'

/** The place of the stream of `ASSIZE_AUDIT=stdout`. */
export const standardOutput = 'stdout'

export interface AuditHold {
  readonly destination: string
  /** A name that no other process has. */
  readonly holder: string
  /** Time that other processes leave it alone. */
  readonly holdMs: number
}

/** The number of the last act that was told; null while another process tells this destination. */
export async function holdPlace(sql: Queryable, { destination, holder, holdMs }: AuditHold): Promise<number | null> {
  const [row] = await sql<{ number: number | null }[]>`
    select hold_audit_place(${destination}, ${holder}, ${holdMs}) as number`
  return row!.number
}

/** Moves the place on; false where another process has taken over: it tells these acts again. */
export async function movePlace(
  sql: Queryable,
  { destination, holder, holdMs }: AuditHold,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<boolean> {
  const [row] = await sql<{ moved: boolean }[]>`
    select move_audit_place(${destination}, ${holder}, ${from}, ${to}, ${holdMs}) as moved`
  return row!.moved
}

/** Since then nothing arrives; the next act that does ends it. */
export async function noteFailing(sql: Queryable, { destination, holder }: AuditHold): Promise<void> {
  await sql`select fail_audit_place(${destination}, ${holder})`
}

export async function leavePlace(sql: Queryable, { destination, holder }: AuditHold): Promise<void> {
  await sql`select leave_audit_place(${destination}, ${holder})`
}

export interface AuditHealth {
  /** Acts that the destination was not told yet. */
  readonly waiting: number
  readonly oldestSeconds: number
  /** Seconds without an arrival; 0 where all is well. */
  readonly failingSeconds: number
}

export async function loadAuditHealth(sql: Queryable, destination: string): Promise<AuditHealth> {
  const [row] = await sql<AuditHealth[]>`
    select waiting, oldest_seconds as "oldestSeconds", failing_seconds as "failingSeconds" from audit_health(${destination})`
  return row!
}
