// Continues a restored state up to an instant: what was recorded in the log after it and at or before the instant is added from the next
// backup, with its links, and the trees and heads are grown over it. What is not in the log stays as it was in the state.
import type { Instant } from '../../core/time/instant.ts'
import { recordsAccess } from '../log/access-log.ts'
import { growFromEntries, makeHead } from '../log/chain-links.ts'
import type { Transaction } from '../postgres/database.ts'
import { listTables, type TableShape } from '../upkeep/backup.ts'
import { scopeColumnOf } from './log-tables.ts'
import { type BackupFile, stage } from './stored-rows.ts'

/** What a restore until an instant has beyond the state it began with. */
export interface RolledForward {
  readonly until: Instant
  readonly entries: number
  /** Workspaces that did not exist in the state: nothing of them is here. */
  readonly unknownScopes: readonly string[]
}

/** A foreign key between two tables, column by column. */
interface Reference {
  readonly child: string
  readonly parent: string
  readonly columns: readonly string[]
  readonly parentColumns: readonly string[]
}

/** For the owner's connection, with triggers and row-level security in place. */
export async function rollForward(
  tx: Transaction,
  next: BackupFile,
  until: Instant,
  chainKey: string,
): Promise<RolledForward> {
  recordsAccess(tx)
  const shapes = await listTables(tx)
  const references = await readReferences(tx)
  const wanted = shapes.filter(shape => isLog(shape) || isBesideLog(shape, shapes, references))
  for (const { name } of wanted) {
    const stored = next.manifest.tables.find(({ table }) => table === name)
    if (stored !== undefined) await stage(tx, next, stored)
  }
  const unknownScopes = await cutAt(tx, until)
  await dropOthers(tx, wanted, references)
  for (const { name, columns } of wanted) {
    const list = tx([...columns])
    await tx`insert into ${tx(name)} (${list}) select ${list} from ${tx(`staged_${name}`)} on conflict do nothing`
  }
  await nameAsThen(tx, next)
  await growOver(tx, until, chainKey)
  const [row] = await tx<{ count: number }[]>`select count(*) as count from staged_publication`
  return { until, entries: row!.count, unknownScopes }
}

const links = 'publication_link'

function isLog(shape: TableShape): boolean {
  return shape.name === links || (shape.name !== 'scope_clock' && scopeColumnOf(shape) !== null)
}

/** Appended with entries and without a number of their own: what rows of the log refer to, and what refers to them. */
function isBesideLog(shape: TableShape, shapes: readonly TableShape[], references: readonly Reference[]): boolean {
  if (!shape.isAppendOnly || isLog(shape)) return false
  const byName = new Map(shapes.map(each => [each.name, each]))
  return references.some(({ child, parent }) => {
    const other = byName.get(child === shape.name ? parent : child)
    if (other === undefined || other === shape || (child !== shape.name && parent !== shape.name)) return false
    return isLog(other) || (parent === shape.name && isBesideLog(other, shapes, references))
  })
}

function readReferences(tx: Transaction): Promise<readonly Reference[]> {
  return tx<Reference[]>`
    select f.conrelid::regclass::text as child, f.confrelid::regclass::text as parent,
      array(select a.attname::text from unnest(f.conkey) with ordinality as k (number, place)
        join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.number order by k.place) as columns,
      array(select a.attname::text from unnest(f.confkey) with ordinality as k (number, place)
        join pg_attribute a on a.attrelid = f.confrelid and a.attnum = k.number order by k.place) as "parentColumns"
    from pg_constraint f where f.contype = 'f' and f.connamespace = current_schema()::regnamespace
      and f.conrelid <> f.confrelid`
}

/** From which entry to which of each scope; an instant that was repaired by then counts as repaired. */
async function cutAt(tx: Transaction, until: Instant): Promise<readonly string[]> {
  await tx`
    create temporary table cut on commit drop as
    select c.scope, c.seq as after, coalesce(min(p.seq) filter (where p.at > ${until}::timestamptz) - 1, max(p.seq), c.seq) as last
    from scope_clock c left join (
      select s.scope, s.seq, coalesce(r.counts_as, s.recorded_at) as at
      from staged_publication s left join staged_clock_repair r
        on r.scope = s.scope and s.seq between r.first_seq and r.last_seq and r.recorded_at <= ${until}::timestamptz
    ) p on p.scope = c.scope and p.seq > c.seq
    group by c.scope, c.seq`
  const unknown = await tx<{ scope: string }[]>`
    select distinct s.scope from staged_publication s
    where s.recorded_at <= ${until}::timestamptz and not exists (select 1 from cut c where c.scope = s.scope) order by 1`
  return unknown.map(({ scope }) => scope)
}

/** What is staged and not wanted. Rows beside the log go by the rows that they belong to. */
async function dropOthers(
  tx: Transaction,
  wanted: readonly TableShape[],
  references: readonly Reference[],
): Promise<void> {
  const isWanted = new Set(wanted.map(({ name }) => name))
  for (const shape of wanted.filter(isLog)) {
    const [scope, first, last] =
      shape.name === links ? ['scope', 'first_seq', 'last_seq'] : [scopeColumnOf(shape)!, 'seq', 'seq']
    await tx`
      delete from ${tx(`staged_${shape.name}`)} s where not exists (
        select 1 from cut c where c.scope = s.${tx(scope)} and s.${tx(first)} > c.after and s.${tx(last)} <= c.last)`
  }
  for (const shape of wanted.toReversed()) {
    if (isLog(shape)) continue
    const owners = references.filter(({ child, parent }) => child === shape.name && isLogName(wanted, parent))
    const users = references.filter(({ child, parent }) => parent === shape.name && isWanted.has(child))
    // Which series it is, beside what refers to it: observations have no foreign key.
    const named = shape.columns.includes('owner') ? [{ scope: 'owner' }] : []
    const kept = [
      ...owners.map(({ parent, columns, parentColumns }) => ({ table: parent, own: columns, others: parentColumns })),
      ...(owners.length > 0 ? [] : users).map(({ child, columns, parentColumns }) => ({
        ...{ table: child, own: parentColumns, others: columns },
      })),
      ...named.map(({ scope }) => ({ table: 'publication', own: [scope, 'id'], others: ['scope', 'subject'] })),
    ]
    const isKept = kept.map(({ table, own, others }) => {
      const pairs = own.map((column, i) => `s."${column}" = o."${others[i]}"`).join(' and ')
      return `exists (select 1 from "staged_${table}" o where ${pairs})`
    })
    await tx`delete from ${tx(`staged_${shape.name}`)} s where not (${tx.unsafe(isKept.join(' or '))})`
  }
}

function isLogName(wanted: readonly TableShape[], name: string): boolean {
  return wanted.some(shape => shape.name === name && isLog(shape))
}

/** Names whose history is in the log and whose newest is in a setting. */
async function nameAsThen(tx: Transaction, next: BackupFile): Promise<void> {
  await tx`
    update workspace w set name = n.name from (
      select distinct on (workspace_id) workspace_id, name from staged_workspace_name order by workspace_id, seq desc) n
    where n.workspace_id = w.id and n.name <> w.name`
  const stored = next.manifest.tables.find(({ table }) => table === 'installation')!
  await stage(tx, next, stored)
  await tx`
    update installation i set name = s.name, named_at = s.named_at, named_seq = s.named_seq
    from staged_installation s, cut c
    where i.named_seq is null and c.scope = 'public' and s.named_seq > c.after and s.named_seq <= c.last`
}

/** Nothing is recorded at or before the instant any more, as it was then. */
async function growOver(tx: Transaction, until: Instant, chainKey: string): Promise<void> {
  const grown = await tx<Grown[]>`
    select c.scope, c.after, c.last, k.tree_size as size, k.tree_edge as edge, l.number as links, l.link
    from cut c join scope_clock k on k.scope = c.scope
    join lateral (
      select number, link from publication_link where scope = c.scope order by number desc limit 1) l on true
    where c.last > c.after order by c.scope`
  for (const { scope, after, last, size, edge, links, link } of grown) {
    const tree = await growFromEntries(tx, scope, { seq: after, tree: { size, edge } })
    const head = makeHead(chainKey, { scope, seq: last, links, link, tree })
    await tx`
      update scope_clock set seq = ${last}, linked_seq = ${last}, links = ${links}, link = ${link}, head = ${head},
        tree_size = ${tree.size}, tree_edge = ${tree.edge}
      where scope = ${scope}`
  }
  await tx`update scope_clock set settled_at = greatest(settled_at, ${until}::timestamptz)`
}

interface Grown {
  readonly scope: string
  readonly after: number
  readonly last: number
  readonly size: number
  readonly edge: Buffer
  readonly links: number
  readonly link: Buffer
}
