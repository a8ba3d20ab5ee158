// The names under which receipts are issued: the installation's, given once, and those of the workspace and its parties, with
// every name they had. An answer as of an instant uses the names of that time.

import type { KnownSupplier } from '../../core/prices/line-identity.ts'
import type { Issuer } from '../../core/receipt/receipt.ts'
import { Refusal } from '../../core/refusal.ts'
import { isBy } from '../../core/series/vintage.ts'
import { readOneLine } from '../../core/text/one-line.ts'
import type { Instant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import { appending } from '../log/append.ts'
import { loadClockRepairs } from '../log/clock-repairs.ts'
import { publicScope, type Queryable, type Sql, type Transaction } from '../postgres/database.ts'
import { type CompanyName, loadCompanyNames } from './parties.ts'

export interface InstallationIdentity {
  readonly id: string
  readonly name: string | null
  readonly namedAt: Instant | null
}

export async function loadInstallation(sql: Queryable): Promise<InstallationIdentity> {
  const [row] = await sql<InstallationIdentity[]>`
    select id, name, named_at as "namedAt" from installation_identity()`
  if (row?.id == null) throw new Error('the installation has no id yet')
  return row
}

/** Issuer of a workspace's receipts, at any instant. */
export class Identity {
  readonly #installation: InstallationIdentity
  readonly #workspace: Issuer['workspace']
  readonly #names: readonly NameRow[]
  /** Names by slug, oldest first. */
  readonly #companies: ReadonlyMap<string, readonly CompanyName[]>

  constructor(
    installation: InstallationIdentity,
    workspace: Issuer['workspace'],
    names: readonly NameRow[],
    companies: readonly CompanyName[],
  ) {
    this.#installation = installation
    this.#workspace = workspace
    this.#names = names
    this.#companies = Map.groupBy(companies, ({ slug }) => slug)
  }

  issuerAt(knownAt: Instant | null): Issuer {
    const { id, name, namedAt } = this.#installation
    const isNamed = namedAt !== null && isBy(namedAt, knownAt)
    return {
      installation: { id, name: isNamed ? name : null },
      workspace: { id: this.#workspace.id, slug: this.#workspace.slug, name: this.#nameAt(knownAt) },
      companyName: slug => this.#companyNameAt(slug, knownAt),
    }
  }

  /** Companies with every name they had by then, the newest first. */
  companiesAt(knownAt: Instant | null): readonly KnownSupplier[] {
    const named = [...this.#companies].map(([slug, names]) => ({
      slug,
      names: names
        .filter(({ recordedAt }) => isBy(recordedAt, knownAt))
        .map(({ name }) => name)
        .toReversed(),
    }))
    return named.filter(({ names }) => names.length > 0)
  }

  /** Instant of the newest name. */
  get changedAt(): Instant {
    const companies = [...this.#companies.values()].flat().map(({ recordedAt }) => recordedAt)
    const names = this.#names.map(({ recordedAt }) => recordedAt)
    return [this.#installation.namedAt ?? '', ...names, ...companies].sort().at(-1)!
  }

  #nameAt(knownAt: Instant | null): string {
    const next = this.#names.find(({ recordedAt }) => !isBy(recordedAt, knownAt))
    return next?.nameBefore ?? this.#workspace.name
  }

  #companyNameAt(slug: string, knownAt: Instant | null): string | null {
    const names = this.#companies.get(slug) ?? []
    return names.findLast(({ recordedAt }) => knownAt === null || recordedAt <= knownAt)?.name ?? null
  }
}

interface NameRow {
  readonly nameBefore: string
  readonly recordedAt: Instant
}

export async function loadIdentity(tx: Transaction, workspaceId: string): Promise<Identity> {
  const [workspace] = await tx<Issuer['workspace'][]>`select id, slug, name from workspace where id = ${workspaceId}`
  if (workspace === undefined) throw new Refusal('not-found', `there is no workspace "${workspaceId}"`)
  const names = await tx<(NameRow & { seq: number })[]>`
    select seq, name_before as "nameBefore", recorded_at as "recordedAt" from workspace_name
    where workspace_id = ${workspaceId} order by seq`
  const repairs = await loadClockRepairs(tx, workspaceId)
  const counted = names.map(row => ({ ...row, recordedAt: repairs.instantOf(workspaceId, row.seq, row.recordedAt) }))
  return new Identity(await loadInstallation(tx), workspace, counted, await loadCompanyNames(tx, workspaceId))
}

/** Names the installation, once: receipts that were issued under the name cannot be called back. */
export async function nameInstallation(owner: Sql, given: string): Promise<InstallationIdentity> {
  const name = readOneLine(given, "an installation's name", limits.namesLength)
  return appending(owner, publicScope, async (tx, log) => {
    const { id, name: stored } = await loadInstallation(tx)
    if (stored !== null)
      throw new Refusal('conflict', `this installation is called "${stored}" in receipts it has issued; it stays so`)
    const seq = await log.append('installation', id, { name })
    await tx`update installation set name = ${name}, named_at = ${log.recordedAt}, named_seq = ${seq}`
    return { id, name, namedAt: log.recordedAt }
  })
}
