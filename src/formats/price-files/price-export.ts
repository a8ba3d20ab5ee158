// A price file of many agreements, with the list of prices it lacks: a system that loads the file would keep an old price and
// nobody would know. The command, /ext/v1 and the pages make their files here.
import type { PriceStatus } from '../../core/prices/agreement.ts'
import type { ExactRow, RowsOfAgreement } from '../../core/prices/price-rows.ts'
import { chosenRows, type FileProblem, type PriceFileOptions, type PriceFormat } from './price-file.ts'
import { writeWhatFits } from './price-file-text.ts'

/** No number or no list; does not fit the format; not signed by those who must. */
export const leftOutReasons = ['BLOCKED', 'UNFIT', 'NOT_AGREED'] as const

/** A price that a file should have and lacks. */
export interface LeftOut {
  readonly agreement: string
  /** The item; null for all items. */
  readonly item: string | null
  /** The period; null for all periods. */
  readonly period: string | null
  readonly reason: (typeof leftOutReasons)[number]
  readonly why: string
}

interface PriceExport {
  readonly text: string
  /** The number of prices in the file. */
  readonly count: number
  /** Sorted by agreement. */
  readonly leftOut: readonly LeftOut[]
}

/** A price file without the agreements that do not fit; or the problems of the request as a whole. */
export function exportPrices(
  format: PriceFormat,
  agreements: readonly RowsOfAgreement[],
  options: PriceFileOptions,
): PriceExport | { readonly problems: readonly FileProblem[] } {
  const rows = agreements.flatMap(each => each.rows)
  const written = writeWhatFits(format, rows, options)
  if ('problems' in written) return written
  const unfit = Map.groupBy(written.unfit, ({ agreement }) => agreement!)
  const chosen = new Set(chosenRows(rows, options.only))
  const leftOut = agreements.flatMap(({ slug, rows: own, unpriced }): LeftOut[] => [
    ...unpriced.map(({ period, why }) => ({ agreement: slug, item: null, period, reason: 'BLOCKED' as const, why })),
    ...(unfit.get(slug) ?? []).map(({ item, message }) => ({
      agreement: slug,
      item,
      period: null,
      reason: 'UNFIT' as const,
      why: message,
    })),
    ...(unfit.has(slug) ? [] : notAgreed(own, chosen)),
  ])
  const count = [...chosen].filter(({ row }) => !unfit.has(row.agreement)).length
  return { text: written.text, count, leftOut }
}

const statusWords: Readonly<Record<PriceStatus, string>> = {
  AGREED: 'signed by both',
  SIGNED_BY_BUYER: 'proposed, signed by the buyer alone',
  SIGNED_BY_SUPPLIER: 'proposed, signed by the supplier alone',
  OPEN: 'proposed, not signed',
}

/**
 * One gap for each period and status. An item without any price in the file is named, because another system would not know it.
 */
function notAgreed(rows: readonly ExactRow[], chosen: ReadonlySet<ExactRow>): LeftOut[] {
  const written = new Set(rows.filter(row => chosen.has(row)).map(({ row }) => row.item))
  const left = rows.filter(row => !chosen.has(row))
  const groups = Map.groupBy(left, ({ row: { period, status } }) => `${period} ${status}`)
  return [...groups.values()].flatMap((group): LeftOut[] => {
    const { agreement, period, status } = group[0]!.row
    const leftOut = (item: string | null) =>
      ({ agreement, item, period, reason: 'NOT_AGREED', why: statusWords[status] }) as const
    const unknown = [...new Set(group.map(({ row }) => row.item))].filter(item => !written.has(item))
    const isAll = group.every(({ row }) => !written.has(row.item))
    return isAll || unknown.length === 0 ? [leftOut(null)] : [leftOut(null), ...unknown.map(item => leftOut(item))]
  })
}

/** The number of agreements with a gap. */
export function agreementsLeftOut(leftOut: readonly LeftOut[]): number {
  return new Set(leftOut.map(({ agreement }) => agreement)).size
}
