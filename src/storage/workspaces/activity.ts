// Activity of a workspace: rows for people to read, with the person, the act, the time and the address. They are added and never
// changed, each an entry of the access log, so that none is taken away or added unseen.
import type { Act } from '../../core/people/acts.ts'
import type { Instant } from '../../core/time/instant.ts'
import { type NewAct, noteAct, noteActs } from '../audit/audit-acts.ts'
import { recordsAccess } from '../log/access-log.ts'
import { inWorkspace, type Sql, type Transaction, withWorkspace } from '../postgres/database.ts'
import { makeIdentifier } from '../postgres/identifier.ts'
import { insertRows } from '../postgres/many-rows.ts'

interface ActivityWords {
  readonly who: string
  readonly what: string
  readonly subject: string
  readonly fromAddress: string | null
}

/** An activity in words, and the act that observers from outside are told. */
export interface Activity extends ActivityWords {
  /** The act; null where the activity is noted in several workspaces: then it is told once, for the installation. */
  readonly act: Act | null
  readonly personId?: string
}

/** The acting person and their address; the account of somebody at a page, none of somebody at the machine itself. */
export type Actor = Pick<Activity, 'who' | 'fromAddress' | 'personId'>

export async function noteActivity(tx: Transaction, workspaceId: string, activity: Activity): Promise<void> {
  await noteActivities(tx, workspaceId, [activity])
}

/** Notes activities in one statement, in their order. */
export async function noteActivities(
  tx: Transaction,
  workspaceId: string,
  activities: readonly Activity[],
): Promise<void> {
  if (activities.length === 0) return
  recordsAccess(tx)
  const told = activities.flatMap(({ act, what: said, ...activity }): readonly NewAct[] =>
    act === null ? [] : [{ ...activity, tenant: workspaceId, act, said }],
  )
  await Promise.all([
    insertRows(
      tx,
      'activity',
      activities.map(({ who, what, subject, fromAddress }) => ({
        workspace_id: workspaceId,
        id: makeIdentifier('act'),
        who,
        what,
        subject,
        from_address: fromAddress,
      })),
    ),
    noteActs(tx, told),
  ])
}

/** Activity of somebody at the machine itself: there is no address, and no account unless they named one. */
type OperatorAction = Omit<Activity, 'fromAddress'>

export async function noteOperator(sql: Sql, workspaceId: string, actions: readonly OperatorAction[]): Promise<void> {
  if (actions.length === 0) return
  await withWorkspace(sql, workspaceId, async tx => {
    await noteActivities(
      tx,
      workspaceId,
      actions.map(action => ({ ...action, fromAddress: null })),
    )
  })
}

/** Notes in every workspace that follows the series, for it is the same series to all of them. The address is left out. */
export async function noteToFollowers(sql: Sql, seriesId: string, action: OperatorAction): Promise<void> {
  await sql.begin(async tx => {
    const followers = await tx<{ id: string }[]>`select followers_of(${seriesId}) as id`
    await noteInEach(tx, followers, action)
  })
}

export async function noteEverywhere(owner: Sql, action: OperatorAction): Promise<void> {
  await owner.begin(async tx => {
    await noteInEach(tx, await tx<{ id: string }[]>`select id from workspace`, action)
  })
}

/** Notes in the workspaces that somebody has a place in; told from outside once. */
export async function noteInPlaces(sql: Sql, workspaceIds: readonly string[], activity: Activity): Promise<void> {
  await sql.begin(tx =>
    noteInEach(
      tx,
      workspaceIds.map(id => ({ id })),
      activity,
    ),
  )
}

async function noteInEach(
  tx: Transaction,
  workspaces: readonly { readonly id: string }[],
  { act, ...action }: OperatorAction & { readonly fromAddress?: string | null },
): Promise<void> {
  const { fromAddress = null } = action
  for (const { id } of workspaces) {
    await tx`select set_config('assize.workspace', ${id}, true)`
    await noteActivity(tx, id, { ...action, fromAddress, act: null })
  }
  const { what: said, ...told } = action
  if (act !== null) await noteAct(tx, { ...told, fromAddress, act, said })
}

export interface NotedActivity extends ActivityWords {
  readonly id: string
  readonly at: Instant
}

/** Filter of activities; absent values do not filter. */
interface ActivityFilter {
  /** Address of the person, `operator`, or a part of it. */
  readonly who?: string | undefined
  /** A part of the words of an act or of its subject. */
  readonly words?: string | undefined
  /** Days, both included, in UTC. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** Slug of an agreement: acts on it or on one of its periods. */
  readonly formula?: string | undefined
}

/** Activities, newest first, from before the one with the id `before`. */
export function listActivity(
  sql: Sql,
  workspaceId: string,
  {
    before,
    most,
    filter: { who, words, from, to, formula } = {},
  }: { readonly before: string | null; readonly most: number; readonly filter?: ActivityFilter },
): Promise<readonly NotedActivity[]> {
  return inWorkspace(sql, workspaceId)<NotedActivity[]>`
    select id, at, who, what, subject, from_address as "fromAddress" from activity
    where workspace_id = ${workspaceId}
      ${before === null ? sql`` : sql`and id < ${before}`}
      ${who === undefined ? sql`` : sql`and strpos(lower(who), lower(${who})) > 0`}
      ${words === undefined ? sql`` : sql`and strpos(lower(what || ' ' || subject), lower(${words})) > 0`}
      ${from === undefined ? sql`` : sql`and at >= ${from}::date`}
      ${to === undefined ? sql`` : sql`and at < ${to}::date + 1`}
      ${formula === undefined ? sql`` : sql`and (subject = ${formula} or starts_with(subject, ${`${formula} `}))`}
    order by id desc limit ${most}`
}
