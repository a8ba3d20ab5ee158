// Clock repairs: entries of a clock that was ahead, and the instant they count from since the repair. Rows keep the instants they
// were given; readers look up the repair here. There is hardly ever one.
import type { Instant } from '../../core/time/instant.ts'
import { isSnapshot, publicScope, type Transaction } from '../postgres/database.ts'

interface Repair {
  readonly scope: string
  readonly first_seq: number
  readonly last_seq: number
  readonly counts_as: Instant
}

export class ClockRepairs {
  readonly #repairs: readonly Repair[]

  constructor(repairs: readonly Repair[]) {
    this.#repairs = repairs
  }

  get isEmpty(): boolean {
    return this.#repairs.length === 0
  }

  /** The instant that an entry's rows count from. */
  instantOf(scope: string, seq: number, recordedAt: Instant): Instant {
    const found = this.#repairs.find(each => each.scope === scope && seq >= each.first_seq && seq <= each.last_seq)
    return found?.counts_as ?? recordedAt
  }
}

/** Repairs that a snapshot has read. Other transactions ask each time: a repair may have come while they waited for a lock. */
const readBy = new WeakMap<Transaction, Map<string, Promise<ClockRepairs>>>()

/** Repairs of the workspace and of the public series. */
export function loadClockRepairs(tx: Transaction, workspaceId: string): Promise<ClockRepairs> {
  if (!isSnapshot(tx)) return askForRepairs(tx, workspaceId)
  const own = readBy.get(tx) ?? new Map<string, Promise<ClockRepairs>>()
  readBy.set(tx, own)
  const known = own.get(workspaceId)
  if (known !== undefined) return known
  const reading = askForRepairs(tx, workspaceId)
  own.set(workspaceId, reading)
  return reading
}

async function askForRepairs(tx: Transaction, workspaceId: string): Promise<ClockRepairs> {
  return new ClockRepairs(
    await tx<Repair[]>`
      select scope, first_seq, last_seq, counts_as from clock_repair where scope in (${workspaceId}, ${publicScope})`,
  )
}

/** Source of vintages as they count: the table, or the view that applies the repairs. */
export async function vintageSource(tx: Transaction, workspaceId: string): Promise<string> {
  return (await loadClockRepairs(tx, workspaceId)).isEmpty ? 'vintage' : 'counted_vintage'
}
