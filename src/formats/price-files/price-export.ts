// A price file of many agreements, and what is not in it: a system that loads the file would keep an old price and nobody would
// know. The command, /ext/v1 and the pages make their files here.
import type { PriceStatus } from '../../core/prices/agreement.ts'
import type { ExactRow, RowsOfAgreement } from '../../core/prices/price-rows.ts'
import { chosenRows, type FileProblem, type PriceFileOptions, type PriceFormat } from './price-file.ts'
import { writeWhatFits } from './price-file-text.ts'

/** No number or no list; does not fit the format; not signed by those who must. */
export const leftOutReasons = ['BLOCKED', 'UNFIT', 'NOT_AGREED'] as const

/** What a file should have and does not. */
export interface LeftOut {
  readonly agreement: string
  /** Null where it is all items. */
  readonly item: string | null
  /** Null where it is all periods. */
  readonly period: string | null
  readonly reason: (typeof leftOutReasons)[number]
  readonly why: string
}

interface PriceExport {
  readonly text: string
  /** How many prices are in it. */
  readonly count: number
  /** By agreement. */
  readonly leftOut: readonly LeftOut[]
}

/** Without the agreements that do not fit; or what is wrong with the request, whatever the agreements. */
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
 * One for each period and status. An item of which the file has no price at all is named, because another system would not know
 * it.
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

/** How many agreements something of is left out. */
export function agreementsLeftOut(leftOut: readonly LeftOut[]): number {
  return new Set(leftOut.map(({ agreement }) => agreement)).size
}
