// The digest that the head of a scope covers, made again from the rows: what somebody who holds database and secret would write.
import type { Instant } from '../../../src/core/time/instant.ts'
import { addInstant, noInstants, type ScopeEnd } from '../../../src/storage/log/scope-head.ts'
import type { Transaction } from '../../../src/storage/postgres/database.ts'

/** The digest over every instant of a scope after an entry, as its rows say now. */
export async function foldInstants(
  tx: Transaction,
  scope: string,
  from: Pick<ScopeEnd, 'seq' | 'instants'> = { seq: 0, instants: noInstants },
): Promise<Buffer> {
  const together = await tx<{ last: number; at: Instant }[]>`
    select seq as last, recorded_at as at from (
      select seq, recorded_at, lead(recorded_at) over (order by seq) as next from publication
      where scope = ${scope} and seq > ${from.seq}) p
    where next is distinct from recorded_at order by seq`
  return together.reduce((instants, { last, at }) => addInstant(instants, last, at), from.instants)
}
