// Acts of the whole installation, for observers from outside: noted in the transaction that does them, so that none is told that
// did not happen and none is left out, and read in one order (decision 0800). A row is never changed; old rows are deleted where
// the operator asks for it.
import type { Act } from '../../core/people/acts.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Queryable, Transaction } from '../postgres/database.ts'
import { makeIdentifier } from '../postgres/identifier.ts'

/** Tenant of acts that belong to no workspace. */
export const wholeInstallation = 'installation'

export interface NewAct {
  /** A workspace, or `wholeInstallation`. */
  readonly tenant: string
  readonly act: Act
  /** E-mail address, `operator`, or the part of the program that did it. */
  readonly who: string
  readonly personId?: string | undefined
  readonly fromAddress: string | null
  /** A sentence without figures. */
  readonly said: string
  readonly subject: string
}

/** Notes acts in one statement, in their order. */
export async function noteActs(sql: Queryable | Transaction, acts: readonly NewAct[]): Promise<void> {
  if (acts.length === 0) return
  const rows = acts.map(({ tenant, act, who, personId, fromAddress, said, subject }) => ({
    id: makeIdentifier('aud'),
    tenant,
    act,
    who,
    said,
    subject,
    person_id: personId ?? null,
    from_address: fromAddress,
  }))
  await sql`select note_acts(${JSON.stringify(rows)}::text::jsonb)`
}

/** Notes an act of an account, or of the installation itself, which belongs to no workspace. */
export function noteAct(sql: Queryable | Transaction, act: Omit<NewAct, 'tenant'>): Promise<void> {
  return noteActs(sql, [{ tenant: wholeInstallation, ...act }])
}

export interface NotedAct {
  readonly id: string
  readonly number: number
  readonly at: Instant
  readonly tenant: string
  /** A value of `Act`, unless another version of the program noted it. */
  readonly act: string
  readonly who: string
  readonly personId: string | null
  readonly fromAddress: string | null
  readonly said: string
  readonly subject: string
}

/** Gives a number to acts that have none yet; returns how many got one. */
export async function numberActs(sql: Queryable, most: number): Promise<number> {
  const [row] = await sql<{ given: number }[]>`select number_acts(${most}) as given`
  return row!.given
}

interface ActSpan {
  /** Ends of the span, both included. */
  readonly from: Instant
  readonly to: Instant
}

/**
 * Deletes acts from before an instant, so many at a time, and returns their number. Acts that the destination was not told stay,
 * and so does the newest that has a number: numbers go on behind it.
 */
export async function pruneActs(
  sql: Queryable,
  destination: string | null,
  before: Instant,
  most: number,
): Promise<number> {
  const [row] = await sql<{ deleted: number }[]>`
    select prune_acts(${destination}::text, ${before}::timestamptz, ${most}) as deleted`
  return row!.deleted
}

/** Acts after a number, in their order. */
export function loadActs(
  sql: Queryable,
  behind: number,
  most: number,
  span: ActSpan | null = null,
): Promise<readonly NotedAct[]> {
  return sql<NotedAct[]>`
    select id, number, at, tenant, act, who, person_id as "personId", from_address as "fromAddress", said, subject
    from read_acts(${behind}, ${most}, ${span?.from ?? null}::timestamptz, ${span?.to ?? null}::timestamptz)`
}
