// Putting changes of terms forward, one or many: the answer is the open proposal while nothing has moved, otherwise a new one in
// its place. A signature on the open one does not prevent that: a counter-proposal is an answer.

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
  /** The person whose side counts: an operator may act for somebody. */
  readonly inTheNameOf: string
  /** Id shared by the changes that are offered together. */
  readonly offer: string | null
  /** The version whose plan it carries out without further signatures. */
  readonly plannedBy: number | null
}

export interface PutForward {
  readonly outcome: 'proposed' | 'unchanged'
  readonly id: string
  readonly hash: string
  /** The open proposal whose place it takes. */
  readonly supersedes: string | null
}

interface Forward {
  readonly kept: AgreementHistory
  readonly change: BuiltChange
}

/** A change that is stored as a new proposal. */
interface Fresh extends Forward, Pick<PutForward, 'supersedes'> {}

export async function putForward(open: OpenTerms, change: BuiltChange, proposer: Proposer): Promise<PutForward> {
  const [put] = await putAllForward(open, [{ kept: open.kept, change }], proposer)
  if (put instanceof Refusal) throw put
  return put!
}

/**
 * Puts forward changes of different agreements, in the order given; one that may not be proposed has the reason in its place.
 * Everything needed is read at once, and all proposals are stored at once.
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

/**
 * Whether the open proposal says the same. The proposal of a plan is compared with nothing: it takes the place of the open one.
 */
function saysTheSame(standing: StoredChange, change: BuiltChange, texts: ChangeTexts | undefined): boolean {
  return (
    texts !== undefined &&
    standing.kind === change.kind &&
    texts.document === change.document &&
    termsIn(texts.body) === termsIn(change.body)
  )
}
