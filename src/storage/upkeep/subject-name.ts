// People's name for the subject of an entry, for messages. It looks up names and nothing else.
import type { Queryable } from '../postgres/database.ts'

/** Name of a subject, `CUSTOM/steel` or an agreement's slug; `null` where the id is unknown. */
export async function nameOfSubject(owner: Queryable, id: string): Promise<string | null> {
  const [row] = await owner<{ name: string }[]>`
    select provider || '/' || code as name from series where id = ${id}
    union all select slug from agreement where id = ${id} limit 1`
  return row?.name ?? null
}
