// Agreements of a workspace for lists: their states, the moments of their versions, and the series that their documents name; all
// agreements, a page or some. No document is read as a whole.
import type { Instant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import { type ClockRepairs, loadClockRepairs } from '../log/clock-repairs.ts'
import { type Fragment, readCells, readingByKeys, SharedWords } from '../postgres/cells.ts'
import type { Transaction } from '../postgres/database.ts'
import { RowCursor } from '../postgres/row-cursor.ts'
import type { AgreementParties, AgreementRecord, AgreementStateRow } from './agreements.ts'

/** Reads all agreements, or some by id, with every state they had. */
export function loadAgreementSummaries(
  tx: Transaction,
  workspaceId: string,
  ids: readonly string[] | null = null,
): Promise<AgreementRecord[]> {
  return readingByKeys(tx, async () => {
    const repairs = loadClockRepairs(tx, workspaceId)
    if (ids === null) return loadAll(tx, workspaceId, new AgreementRecords(workspaceId, await repairs))
    const some = (column: string) => tx`and ${tx(column)} = any(${ids as string[]}::text[])`
    // The queries are sent together: for a few agreements the round trip is all the time it takes.
    const [agreements, states, versions, counting] = await Promise.all([
      loadAgreementCells(tx, workspaceId, some('id')),
      loadStateCells(tx, workspaceId, some('agreement_id')),
      loadFormulaCells(tx, workspaceId, some('agreement_id')),
      repairs,
    ])
    return new AgreementRecords(workspaceId, counting).read({ agreements, states, versions })
  })
}

/** Reads in pages: tens of thousands at once would keep everybody else waiting. */
async function loadAll(tx: Transaction, workspaceId: string, rows: AgreementRecords): Promise<AgreementRecord[]> {
  const all: AgreementRecord[] = []
  for (let after = ''; ; ) {
    const next = tx`and id > ${after} order by id limit ${limits.rowsTogether}`
    const agreements = await loadAgreementCells(tx, workspaceId, next)
    const last = agreements.at(-1)?.[0]
    if (last === undefined) return all
    const range = () => tx`and agreement_id > ${after} and agreement_id <= ${last}`
    const [states, versions] = await Promise.all([
      loadStateCells(tx, workspaceId, range()),
      loadFormulaCells(tx, workspaceId, range()),
    ])
    all.push(...rows.read({ agreements, states, versions }))
    if (agreements.length < limits.rowsTogether) return all
    after = last
  }
}

type AgreementCells = readonly [id: string, slug: string, createdAt: Instant]
type StateCells = readonly [
  agreementId: string,
  seq: number,
  name: string,
  description: string,
  status: AgreementStateRow['status'],
  parties: AgreementParties,
  recordedAt: Instant,
]
type FormulaCells = readonly [agreementId: string, seq: number, recordedAt: Instant]

function loadAgreementCells(tx: Transaction, workspaceId: string, which: Fragment): Promise<readonly AgreementCells[]> {
  return readCells(tx`
    select json_agg(json_build_array(id, slug, instant_text(created_at)) order by id)::text as cells
    from (select id, slug, created_at from agreement where workspace_id = ${workspaceId} ${which}) page`)
}

function loadStateCells(tx: Transaction, workspaceId: string, which: Fragment): Promise<readonly StateCells[]> {
  return readCells(tx`
    select json_agg(json_build_array(agreement_id, seq, name, description, status, parties, instant_text(recorded_at))
      order by agreement_id, seq)::text as cells
    from agreement_state where workspace_id = ${workspaceId} ${which}`)
}

function loadFormulaCells(tx: Transaction, workspaceId: string, which: Fragment): Promise<readonly FormulaCells[]> {
  return readCells(tx`
    select json_agg(json_build_array(agreement_id, seq, instant_text(recorded_at)) order by agreement_id, version)::text as cells
    from formula where workspace_id = ${workspaceId} ${which}`)
}

/** Rows put together from cells, with the instants that count where a clock was ahead. */
class AgreementRecords {
  readonly #workspaceId: string
  readonly #repairs: ClockRepairs
  readonly #words = new SharedWords()

  constructor(workspaceId: string, repairs: ClockRepairs) {
    this.#workspaceId = workspaceId
    this.#repairs = repairs
  }

  read(page: {
    readonly agreements: readonly AgreementCells[]
    readonly states: readonly StateCells[]
    readonly versions: readonly FormulaCells[]
  }): AgreementRecord[] {
    const states = Map.groupBy(page.states, ([agreementId]) => agreementId)
    const versions = Map.groupBy(page.versions, ([agreementId]) => agreementId)
    return page.agreements.map(([id, slug, createdAt]) => ({
      id,
      slug,
      createdAt: this.#words.one(createdAt),
      states: (states.get(id) ?? []).map(([, seq, name, description, status, parties, recordedAt]) => ({
        seq,
        name,
        description: this.#words.one(description),
        status: this.#words.one(status),
        parties,
        recordedAt: this.#counted(seq, recordedAt),
      })),
      versions: (versions.get(id) ?? []).map(([, seq, recordedAt]) => {
        return { seq, recordedAt: this.#counted(seq, recordedAt) }
      }),
    }))
  }

  #counted(seq: number, recordedAt: Instant): Instant {
    return this.#words.one(this.#repairs.instantOf(this.#workspaceId, seq, recordedAt))
  }
}

export interface AgreementPageRequest {
  /** Id before the page. */
  readonly after: string
  /** Place in the sequence up to which entries count; `null` for all of them. */
  readonly seq: number | null
  readonly most: number
}

/** Ids of the next agreements of a workspace, in their order: one page, however many there are. */
export async function findAgreementPage(
  tx: Transaction,
  workspaceId: string,
  { after, seq, most }: AgreementPageRequest,
): Promise<readonly string[]> {
  const rows = await tx<{ id: string }[]>`
    select a.id from agreement a where a.workspace_id = ${workspaceId} and a.id > ${after}
      ${
        seq === null
          ? tx``
          : tx`and exists (select 1 from agreement_state s
              where s.workspace_id = a.workspace_id and s.agreement_id = a.id and s.seq <= ${seq})`
      }
    order by a.id limit ${most}`
  return rows.map(({ id }) => id)
}

/** Series that one version of a formula reads, as its document names them. */
export interface VersionReferences {
  readonly version: number
  /** `YYYY-MM-DD` */
  readonly effectiveFrom: string
  readonly references: readonly string[]
}

/**
 * The series that the documents of a workspace name, of all its agreements or of some, by the agreement's id. The database takes
 * them out of the documents: checking thousands of them here would take minutes. A test holds it to `seriesOf` of the formula.
 */
export async function loadReferences(
  tx: Transaction,
  workspaceId: string,
  ids: readonly string[] | null = null,
): Promise<ReadonlyMap<string, readonly VersionReferences[]>> {
  const query = tx<(VersionReferences & { agreementId: string })[]>`
    select agreement_id as "agreementId", version, effective_from as "effectiveFrom",
      jsonb_path_query_array(document, '$.inputs.*.series')
      || jsonb_path_query_array(document, '$.inputs.*.links[*].series')
      || jsonb_path_query_array(document, '$.inputs.*.convert.fx')
      || jsonb_path_query_array(document, '$.inputs.*.missing.fallback') as references
    from formula where workspace_id = ${workspaceId}
      ${ids === null ? tx`` : tx`and agreement_id = any(${ids as string[]}::text[])`}
    order by agreement_id, version`
  const references = new Map<string, VersionReferences[]>()
  // Rows come in pieces: tens of thousands at once would keep everybody else waiting.
  for await (const rows of RowCursor.piecesOf(tx, 'references', query, limits.rowsTogether))
    for (const { agreementId, ...version } of rows) {
      const own = references.get(agreementId)
      if (own === undefined) references.set(agreementId, [version])
      else own.push(version)
    }
  return references
}

/** Slugs among these that agreements have. */
export async function loadTakenSlugs(
  tx: Transaction,
  workspaceId: string,
  slugs: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx<{ slug: string }[]>`
    select slug from agreement where workspace_id = ${workspaceId} and slug = any(${slugs as string[]}::text[])`
  return new Set(rows.map(({ slug }) => slug))
}

/** Ids of the agreements in force that plan a successor of an index, by slug. */
export async function loadPlanned(tx: Transaction, workspaceId: string): Promise<readonly string[]> {
  const rows = await tx<{ id: string }[]>`
    select a.id from agreement a
    where a.workspace_id = ${workspaceId} and exists (
      select 1 from formula f where f.workspace_id = a.workspace_id and f.agreement_id = a.id
        and jsonb_path_exists(f.document, '$.inputs.*.successor'))
      and (select s.status from agreement_state s where s.workspace_id = a.workspace_id and s.agreement_id = a.id
        order by s.seq desc limit 1) = 'ACTIVE'
    order by a.slug`
  return rows.map(({ id }) => id)
}

/** Ids of the agreements in force whose newest version reads a series for its newest periods, by slug. */
export async function loadReadersOf(tx: Transaction, workspaceId: string, series: string): Promise<readonly string[]> {
  const named = tx.json({ series })
  const rows = await tx<{ id: string }[]>`
    select a.id from agreement a
    cross join lateral (
      select f.document from formula f where f.workspace_id = a.workspace_id and f.agreement_id = a.id
      order by f.version desc limit 1) newest
    cross join lateral (
      select s.status from agreement_state s where s.workspace_id = a.workspace_id and s.agreement_id = a.id
      order by s.seq desc limit 1) state
    where a.workspace_id = ${workspaceId} and state.status = 'ACTIVE' and (
      jsonb_path_exists(newest.document, '$.inputs.*.series ? (@ == $series)', ${named})
      or jsonb_path_exists(newest.document, '$.inputs.*.links[*] ? (@.series == $series && !exists(@.until))', ${named}))
    order by a.slug`
  return rows.map(({ id }) => id)
}
