// Price files of Microsoft's systems: open price journal lines of Dynamics 365 for purchase and for sales, and price list
// lines of Business Central.
import { minorUnits } from '../../core/numbers/money.ts'
import { divide, one } from '../../core/numbers/ratio.ts'
import {
  columnText,
  type FileWriter,
  type FittedRow,
  figure,
  fileRows,
  fitRows,
  formatTable,
  nextSteps,
  type PriceFileOptions,
  refuseComputed,
} from './price-file.ts'
import { formatPrice, formatQuantity } from './price-unit.ts'

/** The default setting of a new installation. */
const usualDecimals = 4
const mostPriceQuantity = 1_000_000n

interface Side {
  readonly account: string
  readonly priceQuantity: string
}

const purchase: Side = { account: 'VendorAccountNumber', priceQuantity: 'PurchasePriceQuantity' }
const sales: Side = { account: 'CustomerAccountNumber', priceQuantity: 'SalesPriceQuantity' }

function extraColumns({ set }: PriceFileOptions, own: readonly string[]): string[] {
  return [...set.keys()].filter(name => !own.includes(name)).sort()
}

function leastDecimals({ exact }: FittedRow, decimals: number): number {
  return Math.min(minorUnits(exact.row.currency), decimals)
}

function writeJournal({ account, priceQuantity }: Side): FileWriter {
  const computed = [
    'Price',
    priceQuantity,
    'PriceCurrencyCode',
    'FromQuantity',
    'ToQuantity',
    'PriceApplicableFromDate',
    'PriceApplicableToDate',
  ]
  const own = ['ItemNumber', account, 'Price', priceQuantity, 'PriceCurrencyCode', 'QuantityUnitSymbol']
  const head = [...own, 'FromQuantity', 'ToQuantity', 'PriceApplicableFromDate', 'PriceApplicableToDate']
  return (all, options) => {
    const rows = fileRows(all, options)
    const decimals = options.decimals ?? usualDecimals
    const { fitted, problems } = fitRows(rows, () => ({ decimals, mostPer: mostPriceQuantity }))
    const refused = [...refuseComputed(computed, rows, options), ...problems]
    if (refused.length > 0) return { problems: refused }
    // Steps that are not in the file still end the one before them.
    const next = nextSteps(all)
    const extra = extraColumns(options, head)
    const cells = (row: FittedRow) => {
      const { exact, price, per } = row
      const to = next(exact)
      const text = (name: string, known?: string) => columnText(name, exact, options.set, known)
      return [
        text('ItemNumber', exact.row.item),
        text(account),
        figure(formatPrice(price, leastDecimals(row, decimals))),
        figure(formatQuantity(per)),
        exact.row.currency,
        text('QuantityUnitSymbol', exact.row.unit),
        figure(formatQuantity(exact.from)),
        figure(to === null ? '0' : formatQuantity(to)),
        exact.row.validFrom,
        exact.lastDay,
        ...extra.map(name => text(name)),
      ]
    }
    return { text: formatTable([...head, ...extra], fitted, cells, options) }
  }
}

export const writePurchaseJournal = writeJournal(purchase)
export const writeSalesJournal = writeJournal(sales)

const bcComputed = ['Starting Date', 'Ending Date', 'Currency Code', 'Minimum Quantity', 'Direct Unit Cost']
const bcHead = [
  'Source No.',
  'Asset No.',
  'Starting Date',
  'Ending Date',
  'Currency Code',
  'Unit of Measure Code',
  'Minimum Quantity',
  'Direct Unit Cost',
]

/** The format has no price unit: the price of one unit must fit. */
export const writeBusinessCentral: FileWriter = (all, options) => {
  const rows = fileRows(all, options)
  const decimals = options.decimals ?? usualDecimals
  const ofOne = rows.map(exact => ({ ...exact, price: divide(exact.price, exact.per), per: one }))
  const { fitted, problems } = fitRows(ofOne, () => ({ decimals, mostPer: 1n }))
  const refused = [...refuseComputed(bcComputed, rows, options), ...problems]
  if (refused.length > 0) return { problems: refused }
  const extra = extraColumns(options, bcHead)
  const cells = (row: FittedRow) => {
    const { exact, price } = row
    const text = (name: string, known?: string) => columnText(name, exact, options.set, known)
    return [
      text('Source No.'),
      text('Asset No.', exact.row.item),
      exact.row.validFrom,
      exact.lastDay,
      exact.row.currency,
      text('Unit of Measure Code', exact.row.unit),
      figure(formatQuantity(exact.from)),
      figure(formatPrice(price, leastDecimals(row, decimals))),
      ...extra.map(name => text(name)),
    ]
  }
  return { text: formatTable([...bcHead, ...extra], fitted, cells, options) }
}
