// Operators of the installation: people who decide about public series, see the state of the providers and set the limits of
// workspaces. An operator is an account, never an address: anybody may be invited under any address.

import { Refusal } from '../../core/refusal.ts'
import type { Instant } from '../../core/time/instant.ts'
import { accountsScope, changingAccess, confirmAll } from '../log/access-log.ts'
import type { Queryable, Sql } from '../postgres/database.ts'
import { type Activity, noteInPlaces } from '../workspaces/activity.ts'
import { isLocked } from './password.ts'
import { findTheAccount, readEmail } from './people.ts'

interface Operator {
  readonly personId: string
  readonly email: string
  readonly addedBy: string
  readonly addedAt: Instant
}

export async function listOperators(sql: Queryable): Promise<readonly Operator[]> {
  const rows = await sql<Operator[]>`
    select person_id as "personId", email, added_by as "addedBy", added_at as "addedAt" from operators()`
  const said = await confirmAll(
    sql,
    'operator',
    accountsScope,
    rows.map(({ personId }) => personId),
  )
  return rows.filter(({ personId }) => said.has(personId))
}

/**
 * Checks again just before a decision: an operator may have been removed since the request began.
 */
export async function requireOperator(sql: Queryable, personId: string): Promise<void> {
  const operators = await listOperators(sql)
  if (!operators.some(operator => operator.personId === personId)) throw notOperator()
}

export function notOperator(): Refusal {
  return new Refusal('forbidden', 'only operators of this installation may do this, and you are not one of them')
}

/** Makes an account an operator and returns whether it became one; noted in the workspaces it is in. */
export async function addOperator(
  owner: Sql,
  email: string,
  { workspaceId, by }: { readonly workspaceId: string | null; readonly by: string },
): Promise<boolean> {
  const account = await findTheAccount(owner, email, workspaceId)
  // A session by a provider opens nothing of the installation (decision 0730): nobody could use this right.
  if (isLocked(account.passwordHash))
    throw new Refusal(
      'conflict',
      `${account.email} signs in by the identity provider of a workspace, which opens that workspace alone; an operator needs an account with a password`,
    )
  const added = await changingAccess(
    owner,
    tx => tx`
      insert into operator (person_id, added_by) values (${account.id}, ${by}) on conflict do nothing returning 1`,
  )
  if (added.length === 0) return false
  await noteIn(owner, account.id, {
    who: by,
    act: 'operator.add',
    what: 'made an operator of the installation',
    subject: account.email,
  })
  return true
}

/** Removes every account of the address; refused where none is an operator. */
export async function removeOperator(owner: Sql, email: string, by: string): Promise<void> {
  const address = readEmail(email)
  const removed = await changingAccess(
    owner,
    tx => tx<{ id: string }[]>`
      delete from operator o using person p where p.id = o.person_id and lower(p.email) = ${address}
      returning o.person_id as id`,
  )
  if (removed.length === 0) throw new Refusal('not-found', `${address} is not an operator of this installation`)
  for (const { id } of removed)
    await noteIn(owner, id, {
      who: by,
      act: 'operator.remove',
      what: 'no longer an operator of the installation',
      subject: address,
    })
}

async function noteIn(owner: Sql, personId: string, action: Omit<Activity, 'fromAddress'>): Promise<void> {
  const places = await owner<{ id: string }[]>`
    select workspace_id as id from member where person_id = ${personId} and joined_at is not null`
  await noteInPlaces(
    owner,
    places.map(({ id }) => id),
    { ...action, fromAddress: null },
  )
}
