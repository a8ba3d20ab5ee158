// Putting a change of terms forward: the same one again while nothing has moved, and otherwise in place of the open one. Who has
// signed that is no hindrance: a counter-proposal is an answer.

import { openChange } from '../../read/agreements/terms-state.ts'
import {
  type ChangeTexts,
  insertChanges,
  type KeptChange,
  readChangeTexts,
} from '../../storage/agreements/terms-changes.ts'
import { type Actor, noteActivity } from '../../storage/workspaces/activity.ts'
import { checkProposing } from '../proposing.ts'
import { type BuiltChange, termsIn } from './built-change.ts'
import type { OpenTerms } from './open-terms.ts'

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

export async function putForward(open: OpenTerms, change: BuiltChange, proposer: Proposer): Promise<PutForward> {
  const { tx, log, kept } = open
  const { by, inTheNameOf, offer, plannedBy } = proposer
  const standing = openChange(kept)
  if (standing !== null && plannedBy === null && saysTheSame(standing, change, await textsOf(open, standing)))
    return { outcome: 'unchanged', id: standing.id, hash: standing.hash, supersedes: null }
  const before = { what: 'changes of terms', made: kept.changes, standing: null }
  await checkProposing({ tx, log, kept }, { ...before, by: by.who, inTheNameOf })
  const { judged: _judged, ...stored } = change
  const supersedes = standing?.id ?? null
  const [id] = await insertChanges(tx, log, [
    { ...stored, pamId: kept.id, offer, supersedes, plannedBy, proposedBy: by.who },
  ])
  const what = `${change.kind === 'SPLICE' ? 'splice' : 'amendment'} proposed`
  await noteActivity(tx, log.scope, { ...by, what, subject: `${kept.slug} ${id!}` })
  return { outcome: 'proposed', id: id!, hash: change.hash, supersedes }
}

async function textsOf({ tx, log }: OpenTerms, { id }: KeptChange): Promise<ChangeTexts> {
  return (await readChangeTexts(tx, log.scope, [id])).get(id)!
}

function saysTheSame(standing: KeptChange, change: BuiltChange, texts: ChangeTexts): boolean {
  return (
    standing.kind === change.kind && texts.document === change.document && termsIn(texts.body) === termsIn(change.body)
  )
}
