// What a restore until an instant must have of the log: exactly the rows that were recorded by then, of the scopes that it knows.
import type { Instant } from '../../../src/core/time/instant.ts'
import { scopeColumnOf } from '../../../src/storage/backups/log-tables.ts'
import type { Sql } from '../../../src/storage/postgres/database.ts'
import { listTables } from '../../../src/storage/upkeep/backup.ts'

/** The tables that differ, and how many rows were compared. */
export async function compareUntil(
  original: Sql,
  restored: Sql,
  until: Instant,
): Promise<{ readonly differing: readonly string[]; readonly rows: number }> {
  const known = (await restored<{ scope: string }[]>`select scope from scope_clock`).map(({ scope }) => scope)
  const differing: string[] = []
  let rows = 0
  for (const shape of await restored.begin(tx => listTables(tx))) {
    const scope = scopeColumnOf(shape)
    if (scope === null || shape.name === 'scope_clock') continue
    const rowsOf = (sql: Sql) => sql<{ row: string }[]>`
      select to_jsonb(t)::text as row from ${sql(shape.name)} t
      join publication p on p.scope = t.${sql(scope)} and p.seq = t.seq
      where p.recorded_at <= ${until} and p.scope = any(${known}::text[]) order by 1`
    const [there, here] = [await rowsOf(original), await rowsOf(restored)]
    const [all] = await restored<{ count: number }[]>`select count(*) as count from ${restored(shape.name)}`
    if (all!.count !== here.length || JSON.stringify(here) !== JSON.stringify(there)) differing.push(shape.name)
    rows += here.length
  }
  return { differing, rows }
}
