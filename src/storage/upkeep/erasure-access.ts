// Erasure of a person from the access log. Its entries keep their seals, so that the log stays one chain; a later entry says from
// which seal to which each of them went (decision 0701). A row that lives on gets a fresh entry with its contents.
import { type Eraser, termsOf } from '../../core/people/erased-text.ts'
import type { Json } from '../../core/text/canonical-json.ts'
import type { Instant } from '../../core/time/instant.ts'
import { loadAccessRedactions, sealAfter } from '../log/access-check.ts'
import { type AccessRedaction, accountsScope, appendEntries, type NewEntry } from '../log/access-log.ts'
import { type AccessEntry, accessSealsOf } from '../log/access-seals.ts'
import { beginSealing } from '../log/ring-state.ts'
import type { Transaction } from '../postgres/database.ts'
import { type ErasureFacts, redactRow } from './erasure-rows.ts'

interface EntryRow extends AccessEntry {
  readonly seal: Buffer
  /** Content as JSON text. */
  readonly written: string
  readonly isTheirs: boolean
  /** Facts of the row now; null where it is gone. */
  readonly facts: Json
}

/** The scopes of logs in which somebody is named. */
export async function findAccessScopes(tx: Transaction, facts: ErasureFacts): Promise<readonly string[]> {
  const terms = termsOf(facts)
  const rows = await tx<{ scope: string }[]>`
    select distinct e.scope from access_entry e
    where exists (select 1 from unnest(${terms as string[]}::text[]) as term (text)
      where strpos(lower(e.subject || ' ' || coalesce(e.content::text, '')), lower(term.text)) > 0)`
  return rows.map(({ scope }) => scope)
}

/**
 * Redacts entries after the rows were changed, and those changes recorded. `activities`: ids of the changed ones, whose entries
 * have a hash alone. Returns how many entries were redacted.
 */
export async function redactAccess(
  tx: Transaction,
  scope: string,
  {
    facts,
    eraser,
    activities,
  }: { readonly facts: ErasureFacts; readonly eraser: Eraser; readonly activities: readonly string[] },
): Promise<number> {
  await beginSealing(tx)
  const seals = accessSealsOf(tx)
  const rows = await loadEntries(tx, scope, facts, activities)
  const before = await loadAccessRedactions(tx, scope)
  const [end] = await tx<{ number: number; seal: Buffer; now: Instant }[]>`
    select number, seal, clock_timestamp() as now from access_head where scope = ${scope} for update`
  const { now: at, ...last } = end!
  const made: NewEntry[] = []
  const add = (kind: string, subject: string, content: Json) =>
    made.push({ scope, kind, subject, at, content, end: { scope, ...last } })
  let redacted = 0
  const fresh = new Map<string, { readonly kind: string; readonly subject: string }>()
  for (const row of rows) {
    const subject = eraser.text(row.subject)
    const written = row.kind === 'activity' ? JSON.stringify(row.facts) : eraser.json(row.written, '', row.isTheirs)
    if (subject === row.subject && written === row.written) continue
    const content = JSON.parse(written) as Json
    await redactRow(
      tx,
      'access_entry',
      { scope: JSON.stringify(scope), number: row.number.toString() },
      { subject: JSON.stringify(subject), content: written },
    )
    const was = (sealAfter(row.seal, before.get(row.number) ?? []) ?? row.seal).toString('hex')
    const is = seals.entry({ ...row, subject, content }).toString('hex')
    const { instead, reason, by } = facts
    const redaction: AccessRedaction = { was, is, instead, reason, by }
    add('redaction', row.number.toString(), { ...redaction })
    redacted++
    fresh.set(`${row.kind} ${subject}`, { kind: row.kind, subject })
  }
  for (const { kind, subject } of fresh.values()) {
    const [state] = await tx<{ facts: Json }[]>`select access_facts(${kind}, ${scope}, ${subject}) as facts`
    if (state!.facts !== null) add(kind, subject, state!.facts)
  }
  if (scope === accountsScope) add('erasure', facts.instead, { reason: facts.reason, by: facts.by })
  if (made.length > 0) await appendEntries(tx, seals, made)
  return redacted
}

function loadEntries(tx: Transaction, scope: string, facts: ErasureFacts, activities: readonly string[]) {
  const terms = termsOf(facts)
  return tx<EntryRow[]>`
    select e.scope, e.number, e.kind, e.subject, e.at, e.content, e.previous, e.seal,
      coalesce(e.content::text, 'null') as written,
      strpos(lower(e.subject || ' ' || coalesce(e.content::text, '')), lower(${terms[0]!})) > 0 as "isTheirs",
      case when e.kind = 'activity' then access_facts('activity', e.scope, e.subject) end as facts
    from access_entry e
    where e.scope = ${scope} and (e.kind = 'activity' and e.subject = any(${activities as string[]}::text[])
      or exists (select 1 from unnest(${terms as string[]}::text[]) as term (text)
        where strpos(lower(e.subject || ' ' || coalesce(e.content::text, '')), lower(term.text)) > 0))
    order by e.number`
}
