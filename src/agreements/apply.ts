// Applying a formula document: a new agreement, a new version if the formula differs, a new state if only its descriptions
// do, or nothing. Where the contract says that both agree on other terms, it becomes a proposal. All problems are reported at
// once, and then nothing is written.

import type { Problem } from '../core/refusal.ts'
import { type AgreementHistory, loadAgreementHistory } from '../storage/agreements/agreements.ts'
import { appending, type OpenLog } from '../storage/log/append.ts'
import type { Sql, Transaction } from '../storage/postgres/database.ts'
import { type ApplyRequest, type JudgedDocument, judgeAll, type Refused } from './judge.ts'
import { needsBoth } from './price-list.ts'
import { amend } from './terms/amend.ts'
import { isSigned, openTerms, openTurn } from './terms/open-terms.ts'
import { putForward } from './terms/put-forward.ts'
import {
  checkContinues,
  differencesFrom,
  hasBilling,
  hasParties,
  type WrittenDocument,
  writeDocument,
} from './write-version.ts'

interface Outcome extends Omit<WrittenDocument, 'outcome'> {
  /** `proposed`: both have to sign it; the version is the one that governs until then. */
  readonly outcome: WrittenDocument['outcome'] | 'proposed'
  /** The amendment that waits for both. */
  readonly proposal: string | null
}

export interface Applied extends Outcome {
  readonly slug: string
  readonly warnings: readonly Problem[]
}

export async function applyDocument(sql: Sql, request: ApplyRequest): Promise<Applied | Refused> {
  const judged = (await judgeAll(sql, [request]))[0]!
  if (judged.outcome === 'refused') return judged
  const written = await appending(sql, request.workspaceId, (tx, log) => write(tx, log, request, judged))
  return { ...written, slug: judged.formula.slug, warnings: judged.warnings }
}

/** Applies several documents of one workspace in one entry: if one is refused, none is stored. Results in the order given. */
export async function applyDocuments(
  sql: Sql,
  requests: readonly ApplyRequest[],
  beside: (tx: Transaction, log: OpenLog, written: readonly WrittenDocument['id'][]) => Promise<void> = async () => {},
): Promise<readonly Applied[] | readonly (Refused | null)[]> {
  const judged = await judgeAll(sql, requests)
  const refused = refuseTwins(judged).map(each => (each.outcome === 'refused' ? each : null))
  if (refused.some(each => each !== null)) return refused
  const good = judged as readonly JudgedDocument[]
  const written = await appending(sql, requests[0]!.workspaceId, async (tx, log) => {
    const outcomes: Outcome[] = []
    for (const [i, each] of good.entries()) outcomes.push(await write(tx, log, requests[i]!, each))
    await beside(
      tx,
      log,
      outcomes.map(({ id }) => id),
    )
    return outcomes
  })
  return written.map((each, i) => ({ ...each, slug: good[i]!.formula.slug, warnings: good[i]!.warnings }))
}

/** Refuses two documents of one agreement: they would become two versions, and nothing says which comes first. */
function refuseTwins(judged: readonly (JudgedDocument | Refused)[]): readonly (JudgedDocument | Refused)[] {
  const seen = new Set<string>()
  return judged.map(each => {
    if (each.outcome === 'refused') return each
    const { slug } = each.formula
    if (!seen.has(slug)) {
      seen.add(slug)
      return each
    }
    const problem = { path: 'slug', message: `another document of the same call is called ${slug}` }
    return { outcome: 'refused', problems: [problem], lines: each.lines }
  })
}

async function write(tx: Transaction, log: OpenLog, request: ApplyRequest, judged: JudgedDocument): Promise<Outcome> {
  const kept = await loadAgreementHistory(tx, request.workspaceId, judged.formula.slug)
  checkContinues(kept, judged, request.basedOn)
  if (kept !== null && changesTerms(kept, judged, request.words)) {
    const open = openTerms(await openTurn(tx, log), kept)
    if (isSigned(open.standing)) {
      const { text, words, reason = 'by a new document' } = request
      const change = await amend(open, { text, judged, words, reason })
      const by = { who: request.by, fromAddress: request.fromAddress ?? null }
      const { id } = await putForward(open, change, { by, inTheNameOf: request.by, offer: null, plannedBy: null })
      return { outcome: 'proposed', id: kept.id, version: open.basis.version, proposal: id }
    }
  }
  return { ...(await writeDocument(tx, log, { ...request, kept, judged, proposal: null })), proposal: null }
}

/**
 * Whether the change needs both parties: it touches prices, billing, the contract's words or who signs, and the contract leaves
 * that to both.
 */
function changesTerms(kept: AgreementHistory, judged: JudgedDocument, words: ApplyRequest['words']): boolean {
  if (!needsBoth(kept)) return false
  const { isNewFormula } = differencesFrom(kept, judged, words)
  return isNewFormula || !hasBilling(kept, judged.formula) || !hasParties(kept, judged.formula)
}
