// Where a text occurs in a database: in every column of every table of ours, whatever its type. Bytes are looked at as text too.
import type { Sql } from '../../src/storage/postgres/database.ts'

/** `table.column` for each place, in order. For the owner's connection. */
export async function findText(owner: Sql, words: readonly string[]): Promise<readonly string[]> {
  const columns = await owner<{ table: string; column: string; type: string }[]>`
    select c.table_name as table, c.column_name as column, c.data_type as type from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'assize' and t.table_type = 'BASE TABLE' order by 1, 2`
  const found: string[] = []
  for (const { table, column, type } of columns) {
    const text = type === 'bytea' ? owner`encode(${owner(column)}, 'escape')` : owner`${owner(column)}::text`
    const [row] = await owner`
      select 1 from ${owner(table)} t, unnest(${words as string[]}::text[]) as word (text)
      where strpos(lower(${text}), lower(word.text)) > 0 limit 1`
    if (row !== undefined) found.push(`${table}.${column}`)
  }
  return found
}
