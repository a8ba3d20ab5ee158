// Checks of a drill in a restored database beside its chains: the newest entry, and every signed receipt computed again.
import { judgeReceipt } from '../../core/receipt/verdict.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Sql } from '../postgres/database.ts'
import { RowCursor } from '../postgres/row-cursor.ts'

interface Newest {
  /** Number of entries of the log. */
  readonly entries: number
  /** Moment of the newest entry. */
  readonly entryAt: Instant | null
  /** Moment of the newest record: an entry, or a change of access. */
  readonly anythingAt: Instant | null
}

export async function loadNewest(owner: Sql): Promise<Newest> {
  const [row] = await owner<Newest[]>`
    select p.entries, p.at as "entryAt", greatest(p.at, a.at) as "anythingAt"
    from (select count(*) as entries, max(recorded_at) as at from publication) p,
      (select max(at) as at from access_entry) a`
  return row!
}

interface StoredReceipt {
  readonly agreement: string
  readonly period: string
  readonly hash: string
  readonly receipt: string
}

/** Computes each signed receipt again from its own contents. */
export async function judgeStored(owner: Sql): Promise<{ count: number; problems: readonly string[] }> {
  const problems: string[] = []
  let count = 0
  await owner.begin(async tx => {
    const stored = tx<StoredReceipt[]>`
      select a.slug as agreement, r.period, r.receipt_hash as hash, r.receipt
      from signed_receipt r join agreement a on a.workspace_id = r.workspace_id and a.id = r.agreement_id order by 1, 2, 3`
    for await (const piece of RowCursor.piecesOf(tx, 'stored_receipts', stored, 100))
      for (const { agreement, period, hash, receipt } of piece) {
        count++
        const why = await whyNotSame(receipt, hash)
        if (why !== null) problems.push(`receipt of ${agreement}, ${period}: ${why}`)
      }
  })
  return { count, problems }
}

/** `stored`: hash and body. Signatures are rows of their own, which are verified with the chains. */
async function whyNotSame(stored: string, hash: string): Promise<string | null> {
  try {
    const text = JSON.stringify({ ...(JSON.parse(stored) as object), signatures: [], seal: null })
    const { difference, receipt } = await judgeReceipt(text, { subtle: undefined, trustedKeys: null })
    if (receipt.bodyHash !== hash) return 'its hash is not the one that was signed'
    return difference === null ? null : 'it does not recompute to the number that was signed'
  } catch (error) {
    return (error as Error).message
  }
}
