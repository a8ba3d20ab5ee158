// Slips: the answer to every signature. A slip says what was signed and how it lies under a checkpoint of the public log. If
// making one fails, the signature stands, the answer gives the reason, and the slip can be fetched later.
import { Refusal } from '../core/refusal.ts'
import { newestSeq } from '../storage/log/append.ts'
import { type Sql, withWorkspace } from '../storage/postgres/database.ts'
import type { PublicLog } from '../storage/proof/public-log.ts'
import { loadSignaturesSince } from '../storage/proof/slip-entries.ts'
import { makeSlips } from '../storage/proof/slips.ts'

/** The slips of what was just signed. */
interface AnsweredSlips {
  /** Texts of the slips, in order; empty where nothing new was signed. */
  readonly slips: readonly string[]
  /** The checkpoint they end in. */
  readonly checkpoint: string | null
  /** Why there are none; null where there are, or nothing was signed. */
  readonly missing: string | null
}

/** Runs `work` and adds the slips of everything it signed in the workspace; `person` null: signed by anybody. */
export async function answerSlips<T>(
  { sql, log }: { readonly sql: Sql; readonly log: PublicLog },
  { workspaceId, personId }: { readonly workspaceId: string; readonly personId: string | null },
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly slips: AnsweredSlips }> {
  const before = await withWorkspace(sql, workspaceId, tx => newestSeq(tx, workspaceId))
  const value = await work()
  return { value, slips: await slipsSince(sql, log, workspaceId, before, personId) }
}

async function slipsSince(
  sql: Sql,
  log: PublicLog,
  workspaceId: string,
  before: number,
  personId: string | null,
): Promise<AnsweredSlips> {
  try {
    const seqs = await loadSignaturesSince(sql, workspaceId, before, personId)
    if (seqs.length === 0) return { slips: [], checkpoint: null, missing: null }
    const { checkpoint, stopped } = await log.advance(workspaceId)
    if (checkpoint === null) return without(stopped)
    const wanted = seqs.map(seq => ({ seq, hasContent: true }))
    return { slips: await makeSlips(sql, log.keys, workspaceId, wanted), checkpoint: checkpoint.note, missing: null }
  } catch (error) {
    log.report(`a signature of ${workspaceId} is without a slip: ${(error as Error).message}`)
    return without(error instanceof Refusal ? error.message : 'the log did not answer in time')
  }
}

function without(missing: string): AnsweredSlips {
  return { slips: [], checkpoint: null, missing }
}
