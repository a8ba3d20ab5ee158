// Walks a scope's chain of publications and works every hash out again from the rows themselves, so that history edited
// behind our back shows. It reads, in one snapshot, and mends nothing.
import { createHash } from 'node:crypto'
import type { Json } from '../core/canonical-json.ts'
import type { Instant } from '../core/instant.ts'
import {
  followContent,
  formulaContent,
  hashContent,
  metadataContent,
  pamContent,
  receiptContent,
  signOffContent,
} from './content.ts'
import { publicScope, type Sql, type Transaction, withWorkspace } from './database.ts'
import type { PublicationKind } from './publish.ts'

export interface ChainReport {
  /** A workspace's id, or `public`. */
  readonly scope: string
  readonly publications: number
  /** The chain's last hash: kept elsewhere, it shows whether the end was cut off. */
  readonly head: string
  /** The first thing that is not as it was published. */
  readonly problem: ChainProblem | null
}

export interface ChainProblem {
  readonly seq: number
  readonly message: string
}

interface Link {
  readonly seq: number
  readonly recorded_at: Instant
  readonly kind: PublicationKind
  readonly subject: string
  readonly content_hash: Buffer
  readonly previous_hash: Buffer
  readonly chain_hash: Buffer
}

/** What the rows of one publication say now. */
interface Found {
  readonly kind: PublicationKind
  readonly subject: string
  readonly recordedAt: Instant
  readonly hash: Buffer
}

/** By sequence number; more than one where rows were slipped in. */
type Contents = Map<number, Found[]>

export function verifyChain(sql: Sql, scope: string): Promise<ChainReport> {
  return withWorkspace(sql, scope, tx => walk(tx, scope), 'snapshot')
}

/** Every chain; and, as each number is given once, whether any is missing at the end. For the owner's connection. */
export async function verifyAllChains(owner: Sql): Promise<readonly ChainReport[]> {
  const scopes = await owner<{ scope: string }[]>`
    select id as scope from workspace union select ${publicScope} order by scope`
  const reports: ChainReport[] = []
  for (const { scope } of scopes) reports.push(await verifyChain(owner, scope))
  const [gap] = await owner<{ given: number; held: number }[]>`
    select seq as given, (select count(*) from publication) as held from clock`
  const first = reports[0]
  if (first !== undefined && gap!.given !== gap!.held && reports.every(report => report.problem === null)) {
    const message = `${gap!.given} publications were made and ${gap!.held} are held`
    return [{ ...first, problem: { seq: gap!.given, message } }, ...reports.slice(1)]
  }
  return reports
}

async function walk(tx: Transaction, scope: string): Promise<ChainReport> {
  await tx`select set_config('statement_timeout', '0', true)`
  const contents = await readContents(tx, scope)
  let head: Buffer = createHash('sha256').update(scope).digest()
  let publications = 0
  const report = (problem: ChainProblem | null) => ({ scope, publications, head: head.toString('hex'), problem })
  const pages = tx<Link[]>`
    select seq, recorded_at, kind, subject, content_hash, previous_hash, chain_hash
    from publication where scope = ${scope} order by seq`.cursor(1000)
  for await (const page of pages)
    for (const link of page) {
      const message = checkLink(link, head, contents.get(link.seq) ?? [])
      if (message !== null) return report({ seq: link.seq, message })
      contents.delete(link.seq)
      head = link.chain_hash
      publications++
    }
  const [stray] = contents.keys()
  return report(stray === undefined ? null : { seq: stray, message: 'rows that were never published' })
}

function checkLink(link: Link, head: Buffer, found: readonly Found[]): string | null {
  if (!link.previous_hash.equals(head)) return 'the publication before it was changed or taken away'
  const place = `${link.seq}|${link.recorded_at}|${link.kind}|${link.subject}|`
  const chained = createHash('sha256').update(link.previous_hash).update(place).update(link.content_hash).digest()
  if (!link.chain_hash.equals(chained)) return 'the publication was changed'
  const [rows, ...more] = found
  if (rows === undefined) return `the rows of this publication (${link.kind} of ${link.subject}) are gone`
  if (more.length > 0) return `there are more rows than were published (${link.kind} of ${link.subject})`
  const same = rows.kind === link.kind && rows.subject === link.subject && rows.recordedAt === link.recorded_at
  return same && rows.hash.equals(link.content_hash)
    ? null
    : `the rows of this publication (${link.kind} of ${link.subject}) were changed`
}

async function readContents(tx: Transaction, scope: string): Promise<Contents> {
  const contents: Contents = new Map()
  const put = (seq: number, found: Found) => {
    const held = contents.get(seq)
    if (held === undefined) contents.set(seq, [found])
    else held.push(found)
  }
  await readObservations(tx, scope, put)
  await readFacts(
    tx,
    'metadata',
    put,
    metadataContent,
    sql => sql`
    select m.seq, m.series_id as subject, m.recorded_at as "recordedAt", s.provider, s.code, m.name, m.unit,
      m.data_type as "dataType", m.frequency, m.description
    from series_metadata m join series s on s.owner = m.owner and s.id = m.series_id where m.owner = ${scope}`,
  )
  await readFacts(
    tx,
    'follow',
    put,
    ({ subject }: { subject: string }) => followContent(subject),
    sql => sql`
    select seq, series_id as subject, recorded_at as "recordedAt" from follow where workspace_id = ${scope}`,
  )
  await readFacts(
    tx,
    'pam',
    put,
    pamContent,
    sql => sql`
    select s.seq, s.pam_id as subject, s.recorded_at as "recordedAt", p.slug, s.name, s.description, s.status, s.parties
    from pam_state s join pam p on p.workspace_id = s.workspace_id and p.id = s.pam_id where s.workspace_id = ${scope}`,
  )
  await readFacts(
    tx,
    'formula',
    put,
    formulaContent,
    sql => sql`
    select seq, pam_id as subject, recorded_at as "recordedAt", version, document, document_text as "documentText",
      effective_from as "effectiveFrom", created_by as "createdBy"
    from formula where workspace_id = ${scope}`,
  )
  await readFacts(
    tx,
    'receipt',
    put,
    receiptContent,
    sql => sql`
    select seq, pam_id as subject, recorded_at as "recordedAt", period, adjustment_date as "adjustmentDate",
      receipt_hash as "receiptHash", receipt, carried
    from signed_receipt where workspace_id = ${scope}`,
  )
  await readFacts(
    tx,
    'sign-off',
    put,
    signOffContent,
    sql => sql`
    select seq, pam_id as subject, signed_at as "recordedAt", period, adjustment_date as "adjustmentDate",
      receipt_hash as "receiptHash", party, signed_by as "signedBy", signed_at as "signedAt"
    from sign_off where workspace_id = ${scope}`,
  )
  return contents
}

/** Row by row through a cursor: receipts are long. */
async function readFacts<Facts>(
  tx: Transaction,
  kind: PublicationKind,
  put: (seq: number, found: Found) => void,
  contentOf: (facts: Facts) => Json,
  select: (sql: Transaction) => ReturnType<Transaction>,
): Promise<void> {
  for await (const page of select(tx).cursor(100))
    for (const row of page as readonly unknown[]) {
      const { seq, subject, recordedAt } = row as { seq: number; subject: string; recordedAt: Instant }
      put(seq, { kind, subject, recordedAt, hash: hashContent(contentOf(row as Facts)) })
    }
}

interface ObservationGroup {
  readonly seq: number
  readonly subject: string
  readonly recorded_at: Instant
  readonly hash: Buffer
}

/** The same lines as in staging.ts, grouped by everything that must be one per publication. */
async function readObservations(
  tx: Transaction,
  scope: string,
  put: (seq: number, found: Found) => void,
): Promise<void> {
  const groups = tx<ObservationGroup[]>`
    select seq, series_id as subject, recorded_at, sha256(convert_to(string_agg(
      observation_line(period, nullif(published_at, recorded_at), value, tag, flag), chr(10)
      order by period, published_at), 'UTF8')) as hash
    from vintage where owner = ${scope} group by seq, series_id, recorded_at`.cursor(1000)
  for await (const page of groups)
    for (const { seq, subject, recorded_at, hash } of page)
      put(seq, { kind: 'observations', subject, recordedAt: recorded_at, hash })
}
