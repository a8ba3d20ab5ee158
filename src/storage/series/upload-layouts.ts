// Layouts of a workspace's files as they were last read, by the words of their header: the next file like one needs no questions.
import { createHash } from 'node:crypto'
import { limits } from '../../limits.ts'
import { type Sql, withWorkspace } from '../postgres/database.ts'

function headerHash(header: readonly string[]): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(header.map(cell => cell.trim())))
    .digest()
}

export function findLayout(sql: Sql, workspaceId: string, header: readonly string[]): Promise<unknown> {
  return withWorkspace(sql, workspaceId, async tx => {
    const [row] = await tx<{ layout: unknown }[]>`
      select layout from upload_layout where workspace_id = ${workspaceId} and header = ${headerHash(header)}`
    return row?.layout ?? null
  })
}

/** Remembers a layout; the newest ones are kept. */
export function rememberLayout(
  sql: Sql,
  workspaceId: string,
  header: readonly string[],
  layout: object,
  by: string,
): Promise<void> {
  return withWorkspace(sql, workspaceId, async tx => {
    await tx`
      insert into upload_layout (workspace_id, header, layout, used_by)
      values (${workspaceId}, ${headerHash(header)}, ${tx.json({ ...layout })}, ${by})
      on conflict (workspace_id, header) do update
      set layout = excluded.layout, used_by = excluded.used_by, used_at = clock_timestamp()`
    await tx`
      delete from upload_layout where workspace_id = ${workspaceId} and header not in (
        select header from upload_layout where workspace_id = ${workspaceId}
        order by used_at desc, header limit ${limits.uploadLayouts})`
  })
}
