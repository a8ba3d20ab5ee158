// Fills workspaces of growing size. Large numbers of rows are copied by the database itself: a hundred thousand series
// take seconds, and are what the program would have made, except for their position in the sequence.
import { applyDocument } from '../../src/agreements/apply.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { importTable } from '../../src/import/table.ts'
import { KeyedDigests } from '../../src/storage/keys/key-ring.ts'
import { createMember, setFirstPassword } from '../../src/storage/people/people.ts'
import { publicScope, type Sql } from '../../src/storage/postgres/database.ts'
import type { Statement } from '../../src/storage/postgres/sql.ts'
import { followSeries } from '../../src/storage/series/follows.ts'
import { createApiKey } from '../../src/storage/workspaces/api-keys.ts'
import { createWorkspace, setWorkspace, type Workspace } from '../../src/storage/workspaces/workspaces.ts'
import type { FolderGround } from '../../test/faults/grounds.ts'
import { copySeries, followCopies } from '../../test/support/files/many-series.ts'
import { textSource, uploadOf } from '../../test/support/houses/api.ts'
import { password } from '../../test/support/houses/console.ts'
import { makeSeries } from '../../test/support/houses/workspace.ts'

export interface FilledWorkspace {
  readonly workspace: Workspace
  readonly size: number
  readonly keys: readonly string[]
  /** Somebody who may sign in with `password`. */
  readonly email: string
}

const keyCount = 10
/** One series in five is a public one that the workspace follows. */
const followedOneIn = 5
/** Series with values: five years of months each, for requests and for agreements. */
const valuedSeries = 300
const months = Array.from(
  { length: 72 },
  (_, i) => `${2019 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}`,
)

/** Public series, as many as the largest workspace follows. Returns the one that the others are copies of. */
export async function fillPublic({ owner }: FolderGround, sql: Sql, largest: number): Promise<string> {
  const shared = await makeSeries(sql, publicScope, 'shared')
  await copySeries(owner, publicScope, shared, Math.ceil(largest / followedOneIn))
  return shared
}

/** `size` series and no formula. */
export async function fillSeries(
  ground: FolderGround,
  sql: Sql,
  size: number,
  shared: string,
): Promise<FilledWorkspace> {
  const filled = await fillBase(ground, sql, `series-${size}`, size)
  const { id } = filled.workspace
  await followSeries(sql, id, { id: shared, provider: 'CUSTOM', code: 'shared' })
  const followed = Math.floor(size / followedOneIn)
  await followCopies(ground.owner, id, shared, followed - 1)
  const [first] = await ground.owner<{ id: string }[]>`select id from series where owner = ${id} order by id limit 1`
  await copySeries(ground.owner, id, first!.id, size - followed - valuedSeries)
  return filled
}

/** `size` agreements that read three series each, of 300. */
export async function fillAgreements(ground: FolderGround, sql: Sql, size: number): Promise<FilledWorkspace> {
  const filled = await fillBase(ground, sql, `agreements-${size}`, size)
  const agreementId = await applyAgreement(sql, filled.workspace.id, 'first', 0)
  await copyAgreements(ground.owner, filled.workspace.id, agreementId, size - 1)
  return filled
}

async function fillBase({ owner, ring }: FolderGround, sql: Sql, slug: string, size: number): Promise<FilledWorkspace> {
  const workspace = await createWorkspace(owner, { slug, rateLimit: 1_000_000 })
  // The measurements add a few more.
  await setWorkspace(owner, workspace.id, { series: 2_000_000, agreements: 200_000 })
  const rows = Array.from({ length: valuedSeries }, (_, n) =>
    months.map((month, i) => `CUSTOM/${codeOf(n)},${month},${100 + ((n * 7 + i * 3) % 50)}.${(n + i) % 10}\n`).join(''),
  )
  const table = `series,period,value\n${rows.join('')}`
  const report = await importTable(sql, workspace.id, textSource(table), {
    dryRun: false,
    upload: uploadOf(slug),
    onProgress: () => {},
  })
  if (report.problems.length > 0) throw new Error(JSON.stringify(report.problems))
  const email = `owner@${slug}.test`
  const { id } = await createMember(sql, workspace.id, { email, role: 'owner' })
  await setFirstPassword(sql, workspace.id, id, password)
  const digests = new KeyedDigests(ring, 'api-key digests')
  const keys: string[] = []
  for (let i = 0; i < keyCount; i++) {
    const name = `bench ${i}`
    keys.push((await createApiKey(sql, digests, { workspaceId: workspace.id, name, expiresAt: null })).key)
  }
  return { workspace, size, keys, email }
}

function codeOf(n: number): string {
  return `index-${String(n).padStart(3, '0')}`
}

/** Five years of quarters over three series. Its id. */
export async function applyAgreement(sql: Sql, workspaceId: string, slug: string, first: number): Promise<string> {
  const input = (name: string, n: number, weight: string) =>
    `  ${name}: { series: CUSTOM/${codeOf(n % valuedSeries)}, weight: ${weight}, base: 2019-12, lag: 1 month }`
  const text = `
slug: ${slug}
name: Contract ${slug}
status: ACTIVE
contract: { start: 2020-01-01, end: 2024-12-31, frequency: QUARTERLY, price: { amount: 12.40, currency: EUR, round: { dp: 2 } } }
inputs:
${[input('steel', first, '0.35'), input('labour', first + 100, '0.25'), input('energy', first + 200, '0.1')].join('\n')}
clause: { fixed: 0.30, rounding: { percent: { dp: 2 } } }
`
  const today = parseDay('2025-01-02')!
  const applied = await applyDocument(sql, { workspaceId, text, by: 'bench', today })
  if (applied.outcome === 'refused') throw new Error(JSON.stringify(applied.problems))
  return applied.id
}

/** Copies of the first, each over other series. */
async function copyAgreements(owner: Sql, workspaceId: string, agreementId: string, count: number): Promise<void> {
  const copies = owner`(
    select n, 'pam_0' || right(${workspaceId}, 17) || lpad(n::text, 8, '0') as id, 'copy-' || lpad(n::text, 6, '0') as slug
    from generate_series(1, ${count}::integer) n) as c`
  const digits = (from: number) => owner`lpad((${from}::integer + c.n % 100)::text, 3, '0')`
  const varied = (text: Statement) => owner`
    replace(replace(replace(${text}, 'index-000', 'index-' || ${digits(0)}), 'index-100', 'index-' || ${digits(100)}),
      'index-200', 'index-' || ${digits(200)})`
  await owner.begin(async tx => {
    await tx`insert into agreement (workspace_id, id, slug, created_at)
      select a.workspace_id, c.id, c.slug, a.created_at from agreement a, ${copies}
      where a.workspace_id = ${workspaceId} and a.id = ${agreementId}`
    await tx`insert into agreement_state (workspace_id, agreement_id, seq, name, description, status, parties, billing, recorded_at)
      select s.workspace_id, c.id, s.seq, 'Contract ' || c.n, s.description, s.status, s.parties, s.billing, s.recorded_at
      from agreement_state s, ${copies} where s.workspace_id = ${workspaceId} and s.agreement_id = ${agreementId}`
    await tx`insert into formula (workspace_id, agreement_id, version, seq, document, document_text, effective_from, created_by, recorded_at)
      select f.workspace_id, c.id, f.version, f.seq, ${varied(owner`f.document::text`)}::jsonb,
        ${varied(owner`f.document_text`)}, f.effective_from, f.created_by, f.recorded_at
      from formula f, ${copies} where f.workspace_id = ${workspaceId} and f.agreement_id = ${agreementId}`
  })
  await owner`analyze agreement, agreement_state, formula`
}
