// Stored price lists: every version with its rows as they were written and the period from which it governs. Rows are added,
// never changed.

import { compareKeys, type ListRow } from '../../core/prices/price-list.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Instant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import type { OpenLog } from '../log/append.ts'
import { loadClockRepairs } from '../log/clock-repairs.ts'
import { appendEntry } from '../log/entry-rows.ts'
import type { Transaction } from '../postgres/database.ts'
import { enforceQuota } from '../workspaces/quotas.ts'
import type { OfAgreement } from './signing.ts'

export interface StoredPriceList {
  readonly version: number
  readonly seq: number
  /** `start` or a label. */
  readonly fromPeriod: string
  /** `YYYY-MM-DD` */
  readonly fromDate: string
  /** Day until which the contract's own price stays an item, `YYYY-MM-DD`; null: the list holds every price. */
  readonly ownPriceUntil: string | null
  /** The change of terms that both signed and that made it; null where one side applied it alone. */
  readonly proposal: string | null
  readonly items: number
  /** Rows as JSON text, by item and quantity. */
  readonly listRows: string
  readonly createdBy: string
  readonly recordedAt: Instant
}

/** A version without its rows. */
export interface ListHead extends Pick<StoredPriceList, 'version' | 'seq' | 'fromDate' | 'proposal' | 'recordedAt'> {}

/** Heads of the lists of these agreements, oldest first. */
export function loadListHeads(
  tx: Transaction,
  workspaceId: string,
  agreementIds: readonly string[],
): PromiseLike<readonly OfAgreement<ListHead>[]> {
  return tx<OfAgreement<ListHead>[]>`
    select agreement_id as "agreementId", version, seq, from_date as "fromDate", proposal, recorded_at as "recordedAt"
    from price_list where workspace_id = ${workspaceId} and agreement_id = any(${agreementIds as string[]}::text[])
    order by version`
}

/** Price lists, oldest first. */
export async function loadPriceLists(
  tx: Transaction,
  workspaceId: string,
  agreementId: string,
): Promise<readonly StoredPriceList[]> {
  return (await loadPriceListsOf(tx, workspaceId, [agreementId])).get(agreementId) ?? []
}

export async function loadPriceListsOf(
  tx: Transaction,
  workspaceId: string,
  agreementIds: readonly string[],
): Promise<ReadonlyMap<string, readonly StoredPriceList[]>> {
  const rows = await tx<(StoredPriceList & { readonly agreementId: string })[]>`
    select agreement_id as "agreementId", version, seq, from_period as "fromPeriod", from_date as "fromDate",
      own_price_until as "ownPriceUntil", proposal, items, list_rows as "listRows", created_by as "createdBy",
      recorded_at as "recordedAt"
    from price_list where workspace_id = ${workspaceId} and agreement_id = any(${agreementIds as string[]}::text[])
    order by agreement_id, version`
  const repairs = await loadClockRepairs(tx, workspaceId)
  const counted = rows.map(row => ({ ...row, recordedAt: repairs.instantOf(workspaceId, row.seq, row.recordedAt) }))
  return Map.groupBy(counted, ({ agreementId }) => agreementId)
}

/** The keys of other systems that a version of a list has, without `erp_`. */
interface StoredErpNames {
  readonly names: readonly string[]
  readonly recordedAt: Instant
}

/** Keys of other systems in the lists of many agreements, by id; a list without such keys is left out. */
export async function loadErpNamesOf(
  tx: Transaction,
  workspaceId: string,
  agreementIds: readonly string[],
): Promise<ReadonlyMap<string, readonly StoredErpNames[]>> {
  const rows = await tx<(StoredErpNames & { readonly agreementId: string; readonly seq: number })[]>`
    select agreement_id as "agreementId", seq, recorded_at as "recordedAt", array(
      select distinct k from jsonb_array_elements(list_rows::jsonb) r, jsonb_object_keys(r -> 'erp') k order by k) as names
    from price_list where workspace_id = ${workspaceId} and agreement_id = any(${agreementIds as string[]}::text[])
      and position('"erp":{"' in list_rows) > 0`
  const repairs = await loadClockRepairs(tx, workspaceId)
  const counted = rows.map(row => ({ ...row, recordedAt: repairs.instantOf(workspaceId, row.seq, row.recordedAt) }))
  return Map.groupBy(counted, ({ agreementId }) => agreementId)
}

interface NewPriceList extends Pick<StoredPriceList, 'fromPeriod' | 'fromDate' | 'ownPriceUntil' | 'proposal'> {
  readonly rows: readonly ListRow[]
  /** Keys of all items, and of those that items replace. */
  readonly keys: readonly string[]
  readonly items: number
  readonly createdBy: string
}

/** Keeps a list and returns its version. */
export async function keepPriceList(
  tx: Transaction,
  log: OpenLog,
  agreementId: string,
  { rows, keys, items, ...list }: NewPriceList,
): Promise<number> {
  const { scope } = log
  const version = ((await loadNewestList(tx, scope, agreementId))?.version ?? 0) + 1
  if (version > limits.priceListVersions)
    throw new Refusal('conflict', `a price list has at most ${limits.priceListVersions} versions`)
  const sorted = keys.toSorted(compareKeys)
  const facts = { ...list, version, listRows: JSON.stringify(rows), keys: sorted.join('\n') }
  await appendEntry(tx, log, 'price-list', { subject: agreementId, facts, beside: { items } })
  await tx`
    insert into price_list_key (workspace_id, item_key, agreement_id, version)
    select ${scope}, k, ${agreementId}, ${version} from unnest(${sorted}::text[]) k`
  await enforceQuota(tx, scope, 'prices')
  return version
}

export interface NewestList extends Pick<StoredPriceList, 'version' | 'seq' | 'fromPeriod' | 'fromDate' | 'listRows'> {}

export async function loadNewestList(
  tx: Transaction,
  workspaceId: string,
  agreementId: string,
): Promise<NewestList | null> {
  const [newest] = await tx<NewestList[]>`
    select version, seq, from_period as "fromPeriod", from_date as "fromDate", list_rows as "listRows"
    from price_list where workspace_id = ${workspaceId} and agreement_id = ${agreementId} order by version desc limit 1`
  return newest ?? null
}

/** Names of agreements, references and items that invoice lines use. */
interface AgreementNames {
  readonly agreements: ReadonlySet<string>
  readonly references: ReadonlySet<string>
  readonly items: ReadonlySet<string>
}

/**
 * Ids of every agreement that may be meant: by slug or id, by a reference of any of its states, by an item of any version of its
 * list.
 */
export async function findAgreementsBy(
  tx: Transaction,
  workspaceId: string,
  { agreements, references, items }: AgreementNames,
): Promise<readonly string[]> {
  const names = [...new Set([...agreements, ...references, ...items])]
  const found = await tx<{ id: string }[]>`
    select a.id from agreement a where a.workspace_id = ${workspaceId} and (a.id = any(${names}) or a.slug = any(${names}))
    union
    select k.agreement_id from price_list_key k where k.workspace_id = ${workspaceId} and k.item_key = any(${[...items]})
    union
    select s.agreement_id from agreement_state s
    where s.workspace_id = ${workspaceId} and ${references.size > 0}
      and s.billing -> 'references' ?| ${[...references]}::text[]`
  return found.map(({ id }) => id)
}
