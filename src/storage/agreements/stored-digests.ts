// Stored digests: the last computed state of agreements, kept over restarts, and whether it still holds. A row is believed only
// under our seal, which covers its place and the entries it was computed with: an older row that is put back is found to be old.
import { canonicalJson } from '../../core/text/canonical-json.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { Marks } from '../log/append.ts'
import { type EntryKind, kindsWhere } from '../log/entry-kinds.ts'
import { publicScope, type Queryable, ringIn, type Transaction } from '../postgres/database.ts'

/** One of several lists, and the form of its rows: rows of another form are ignored. */
export interface DigestList {
  readonly list: 'digests' | 'moves' | 'sides' | 'rows'
  readonly shape: number
}

interface NewKeptDigest {
  readonly agreementId: string
  /** Side whose part of the agreement it is; empty for the whole. */
  readonly whose: string
  /** Content as JSON. */
  readonly content: string
  /** The newest entries that it was computed with. */
  readonly marks: Marks
}

/** Facts that a row rests on, beside its agreement and the lines billed under it. */
interface RestsOn {
  /** Ids of the series it reads; null where they are not known: then it never holds. */
  readonly series: readonly string[] | null
}

interface StoredDigest<T extends RestsOn> {
  readonly agreementId: string
  readonly whose: string
  readonly content: T
  /** Whether everything that it rests on is unchanged since it was computed. */
  readonly holds: boolean
  /** Whether the agreement has had the same parties since. */
  readonly hasSameParties: boolean
}

interface DigestRow {
  readonly agreementId: string
  readonly whose: string
  readonly ownSeq: number
  readonly publicSeq: number
  readonly content: string
  readonly seal: Buffer
}

/** Kinds of entries that concern every agreement of a workspace: names in receipts, clocks, units and the owners of lines. */
export const changesEveryDigest: ReadonlySet<EntryKind> = new Set(
  kindsWhere(({ stale }) => stale.digests === 'scope' || stale.trueUps === 'scope'),
)

class DigestSeals {
  readonly #ring: KeyRing

  constructor(sql: Queryable) {
    this.#ring = ringIn(sql)
  }

  seal(workspaceId: string, kept: DigestList, row: Omit<DigestRow, 'seal'>): Buffer {
    return this.#ring.mac('kept digests', this.#text(workspaceId, kept, row))
  }

  holds(workspaceId: string, kept: DigestList, { seal, ...row }: DigestRow): boolean {
    return this.#ring.holds('kept digests', this.#text(workspaceId, kept, row), seal)
  }

  #text(workspaceId: string, { list, shape }: DigestList, row: Omit<DigestRow, 'seal'>): string {
    const { agreementId, whose, ownSeq, publicSeq, content } = row
    const place = { workspace: workspaceId, list, shape, agreement: agreementId, whose }
    return canonicalJson({ ...place, ownSeq, publicSeq, content })
  }
}

/** Writes digests, each in the place of the one before it. */
export async function writeKeptDigests(
  tx: Transaction,
  workspaceId: string,
  kept: DigestList,
  digests: readonly NewKeptDigest[],
): Promise<void> {
  const seals = new DigestSeals(tx)
  const rows = digests.map(({ agreementId, whose, content, marks }): DigestRow => {
    const row = {
      agreementId,
      whose,
      ownSeq: marks.get(workspaceId) ?? 0,
      publicSeq: marks.get(publicScope) ?? 0,
      content,
    }
    return { ...row, seal: seals.seal(workspaceId, kept, row) }
  })
  // Rows are written in one order, so that two servers that keep the same do not wait for each other in a circle.
  rows.sort((a, b) =>
    a.agreementId < b.agreementId || (a.agreementId === b.agreementId && a.whose < b.whose) ? -1 : 1,
  )
  await tx`
    insert into kept_digest (workspace_id, list, agreement_id, whose, shape, own_seq, public_seq, content, seal)
    select ${workspaceId}, ${kept.list}, t.agreement_id, t.whose, ${kept.shape}::integer, t.own_seq, t.public_seq, t.content,
      decode(t.seal, 'hex')
    from unnest(${rows.map(({ agreementId }) => agreementId)}::text[], ${rows.map(({ whose }) => whose)}::text[],
      ${rows.map(({ ownSeq }) => ownSeq)}::bigint[],
      ${rows.map(({ publicSeq }) => publicSeq)}::bigint[], ${rows.map(({ content }) => content)}::text[],
      ${rows.map(({ seal }) => seal.toString('hex'))}::text[]) as t (agreement_id, whose, own_seq, public_seq, content, seal)
    on conflict (workspace_id, list, agreement_id, whose) do update
    set shape = excluded.shape, own_seq = excluded.own_seq, public_seq = excluded.public_seq,
      content = excluded.content, seal = excluded.seal`
}

/** Digests of a workspace that are of this list and form and carry our seal. */
export async function loadKeptDigests<T extends RestsOn>(
  tx: Transaction,
  workspaceId: string,
  kept: DigestList,
): Promise<readonly StoredDigest<T>[]> {
  const stored = await tx<DigestRow[]>`
    select agreement_id as "agreementId", whose, own_seq as "ownSeq", public_seq as "publicSeq", content, seal
    from kept_digest where workspace_id = ${workspaceId} and list = ${kept.list} and shape = ${kept.shape}`
  const seals = new DigestSeals(tx)
  const rows = stored
    .filter(row => seals.holds(workspaceId, kept, row))
    .map(row => ({ ...row, content: JSON.parse(row.content) as T }))
  if (rows.length === 0) return []
  const newest = await loadNewestAbout(tx, workspaceId, rows)
  return rows.map(({ agreementId, whose, ownSeq, publicSeq, content }) => {
    const subjects = [agreementId, ...(content.series ?? [])]
    const isOld = ({ own, open }: Newest) => own > ownSeq || open > publicSeq
    const holds = content.series !== null && !isOld(newest.everywhere) && !subjects.some(id => isOld(newest.about(id)))
    return { agreementId, whose, content, holds, hasSameParties: newest.partiesOf(agreementId) <= ownSeq }
  })
}

/** Numbers of the newest entries of the workspace, and of the public series. */
interface Newest {
  readonly own: number
  readonly open: number
}

interface NewestEntries {
  readonly everywhere: Newest
  about(subject: string): Newest
  partiesOf(agreementId: string): number
}

/** Newest entries about the subjects that rows rest on, found by those, however long the logs are. */
async function loadNewestAbout(
  tx: Transaction,
  workspaceId: string,
  rows: readonly { readonly agreementId: string; readonly ownSeq: number; readonly content: RestsOn }[],
): Promise<NewestEntries> {
  const agreements = [...new Set(rows.map(({ agreementId }) => agreementId))]
  const subjects = [...new Set(rows.flatMap(({ agreementId, content }) => [agreementId, ...(content.series ?? [])]))]
  const oldest = Math.min(...rows.map(({ ownSeq }) => ownSeq))
  const [about, billed, everywhere, states] = await Promise.all([
    tx<(Newest & { readonly id: string })[]>`
      select id, coalesce((select max(seq) from publication where scope = ${workspaceId} and subject = t.id), 0) as own,
        coalesce((select max(seq) from publication where scope = ${publicScope} and subject = t.id), 0) as open
      from unnest(${subjects}::text[]) as t (id)`,
    tx<{ id: string; seq: number }[]>`
      select l.agreement_id as id, max(i.seq) as seq
      from invoice i join invoice_line l on l.workspace_id = i.workspace_id and l.invoice_id = i.id
      where i.workspace_id = ${workspaceId} and i.seq > ${oldest} group by l.agreement_id`,
    tx<Newest[]>`
      select coalesce(max(seq) filter (where scope = ${workspaceId}), 0) as own,
        coalesce(max(seq) filter (where scope = ${publicScope}), 0) as open
      from publication
      where scope in (${workspaceId}, ${publicScope}) and kind = any(${[...changesEveryDigest]}::text[]) and subject in (
        select ${workspaceId} union all select ${publicScope} union all select id from installation_identity()
        union all select id from party where workspace_id = ${workspaceId})`,
    tx<{ id: string; seq: number }[]>`
      select agreement_id as id, max(seq) as seq from agreement_state
      where workspace_id = ${workspaceId} and agreement_id = any(${agreements}::text[]) group by agreement_id`,
  ])
  const billedAt = new Map(billed.map(({ id, seq }) => [id, seq]))
  const newest = new Map(about.map(({ id, own, open }) => [id, { own: Math.max(own, billedAt.get(id) ?? 0), open }]))
  const statedAt = new Map(states.map(({ id, seq }) => [id, seq]))
  return {
    everywhere: everywhere[0]!,
    about: subject => newest.get(subject) ?? { own: 0, open: 0 },
    partiesOf: id => statedAt.get(id) ?? 0,
  }
}
