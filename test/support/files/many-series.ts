// A workspace with very many series: copies of one, made by the database at once. As the program would store them,
// except for their position in the sequence, which is that of the first, and without values.
import { publicScope, type Sql } from '../../../src/storage/postgres/database.ts'

/** `count` copies of a series of a workspace or of a public one, with `-000001` and so on after its code and name. */
export async function copySeries(owner: Sql, scope: string, seriesId: string, count: number): Promise<void> {
  const copies = owner`(select n, ${copyId(owner, scope)} as id from generate_series(1, ${count}::integer) n) as c`
  await owner.begin(async tx => {
    await tx`insert into series (owner, id, provider, code, created_at)
      select s.owner, c.id, s.provider, s.code || '-' || lpad(c.n::text, 6, '0'), s.created_at
      from series s, ${copies} where s.owner = ${scope} and s.id = ${seriesId}`
    await tx`insert into series_metadata (owner, series_id, seq, name, unit, data_type, frequency, description, recorded_at)
      select m.owner, c.id, m.seq, m.name || ' ' || c.n, m.unit, m.data_type, m.frequency, m.description, m.recorded_at
      from series_metadata m, ${copies} where m.owner = ${scope} and m.series_id = ${seriesId}`
  })
  await owner`analyze series, series_metadata`
}

/** A workspace that follows a public series follows the first `count` of its copies as well. */
export async function followCopies(owner: Sql, workspaceId: string, seriesId: string, count: number): Promise<void> {
  await owner`insert into follow (workspace_id, series_id, seq, recorded_at)
    select f.workspace_id, ${copyId(owner, publicScope)}, f.seq, f.recorded_at
    from follow f, generate_series(1, ${count}::integer) n where f.workspace_id = ${workspaceId} and f.series_id = ${seriesId}`
  await owner`analyze follow`
}

/** Of the copy `n`: another one in every scope, in the order of the numbers. */
function copyId(owner: Sql, scope: string) {
  const mark = scope === publicScope ? `1${'0'.repeat(17)}` : `0${scope.slice(-17)}`
  return owner`'ser_' || ${mark}::text || lpad(n::text, 8, '0')`
}
