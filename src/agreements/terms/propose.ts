// Proposals of changes of terms, by either party or by somebody who edits the agreement. Everything happens under the lock of the
// workspace's log.

import { Refusal } from '../../core/refusal.ts'
import { loadAgreementHistory } from '../../storage/agreements/agreements.ts'
import { appending } from '../../storage/log/append.ts'
import type { Sql } from '../../storage/postgres/database.ts'
import type { Actor } from '../../storage/workspaces/activity.ts'
import { type ApplyRequest, type JudgedDocument, judge } from '../judge.ts'
import { readWords } from '../object.ts'
import type { Audience } from '../status-words.ts'
import { checkContinues } from '../write-version.ts'
import { amend } from './amend.ts'
import { noSuchAgreement, openTerms, openTurn, type TermsTurn } from './open-terms.ts'
import { type PutForward, putForward } from './put-forward.ts'
import { type BuiltSplice, type SpliceWish, splice } from './splice.ts'

export interface ProposeRequest {
  readonly workspaceId: string
  readonly by: Actor
  /** The person whose side counts; by default the proposer. */
  readonly inTheNameOf?: string
  readonly hearer?: Audience
}

/** A splice as it would be proposed, from the figures of now; nothing is stored. */
export function previewSplice(
  sql: Sql,
  { workspaceId, agreement, wish, hearer }: Pick<SpliceRequest, 'workspaceId' | 'agreement' | 'wish' | 'hearer'>,
): Promise<BuiltSplice> {
  return appending(sql, workspaceId, async (tx, log) => {
    const kept = await loadAgreementHistory(tx, workspaceId, agreement)
    if (kept === null) throw noSuchAgreement(agreement)
    return splice(openTerms(await openTurn(tx, log), kept, hearer), wish)
  })
}

interface AmendmentRequest extends ProposeRequest {
  /** Id or slug. */
  readonly agreement: string
  readonly text: string
  readonly words?: ApplyRequest['words']
  readonly reason: string
}

export function proposeAmendment(sql: Sql, request: AmendmentRequest): Promise<PutForward> {
  const { workspaceId, agreement, text, words, by, hearer } = request
  const reason = readWords('the reason', request.reason)
  return appending(sql, workspaceId, async (tx, log) => {
    const turn = await openTurn(tx, log)
    const kept = await loadAgreementHistory(tx, workspaceId, agreement)
    if (kept === null) throw noSuchAgreement(agreement)
    const open = openTerms(turn, kept, hearer)
    const judged = await judgeOrRefuse(turn, { text, words, by: by.who })
    if (judged.formula.slug !== kept.slug)
      throw new Refusal('invalid', `the document is of ${judged.formula.slug}, not of ${kept.slug}`)
    checkContinues(kept, judged, undefined)
    const change = await amend(open, { text, judged, words, reason })
    return putForward(open, change, { by, inTheNameOf: request.inTheNameOf ?? by.who, offer: null, plannedBy: null })
  })
}

interface SpliceRequest extends ProposeRequest {
  /** Id or slug. */
  readonly agreement: string
  readonly wish: SpliceWish
}

interface ProposedSplice extends PutForward {
  readonly warnings: readonly string[]
}

export function proposeSplice(sql: Sql, request: SpliceRequest): Promise<ProposedSplice> {
  const { workspaceId, agreement, wish, by, hearer } = request
  return appending(sql, workspaceId, async (tx, log) => {
    const kept = await loadAgreementHistory(tx, workspaceId, agreement)
    if (kept === null) throw noSuchAgreement(agreement)
    const open = openTerms(await openTurn(tx, log), kept, hearer)
    const { warnings, ...change } = await splice(open, wish)
    const proposer = { by, inTheNameOf: request.inTheNameOf ?? by.who, offer: null, plannedBy: null }
    return { ...(await putForward(open, change, proposer)), warnings }
  })
}

async function judgeOrRefuse(
  { ground, today, log }: TermsTurn,
  request: Pick<ApplyRequest, 'text' | 'words' | 'by'>,
): Promise<JudgedDocument> {
  const judged = await judge(ground, { workspaceId: log.scope, today, ...request })
  if (judged.outcome === 'good') return judged
  const problems = judged.problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  throw new Refusal('invalid', `the document is not right: ${problems.join('; ')}`)
}
