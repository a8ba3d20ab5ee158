// Putting changes of terms forward, one or many: the same one again while nothing has moved, and otherwise in place of the open one.
// Who has signed that is no hindrance: a counter-proposal is an answer.

import { Refusal } from '../../core/refusal.ts'
import { changeNouns } from '../../core/true-up/change-kinds.ts'
import { openChange } from '../../read/agreements/terms-state.ts'
import type { AgreementHistory } from '../../storage/agreements/agreements.ts'
import {
  type ChangeTexts,
  insertChanges,
  loadChangeTexts,
  type StoredChange,
} from '../../storage/agreements/terms-changes.ts'
import { type Actor, noteActivities } from '../../storage/workspaces/activity.ts'
import { checkProposing, loadProposingPeople } from '../repeated-proposals.ts'
import { type BuiltChange, termsIn } from './built-change.ts'
import type { OpenTerms, TermsTurn } from './open-terms.ts'
import { eachOrRefusal, notRefused } from './outcomes.ts'

interface Proposer {
  readonly by: Actor
  /** Whose side counts: an operator may act for somebody. */
  readonly inTheNameOf: string
  /** Those that are offered together. */
  readonly offer: string | null
  /** The version whose plan it carries out without further signatures. */
  readonly plannedBy: number | null
}

export interface PutForward {
  readonly outcome: 'proposed' | 'unchanged'
  readonly id: string
  readonly hash: string
  /** The open one whose place it takes. */
  readonly supersedes: string | null
}

interface Forward {
  readonly kept: AgreementHistory
  readonly change: BuiltChange
}

/** One that is stored. */
interface Fresh extends Forward, Pick<PutForward, 'supersedes'> {}

export async function putForward(open: OpenTerms, change: BuiltChange, proposer: Proposer): Promise<PutForward> {
  const [put] = await putAllForward(open, [{ kept: open.kept, change }], proposer)
  if (put instanceof Refusal) throw put
  return put!
}

/**
 * Each of another agreement, in the order given; one that may not be proposed has the reason in its place. What they need is
 * read at once, and what is proposed is stored at once.
 */
export async function putAllForward(
  { tx, log }: Pick<TermsTurn, 'tx' | 'log'>,
  forwards: readonly (Forward | Refusal)[],
  proposer: Proposer,
): Promise<readonly (PutForward | Refusal)[]> {
  const { by, inTheNameOf, offer, plannedBy } = proposer
  const all = notRefused(forwards)
  const before = all.flatMap(({ kept }) => kept.changes)
  const people = await loadProposingPeople(tx, log.scope, [inTheNameOf, ...before.map(each => each.proposedBy)])
  const texts = await loadChangeTexts(tx, log.scope, plannedBy === null ? standingIn(all) : [])
  const checked = await eachOrRefusal(forwards, ({ kept, change }): PutForward | Fresh => {
    const standing = openChange(kept)
    if (standing !== null && saysTheSame(standing, change, texts.get(standing.id)))
      return { outcome: 'unchanged', id: standing.id, hash: standing.hash, supersedes: null }
    const made = { what: 'changes of terms', made: kept.changes, standing: null }
    checkProposing({ log, kept, people }, { ...made, by: by.who, inTheNameOf })
    return { kept, change, supersedes: standing?.id ?? null }
  })
  const fresh = checked.filter(each => 'change' in each)
  const rows = fresh.map(({ kept, change, supersedes }) => {
    const { kind, hash, body, document, ground, basis, effectiveFrom, series } = change
    const stored = { kind, hash, body, document, ground, basis, effectiveFrom, series }
    return { ...stored, agreementId: kept.id, offer, supersedes, plannedBy, proposedBy: by.who }
  })
  const ids = new Map((await insertChanges(tx, log, rows)).map((id, i) => [fresh[i], id]))
  const activities = fresh.map(each => {
    const what = `${changeNouns[each.change.kind]} proposed`
    return { ...by, act: 'terms.propose' as const, what, subject: `${each.kept.slug} ${ids.get(each)!}` }
  })
  await noteActivities(tx, log.scope, activities)
  return checked.map(each => {
    if (!('change' in each)) return each
    return { outcome: 'proposed', id: ids.get(each)!, hash: each.change.hash, supersedes: each.supersedes }
  })
}

function standingIn(forwards: readonly Forward[]): readonly string[] {
  return forwards.flatMap(({ kept }) => openChange(kept)?.id ?? [])
}

/** What carries out a plan is compared with nothing: it takes the place of what is open. */
function saysTheSame(standing: StoredChange, change: BuiltChange, texts: ChangeTexts | undefined): boolean {
  return (
    texts !== undefined &&
    standing.kind === change.kind &&
    texts.document === change.document &&
    termsIn(texts.body) === termsIn(change.body)
  )
}
