// What tests of the import look at: a table in, the vintages that are there afterwards.
import { formatPeriod, periodOf } from '../../../src/core/time/period.ts'
import { withWorkspace } from '../../../src/storage/postgres/database.ts'
import type { Workspace } from '../../../src/storage/workspaces/workspaces.ts'
import type { CommandHouse } from '../houses/command-house.ts'

export interface Kept {
  readonly series: string
  readonly period: string
  readonly value: string | null
  readonly tag: string | null
  readonly flag: string | null
  /** `now`: the moment of recording. */
  readonly published: string
}

/** Every vintage of a workspace as it was imported: without ids and recorded times. */
export async function readKept({ installation }: CommandHouse, { id }: Workspace): Promise<Kept[]> {
  const rows = await withWorkspace(
    installation.sql,
    id,
    tx => tx<(Omit<Kept, 'period'> & { period: number; frequency: 'MONTHLY' })[]>`
      select s.provider || '/' || s.code as series, v.period, v.value, v.tag, v.flag,
        case when v.published_at = v.recorded_at then 'now' else left(instant_text(v.published_at), 10) end as published,
        (select frequency from series_metadata m where m.owner = s.owner and m.series_id = s.id limit 1) as frequency
      from vintage v join series s on s.owner = v.owner and s.id = v.series_id where v.owner = ${id}
      order by 1, v.period, v.published_at, v.seq`,
  )
  return rows.map(({ frequency, ...row }) => ({ ...row, period: formatPeriod(periodOf(frequency, row.period)) }))
}

export async function readHashes({ installation }: CommandHouse, { id }: Workspace): Promise<string[]> {
  const rows = await installation.owner<{ hash: string }[]>`
    select encode(content_hash, 'hex') as hash from publication
    where scope = ${id} and kind = 'observations' order by content_hash`
  return rows.map(({ hash }) => hash)
}

export async function importText(
  house: CommandHouse,
  content: string,
  workspace?: Workspace,
  more: readonly string[] = [],
) {
  const target = workspace ?? (await house.makeWorkspace())
  const path = await house.write('table.csv', content)
  const outcome = await house.run(['import', path, '--workspace', target.slug, '--json', ...more])
  return { workspace: target, ...outcome, report: outcome.out === '' ? null : JSON.parse(outcome.out) }
}

/** The lines of standard error without the file's name. */
export const problemsOf = (err: string) =>
  err
    .split('\n')
    .filter(line => line !== '')
    .map(line => line.replace(/^.*?table\.\w+: /, ''))
