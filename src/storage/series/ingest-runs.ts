// Record of ingest: every run with its counts and problems, every answer with its hash, and the bodies of answers that brought
// something, packed and without keys.
import { randomUUIDv7 } from 'node:crypto'
import type { Instant } from '../../core/time/instant.ts'
import { inWorkspace, publicScope, type Sql, withWorkspace } from '../postgres/database.ts'
import { type PackedText, unpackText } from '../postgres/packed-text.ts'

export type RunCause = 'follow' | 'refresh' | 'timetable' | 'release' | 'calendar'

export interface RunProblem {
  readonly series: string
  readonly kind: string
  readonly message: string
}

interface RunCounts {
  readonly asked: number
  readonly added: number
  readonly revised: number
  readonly withdrawn: number
  readonly quarantined: number
  readonly problems: readonly RunProblem[]
}

export interface IngestRun extends RunCounts {
  readonly id: string
  readonly provider: string
  readonly cause: RunCause
  readonly startedAt: Instant
  readonly finishedAt: Instant | null
  readonly series: number
}

export async function startRun(
  sql: Sql,
  run: Pick<IngestRun, 'provider' | 'cause' | 'startedAt' | 'series'>,
): Promise<string> {
  const id = randomUUIDv7()
  const { provider, cause, startedAt, series } = run
  await inWorkspace(sql, publicScope)`
    insert into ingest_run (owner, id, provider, cause, started_at, series)
    values (${publicScope}, ${id}, ${provider}, ${cause}, ${startedAt}, ${series})`
  return id
}

export async function finishRun(sql: Sql, id: string, finishedAt: Instant, counts: RunCounts): Promise<void> {
  const { asked, added, revised, withdrawn, quarantined, problems } = counts
  await inWorkspace(sql, publicScope)`
    update ingest_run set finished_at = ${finishedAt}, asked = ${asked}, added = ${added}, revised = ${revised},
      withdrawn = ${withdrawn}, quarantined = ${quarantined}, problems = ${JSON.stringify(problems)}::text::jsonb
    where owner = ${publicScope} and id = ${id}`
}

/** Runs, newest first. */
export function listRuns(sql: Sql, most: number): Promise<readonly IngestRun[]> {
  return inWorkspace(sql, publicScope)<IngestRun[]>`
    select id, provider, cause, started_at as "startedAt", finished_at as "finishedAt", series, asked, added, revised,
      withdrawn, quarantined, problems
    from ingest_run where owner = ${publicScope} order by started_at desc, id desc limit ${most}`
}

/** The newest run of each provider that had begun by an instant of its own. */
export async function loadRunsBefore(
  sql: Sql,
  instants: ReadonlyMap<string, Instant>,
): Promise<ReadonlyMap<string, IngestRun>> {
  const rows = await inWorkspace(sql, publicScope)<IngestRun[]>`
    select r.id, r.provider, r.cause, r.started_at as "startedAt", r.finished_at as "finishedAt", r.series, r.asked,
      r.added, r.revised, r.withdrawn, r.quarantined, r.problems
    from unnest(${[...instants.keys()]}::text[], ${[...instants.values()]}::text[]) as t (provider, at)
    cross join lateral (
      select * from ingest_run r where r.owner = ${publicScope} and r.provider = t.provider and r.cause not in ('release', 'calendar')
        and r.started_at <= t.at::timestamptz order by r.started_at desc, r.id desc limit 1) r`
  return new Map(rows.map(run => [run.provider, run]))
}

export interface RecordedCounts {
  readonly provider: string
  readonly added: number
  readonly revised: number
  readonly withdrawn: number
}

/**
 * Counts of vintages that were recorded between two instants for the series that a workspace follows: a run has counts for
 * everybody's.
 */
export async function countRecorded(
  sql: Sql,
  workspaceId: string,
  windows: readonly { readonly provider: string; readonly from: Instant; readonly to: Instant }[],
): Promise<ReadonlyMap<string, RecordedCounts>> {
  const column = (name: 'provider' | 'from' | 'to') => windows.map(window => window[name])
  const rows = await inWorkspace(sql, workspaceId)<RecordedCounts[]>`
    select t.provider,
      count(*) filter (where v.value is not null and not v.had_before) as added,
      count(*) filter (where v.value is not null and v.had_before) as revised,
      count(*) filter (where v.value is null) as withdrawn
    from unnest(${column('provider')}::text[], ${column('from')}::text[], ${column('to')}::text[]) as t (provider, first, last)
    join follow f on f.workspace_id = ${workspaceId}
    join series s on s.owner = f.series_owner and s.id = f.series_id and s.provider = t.provider
    -- Those that changed since, which are few: the vintages of all others are left alone.
    join series_state st on st.owner = s.owner and st.series_id = s.id and st.last_changed_at >= t.first::timestamptz
    join lateral (
      select n.value, exists (
        select 1 from vintage b where b.owner = n.owner and b.series_id = n.series_id and b.period = n.period
          and b.seq < n.seq) as had_before
      from vintage n where n.owner = s.owner and n.series_id = s.id
        and n.recorded_at between t.first::timestamptz and t.last::timestamptz) v on true
    group by t.provider`
  return new Map(rows.map(row => [row.provider, row]))
}

interface AnswerRecord {
  readonly provider: string
  readonly codes: readonly string[]
  readonly address: string
  readonly status: number
  readonly contentType: string | null
  readonly receivedAt: Instant
  /** Body with its keys blanked out. */
  readonly body: PackedText
  /** Whether the body is kept, or its hash alone. */
  readonly isKept: boolean
}

/** `first` is the place of the first of them in the run. */
export async function keepAnswers(
  sql: Sql,
  runId: string,
  first: number,
  answers: readonly AnswerRecord[],
): Promise<void> {
  for (const [index, answer] of answers.entries()) {
    const { provider, codes, address, status, contentType, receivedAt, isKept } = answer
    const { sha256, packed, size } = answer.body
    await withWorkspace(sql, publicScope, async tx => {
      // Bodies may be long, and nobody waits for them.
      await tx`select set_config('statement_timeout', '60s', true)`
      if (isKept)
        await tx`insert into raw_body (owner, sha256, packed) values (${publicScope}, ${sha256}, ${packed})
          on conflict do nothing`
      await tx`
        insert into raw_answer (owner, run_id, place, provider, codes, address, status, content_type, received_at, sha256, size)
        values (${publicScope}, ${runId}, ${first + index}, ${provider}, ${codes as string[]}::text[], ${address}, ${status},
          ${contentType}, ${receivedAt}, ${sha256}, ${size})`
    })
  }
}

/** The text of a kept body, or `null`; its hash is checked. */
export async function loadRawBody(sql: Sql, sha256: Buffer): Promise<string | null> {
  const [row] = await inWorkspace(sql, publicScope)<
    { packed: Buffer }[]
  >`select packed from raw_body where owner = ${publicScope} and sha256 = ${sha256}`
  if (row === undefined) return null
  const { text, sha256: found } = await unpackText(row.packed)
  if (!found.equals(sha256)) throw new Error('a kept answer is not what its hash says')
  return text
}
