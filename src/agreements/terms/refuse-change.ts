// Refusal of a change of terms, with a sentence. It stays on record; another change may be proposed.

import { Refusal } from '../../core/refusal.ts'
import { stateOfChange, whySuperseded } from '../../read/agreements/terms-state.ts'
import { findChanges } from '../../storage/agreements/terms-changes.ts'
import { appendEntry } from '../../storage/log/entry-rows.ts'
import { type Sql, withWorkspace } from '../../storage/postgres/database.ts'
import { asSpeaker, noteStatement, readWords, type StatementRequest } from '../object.ts'
import { checkRefusing } from '../signable.ts'
import { noSuchChange } from './sign-change.ts'

interface RefuseChangeRequest extends Omit<StatementRequest, 'agreement'> {
  readonly id: string
  /** The hash that was shown; null refuses what is stored. */
  readonly hash: string | null
  readonly reason: string
}

export async function refuseChange(sql: Sql, request: RefuseChangeRequest): Promise<void> {
  const { id, hash: shown, workspaceId } = request
  const reason = readWords('the reason', request.reason)
  // A change never leaves its agreement.
  const agreement = (await withWorkspace(sql, workspaceId, tx => findChanges(tx, workspaceId, [id]))).get(id)
  if (agreement === undefined) throw noSuchChange(id)
  const question = { ...request, agreement }
  await asSpeaker(sql, question, async ({ tx, log, kept, speaker }) => {
    const change = kept.changes.find(each => each.id === id)!
    const state = stateOfChange(kept, change)
    checkRefusing({ ...change, state }, speaker.party)
    if (state === 'SUPERSEDED') throw new Refusal('conflict', `${id} needs no refusal: ${whySuperseded(kept, change)!}`)
    if (shown !== null && shown !== change.hash)
      throw new Refusal('conflict', `${id} has the hash ${change.hash}, not ${shown}: look at it again`)
    const facts = { ...speaker, changeId: id, reason }
    await appendEntry(tx, log, 'terms-refusal', { subject: kept.id, facts })
    await noteStatement(tx, question, { act: 'terms.refuse', did: 'refused' }, `${kept.slug} ${id}`)
  })
}
