// A piece of a workspace's lists, straight from the database: the rows that one request needs, however long the lists are. It is
// read while the whole is not in memory, and not cached.

import {
  type AgreementPageRequest,
  findAgreementPage,
  loadAgreementSummaries,
  loadReferences,
} from '../../storage/agreements/agreement-lists.ts'
import { type AgreementRecord, findAgreement } from '../../storage/agreements/agreements.ts'
import { loadMarks, type Marks } from '../../storage/log/append.ts'
import { loadIdentity } from '../../storage/people/issuer-names.ts'
import type { Transaction } from '../../storage/postgres/database.ts'
import { publicScope } from '../../storage/postgres/database.ts'
import { findSeriesPage, loadVisibleSeries, type SeriesPageRequest } from '../../storage/series/series.ts'
import { CachedIndex, type Newest } from './cached-index.ts'

/** The part of the lists that a request needs; the piece may contain more. */
export interface ListPiece {
  /** Series as formulas name them: `PROVIDER/code`, or an id. */
  readonly series?: readonly string[]
  /** Agreements by id or slug, each with the series that it reads; or all, without series. */
  readonly agreements?: readonly string[] | 'all'
  readonly seriesPage?: SeriesPageRequest
  readonly agreementPage?: AgreementPageRequest
}

/** Inside one snapshot of the workspace. */
export async function loadListPiece(
  tx: Transaction,
  workspaceId: string,
  piece: ListPiece,
): Promise<{ readonly index: CachedIndex; readonly marks: Marks }> {
  // Sent together: for a few rows the round trips take most of the time.
  const [{ agreements, references }, page, marks, identity] = await Promise.all([
    loadAgreements(tx, workspaceId, piece),
    piece.seriesPage === undefined ? [] : findSeriesPage(tx, workspaceId, piece.seriesPage),
    loadMarks(tx, workspaceId),
    loadIdentity(tx, workspaceId),
  ])
  const wanted = new Set([...(piece.series ?? []).filter(canBeStored), ...references, ...page])
  const series = wanted.size === 0 ? [] : await loadVisibleSeries(tx, workspaceId, { references: [...wanted] })
  const index = await CachedIndex.ofPiece(workspaceId, { series, agreements }, identity, newestOf(workspaceId, marks))
  return { index, marks }
}

export function newestOf(workspaceId: string, marks: Marks): Newest {
  return { own: marks.get(workspaceId) ?? 0, public: marks.get(publicScope) ?? 0 }
}

/** Whether the request needs all agreements and nothing else. */
export function isAllAgreements({ agreements, series, seriesPage, agreementPage }: ListPiece): boolean {
  return agreements === 'all' && series === undefined && seriesPage === undefined && agreementPage === undefined
}

interface AgreementsOfPiece {
  readonly agreements: readonly AgreementRecord[]
  /** Names in their documents. */
  readonly references: readonly string[]
}

async function loadAgreements(tx: Transaction, workspaceId: string, piece: ListPiece): Promise<AgreementsOfPiece> {
  const { agreements = [], agreementPage } = piece
  if (agreements === 'all') return { agreements: await loadAgreementSummaries(tx, workspaceId), references: [] }
  const named: string[] = []
  for (const each of agreements.filter(canBeStored)) {
    const found = await findAgreement(tx, workspaceId, each)
    if (found !== null) named.push(found.id)
  }
  const page = agreementPage === undefined ? [] : await findAgreementPage(tx, workspaceId, agreementPage)
  const ids = [...named, ...page]
  if (ids.length === 0) return { agreements: [], references: [] }
  const references = named.length === 0 ? new Map() : await loadReferences(tx, workspaceId, named)
  return {
    agreements: await loadAgreementSummaries(tx, workspaceId, ids),
    references: [...references.values()].flat().flatMap(version => version.references),
  }
}

/** False for a name with a NUL character. Names come from addresses: the database refuses such a name, and has none. */
function canBeStored(name: string): boolean {
  return !name.includes('\0')
}
