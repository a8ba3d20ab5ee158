// Where a text occurs in a database: in every column of every table of ours, whatever its type. Bytes are looked at as text too.
import type { Sql } from '../../src/storage/postgres/database.ts'

/** `table.column` for each place, in order. For the owner's connection. */
export async function findText(owner: Sql, words: readonly string[]): Promise<readonly string[]> {
  const tables = await owner<{ name: string; columns: { name: string; type: string }[] }[]>`
    select c.table_name as name, json_agg(json_build_object('name', c.column_name, 'type', c.data_type)) as columns
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'assize' and t.table_type = 'BASE TABLE' group by 1 order by 1`
  const found: string[] = []
  for (const { name, columns } of tables) {
    const lines = columns.map(({ name: column, type }) => {
      const text = type === 'bytea' ? `encode("${column}", 'escape')` : `"${column}"::text`
      return `bool_or(strpos(lower(${text}), lower(word.text)) > 0) as "${column}"`
    })
    const [row] = await owner<Record<string, boolean | null>[]>`
      select ${owner.unsafe(lines.join(', '))} from ${owner(name)} t, unnest(${words as string[]}::text[]) as word (text)`
    found.push(
      ...Object.keys(row!)
        .filter(column => row![column] === true)
        .map(column => `${name}.${column}`),
    )
  }
  return found.sort()
}
