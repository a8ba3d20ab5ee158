// Many observations at once: rows are copied into a table of this session alone, compared with what is stored, and published
// together or not at all. Rows that are no new vintage (C12) are left out here, in SQL, so that a million rows are never in the
// memory of this process. The scope's lock is taken only for the insert.

import { Refusal } from '../../core/refusal.ts'
import type { VersionTag } from '../../core/series/series.ts'
import type { Instant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import { beginAppending, newestSeq, type OpenLog, type SealableLog } from '../log/append.ts'
import { vintageSource } from '../log/clock-repairs.ts'
import type { CopyIn } from '../postgres/copy.ts'
import { type LogWriter, logWriterOf, type Sql, type Transaction, withWorkspace } from '../postgres/database.ts'
import { enforceQuota } from '../workspaces/quotas.ts'

export interface StagedRow {
  /** A number the caller gives to the series; `publish` gets the id it stands for. */
  readonly series: number
  /** Running number of the period. */
  readonly period: number
  /** Value; `null`: a withdrawal. */
  readonly value: string | null
  /** Tag; `null`: FINAL, or REVISED where it changes a FINAL one. A withdrawal has none. */
  readonly tag: VersionTag | null
  readonly flag: string | null
  /** Publication; `null`: the moment it is recorded. */
  readonly publishedAt: Instant | null
  /** Line in the file, for messages. */
  readonly line: number
}

/** A conflict: the same series, period and publication with another value or tag on another line. */
interface StagedConflict {
  readonly series: number
  readonly period: number
  readonly line: number
  readonly otherLine: number
}

export interface SeriesCounts {
  readonly series: number
  readonly rows: number
  /** Running numbers of periods. */
  readonly first: number
  readonly last: number
  /** New vintages of periods that had none. */
  readonly added: number
  /** New vintages of periods that had some. */
  readonly revised: number
}

/** Counts of a file: rows, new values of new periods, and new values of periods that had some. */
export interface StagedTotals {
  readonly rows: number
  readonly added: number
  readonly revised: number
}

export interface ChangedValue {
  readonly series: number
  /** Running number of the period. */
  readonly period: number
  /** Value before; `null`: withdrawn. */
  readonly before: string | null
  readonly after: string | null
}

export interface StagedOutcome {
  readonly rows: number
  readonly added: number
  /** Instant of the publication; `null` when nothing was new and nothing was published. */
  readonly recordedAt: Instant | null
  /** Ids of the series that got something new. */
  readonly changed: readonly string[]
}

/** Runs `work` in one transaction: rows that it does not publish, or throws over, leave no trace. */
export async function withStaging<T>(sql: Sql, scope: string, work: (staging: Staging) => Promise<T>): Promise<T> {
  const publisher = logWriterOf(sql)
  return withWorkspace(sql, scope, async tx => {
    const staging = await Staging.open(tx, scope, publisher)
    try {
      const result = await work(staging)
      await staging.finish()
      await staging.seal()
      return result
    } catch (error) {
      await staging.abandon()
      throw error
    }
  })
}

class Staging {
  readonly tx: Transaction
  readonly #scope: string
  readonly #publisher: LogWriter
  readonly #target: CopyIn
  #log: SealableLog | null = null
  #rows = 0
  #text = ''

  private constructor(tx: Transaction, scope: string, publisher: LogWriter, target: CopyIn) {
    this.tx = tx
    this.#scope = scope
    this.#publisher = publisher
    this.#target = target
  }

  static async open(tx: Transaction, scope: string, publisher: LogWriter): Promise<Staging> {
    await tx`select set_config('statement_timeout', '0', true), set_config('work_mem', '64MB', true)`
    await tx`
      create temporary table staged (
        series integer not null, period integer not null, value text, tag text, flag text,
        published_at timestamptz, line integer not null
      ) on commit drop`
    const copy = tx`copy staged (series, period, value, tag, flag, published_at, line) from stdin`
    return new Staging(tx, scope, publisher, await copy.copyIn())
  }

  /** Adds rows in pieces of a thousand or so. Waits while the database is behind. */
  async add(rows: Iterable<StagedRow>): Promise<void> {
    for (const row of rows) {
      this.#text += formatCopyRow(row)
      this.#rows++
      if (this.#text.length < limits.copyChunkBytes) continue
      await this.#flush()
    }
  }

  async #flush(): Promise<void> {
    const text = this.#text
    this.#text = ''
    await this.#target.write(text)
  }

  finish(): Promise<void> {
    return this.#target.finish()
  }

  abandon(): Promise<void> {
    return this.#target.abandon()
  }

  /** Seals the entry: the last thing before the commit. */
  async seal(): Promise<void> {
    await this.#log?.seal()
  }

  async #begin(): Promise<OpenLog> {
    this.#log = await beginAppending(this.tx, this.#scope, this.#publisher)
    return this.#log
  }

  /** Ends the rows and works out the new ones; `seriesIds[n]` is the id that the number n stands for. */
  async compare(seriesIds: readonly string[]): Promise<StagedComparison> {
    await this.#flush()
    await this.finish()
    const { tx } = this
    await tx`create temporary table staged_series (series integer primary key, series_id text collate "C" not null)
      on commit drop`
    await tx`insert into staged_series select n - 1, id from unnest(${seriesIds as string[]}::text[]) with ordinality as t (id, n)`
    await gatherStatistics(tx, 'staged', this.#rows)
    // The table is joined with stored ones, so its size matters however small it is: unseen, it would count as a thousand rows.
    await tx`analyze staged_series`
    return StagedComparison.make({ tx, scope: this.#scope, rows: this.#rows, begin: () => this.#begin() })
  }
}

interface StagedComparisonParts {
  readonly tx: Transaction
  readonly scope: string
  readonly rows: number
  /** Takes the lock and begins the entry. */
  readonly begin: () => Promise<OpenLog>
}

/** Staged rows beside those stored when the newest publication of the scope was `seen`. */
export class StagedComparison {
  readonly #tx: Transaction
  readonly #scope: string
  readonly #rows: number
  readonly #seen: number
  readonly #begin: () => Promise<OpenLog>

  private constructor({ tx, scope, rows, begin }: StagedComparisonParts, seen: number) {
    this.#tx = tx
    this.#scope = scope
    this.#rows = rows
    this.#seen = seen
    this.#begin = begin
  }

  static async make(parts: StagedComparisonParts): Promise<StagedComparison> {
    const { tx, scope } = parts
    await findTwice(tx)
    const seen = await newestSeq(tx, scope)
    await findFresh(tx, scope)
    return new StagedComparison(parts, seen)
  }

  /** Conflicts by line, at most `limit` of them. */
  async conflicts(limit: number): Promise<readonly StagedConflict[]> {
    return this.#tx<StagedConflict[]>`
      select series, period, line, other_line as "otherLine" from (
        select *, lag(line) over place as other_line, lag(value) over place as other_value, lag(tag) over place as other_tag
        from staged where (series, period) in (select series, period from twice)
        window place as (partition by series, period, published_at order by line)
      ) placed
      where other_line is not null and (value::numeric, tag) is distinct from (other_value::numeric, other_tag)
      order by line limit ${limit}`
  }

  async countNew(): Promise<number> {
    const [row] = await this.#tx<{ count: number }[]>`select count(*) from fresh`
    return row!.count
  }

  /** Counts of each series; by the numbers the caller gave them, the first `limit` of them. */
  async bySeries(limit: number): Promise<readonly SeriesCounts[]> {
    return this.#tx<SeriesCounts[]>`
      with new_rows as (
        select f.series, count(*) as rows, count(*) filter (where h.series is null) as added
        from fresh f left join (select distinct series, period from stored) h on h.series = f.series and h.period = f.period
        where f.series < ${limit} group by f.series
      )
      select s.series, s.rows, s.first, s.last, coalesce(n.added, 0) as added, coalesce(n.rows - n.added, 0) as revised
      from (select series, count(*) as rows, min(period) as first, max(period) as last from staged
        where series < ${limit} group by series) s
      left join new_rows n on n.series = s.series order by s.series`
  }

  async totals(): Promise<StagedTotals> {
    const [row] = await this.#tx<StagedTotals[]>`
      select (select count(*) from staged) as rows, count(*) filter (where h.series is null) as added,
        count(*) filter (where h.series is not null) as revised
      from fresh f left join (select distinct series, period from stored) h on h.series = f.series and h.period = f.period`
    return row!
  }

  /** Values that would replace the newest stored ones, by series and period: the first `limit`, and how many there are. */
  async changes(limit: number): Promise<{ readonly list: readonly ChangedValue[]; readonly count: number }> {
    const list = await this.#tx<(ChangedValue & { count: number })[]>`
      with newest as (
        select distinct on (series, period) series, period, value, published_at from stored
        where (series, period) in (select series, period from fresh)
        order by series, period, published_at desc, seq desc
      ), coming as (
        select distinct on (series, period) series, period, value, published_at from fresh
        order by series, period, coalesce(published_at, 'infinity') desc
      )
      select c.series, c.period, n.value as before, c.value as after, count(*) over () as count
      from coming c join newest n on n.series = c.series and n.period = c.period
      where coalesce(c.published_at, 'infinity') >= n.published_at
        and c.value::numeric is distinct from n.value::numeric
      order by c.series, c.period limit ${limit}`
    return { list: list.map(({ count: _, ...change }) => change), count: list[0]?.count ?? 0 }
  }

  /** New rows of some series, at most `limit`. */
  async freshOf(series: readonly number[], limit: number): Promise<readonly Omit<StagedRow, 'line'>[]> {
    return this.#tx<Omit<StagedRow, 'line'>[]>`
      select series, period, value, tag, flag, published_at as "publishedAt" from fresh
      where series = any(${series as number[]}::integer[]) order by series, period limit ${limit}`
  }

  /** Numbers of the series that get something new. */
  async touched(): Promise<readonly number[]> {
    const rows = await this.#tx<{ series: number }[]>`select distinct series from fresh order by series`
    return rows.map(({ series }) => series)
  }

  /** `prepare` runs under the lock, before the observations: for series that are new. */
  async appendOne(prepare: (log: OpenLog) => Promise<void> = async () => {}): Promise<StagedOutcome> {
    const tx = this.#tx
    const [conflict] = await this.conflicts(1)
    if (conflict) throw new Refusal('invalid', `line ${conflict.line} contradicts line ${conflict.otherLine}`)
    await hashFresh(tx)
    const log = await this.#begin()
    if (await this.#isOutdated()) {
      await tx`drop table if exists stored, unstored, fresh, fresh_series`
      await findFresh(tx, this.#scope)
      await hashFresh(tx)
    }
    await prepare(log)
    return this.#insert(log)
  }

  /** Whether another publication of one of these series came in between the comparison and the lock. */
  async #isOutdated(): Promise<boolean> {
    const [row] = await this.#tx`
      select 1 from publication p join staged_series s on s.series_id = p.subject
      where p.scope = ${this.#scope} and p.seq > ${this.#seen} and p.kind = 'observations' limit 1`
    return row !== undefined
  }

  /** A file may have a hundred thousand series: only their ids ever come here. */
  async #insert({ recordedAt }: OpenLog): Promise<StagedOutcome> {
    const tx = this.#tx
    await refuseFuture(tx, recordedAt)
    await tx`
      create temporary table appended on commit drop as
      select subject as series_id, seq from append_publications('observations',
        array(select series_id from fresh_series order by series_id),
        array(select hash from fresh_series order by series_id))`
    const changed = await tx<{ id: string }[]>`select series_id as id from appended order by series_id`
    if (changed.length === 0) return { rows: this.#rows, added: 0, recordedAt: null, changed: [] }
    await gatherStatistics(tx, 'appended', changed.length)
    // The insert is in the order of the key: twice as fast as in the order of the file.
    const { count } = await tx`
      insert into vintage (owner, series_id, period, seq, value, tag, flag, published_at, recorded_at)
      select ${this.#scope}, p.series_id, f.period, p.seq, f.value, f.tag, f.flag,
        coalesce(f.published_at, ${recordedAt}::timestamptz) as published_at, ${recordedAt}::timestamptz
      from appended p join staged_series s on s.series_id = p.series_id join fresh f on f.series = s.series
      order by p.series_id collate "C", f.period, published_at`
    await enforceQuota(tx, this.#scope, 'vintages')
    return { rows: this.#rows, added: count, recordedAt, changed: changed.map(({ id }) => id) }
  }
}

/** A publication that is only now being recorded cannot lie ahead of the record. */
async function refuseFuture(tx: Transaction, recordedAt: Instant): Promise<void> {
  const [late] = await tx<{ newest: Instant }[]>`
    select newest from fresh_series where newest >= ${recordedAt}::timestamptz order by series_id limit 1`
  if (late) throw new Refusal('invalid', `published must not be in the future, got ${late.newest}`)
}

/**
 * Gathers statistics for the planner, about a table that is compared with other tables of this transaction. Few rows need none.
 */
async function gatherStatistics(tx: Transaction, table: string, rows: number): Promise<void> {
  if (rows > limits.rowsWithoutStatistics) await tx`analyze ${tx(table)}`
}

/** Periods that stand in the file more than once. */
async function findTwice(tx: Transaction): Promise<void> {
  const { count } = await tx`
    create temporary table twice on commit drop as
    select series, period from staged group by series, period having count(*) > 1`
  await gatherStatistics(tx, 'twice', count)
}

/**
 * Leaves out stored publications, one by one; of the rest, rows that only repeat the vintage before them. Each step is a table of
 * its own, with statistics unless it is small: guessing at sizes, the planner chose loops that take minutes.
 */
async function findFresh(tx: Transaction, scope: string): Promise<void> {
  const { count } = await tx`
    create temporary table stored on commit drop as
    select s.series, v.period, v.published_at, v.seq, v.value, v.tag
    from staged_series s join ${tx(await vintageSource(tx, scope))} v on v.owner = ${scope} and v.series_id = s.series_id`
  if (count === 0) {
    const [some] = await tx`select 1 from twice limit 1`
    if (some !== undefined) return judge(tx, 'staged')
    await tx`create temporary table fresh on commit drop as ${asWritten(tx, 'staged')}`
    return
  }
  await gatherStatistics(tx, 'stored', count)
  const { count: left } = await tx`
    create temporary table unstored on commit drop as
    select s.* from staged s where not exists (
      select 1 from stored h
      where h.series = s.series and h.period = s.period and h.published_at = s.published_at
        and (h.value is not distinct from s.value or h.value::numeric = s.value::numeric)
        and (s.tag is null or h.tag = s.tag))`
  await gatherStatistics(tx, 'unstored', left)
  await judge(tx, 'unstored')
}

/** Rows that count, for periods that have a single row, stored ones included. */
function asWritten(tx: Transaction, table: 'staged' | 'unstored') {
  return tx`select series, period, published_at, value, coalesce(tag, 'FINAL') as tag, flag from ${tx(table)} u
    where value is not null`
}

/** Sorts after every sequence number. */
const afterAll = Number.MAX_SAFE_INTEGER

/**
 * `withStatements` of core/series/vintage.ts (C12) over whole tables, checked against it by a test. A period's vintages are ordered by
 * publication, stored before staged, then as in the file; an unwritten publication is now, so it comes last. A tag that was not
 * written is the one of the settled value before where the value is the same number, else FINAL for the first and REVISED
 * for a later one; `known` carries the last certain tag forward. Periods with a single row, nearly all of a usual file,
 * need none of this.
 */
async function judge(tx: Transaction, table: 'staged' | 'unstored'): Promise<void> {
  const candidates = tx(table)
  await tx`
    create temporary table fresh on commit drop as
    with company as materialized (
      select series, period from (select series, period from stored union select series, period from twice) k
      where exists (select 1 from ${candidates} u where u.series = k.series and u.period = k.period)
    ), combined as (
      select series, period, published_at, seq, 0 as line, value, tag, null as flag from stored
      where (series, period) in (select series, period from company)
      union all
      select series, period, coalesce(published_at, 'infinity'), ${afterAll}, line, value, tag, flag from ${candidates}
      where (series, period) in (select series, period from company)
    ), settling as (
      select *, lag(value) over settled as settled_before, row_number() over settled as place
      from (select *, value is not null and tag is distinct from 'PRELIMINARY' as is_settled from combined) c
      window settled as (partition by series, period, is_settled order by published_at, seq, line)
    ), certain as (
      select *, place * 2 + case
        when tag is not null then (tag = 'REVISED')::integer
        when place = 1 then 0
        when value::numeric <> settled_before::numeric then 1 end as known
      from settling
    ), tagged as (
      select *, case when is_settled then case (max(known) over settled) % 2 when 0 then 'FINAL' else 'REVISED' end
        else tag end as final_tag
      from certain window settled as (partition by series, period, is_settled order by published_at, seq, line)
    ), judged as (
      select *, row_number() over before as place_of_all, lag(value) over before as value_before,
        lag(final_tag) over before as tag_before
      from tagged window before as (partition by series, period order by published_at, seq, line)
    )
    select series, period, nullif(published_at, 'infinity') as published_at, value, final_tag as tag, flag
    from judged
    where line > 0 and case when place_of_all = 1 then value is not null
      else (value::numeric, final_tag) is distinct from (value_before::numeric, tag_before) end
    union all
    ${asWritten(tx, table)} and not exists (
      select 1 from company c where c.series = u.series and c.period = u.period)`
}

async function hashFresh(tx: Transaction): Promise<void> {
  await tx`
    create temporary table fresh_series on commit drop as
    select s.series_id, max(f.published_at) as newest, sha256(convert_to(string_agg(
      observation_line(f.period, f.published_at, f.value, f.tag, f.flag), chr(10)
      order by f.period, f.published_at), 'UTF8')) as hash
    from fresh f join staged_series s on s.series = f.series group by s.series_id`
}

function formatCopyRow(row: StagedRow): string {
  const { series, period, value, tag, flag, publishedAt, line } = row
  return `${series}\t${period}\t${value ?? '\\N'}\t${tag ?? '\\N'}\t${flag === null ? '\\N' : escapeText(flag)}\t${publishedAt ?? '\\N'}\t${line}\n`
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** Values and tags are checked before; a provider's flag may contain anything. */
function escapeText(text: string): string {
  return text.replace(/[\\\t\n\r]/g, found => escapes[found]!)
}
