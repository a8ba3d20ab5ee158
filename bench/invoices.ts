// The check of 100,000 invoice lines, from the text of a CSV file to the outcome of each: how long it takes and how
// much memory it uses, with lines that are correct, wrong in a known way, and wrong without an explanation. The target:
// under ten seconds and 300 MB.
import { writeDay } from '../src/core/day.ts'
import { AgreementBook, type BookedAgreement } from '../src/core/invoices/agreement-book.ts'
import { type CheckAnswer, checkLines } from '../src/core/invoices/check.ts'
import { UnitTable } from '../src/core/invoices/unit-table.ts'
import { type ExactRow, priceRows } from '../src/core/prices/price-rows.ts'
import { Pricing } from '../src/core/prices/pricing.ts'
import { readInvoiceCsv } from '../src/import/invoice-lines.ts'
import { formulaAgreement } from '../test/support/invoice-check.ts'
import { listVersion } from '../test/support/priced-agreement.ts'
import { printTable } from './table.ts'

const lineCount = 100_000
const agreementCount = 20
const itemCount = 100
const today = '2025-12-31'

/** A level that varies without repeating, from whole numbers only. */
function level(series: number, month: number): string {
  const points = 100_000 + series * 7_321 + month * 273 + ((month * (series + 3) * 7_919) % 1_999)
  return `${Math.floor(points / 1000)}.${(points % 1000).toString().padStart(3, '0')}`
}

function makeAgreement(number: number): BookedAgreement {
  const months = Array.from(
    { length: 40 },
    (_, i) => `${2022 + Math.floor((i + 9) / 12)}-${`${((i + 9) % 12) + 1}`.padStart(2, '0')}`,
  )
  const table = `series,period,value\n${months.map((month, i) => `CUSTOM/steel,${month},${level(number, i)}\n`).join('')}`
  const items = Array.from({ length: itemCount }, (_, i) => {
    const price = `${10 + i}.${`${(i * 37 + number) % 100}`.padStart(2, '0')}`
    return `I-${i},${price},EUR,0,4\nI-${i},${10 + i}.00,EUR,1000,4\n`
  })
  const text = `slug: agreement-${number}
contract: { start: 2023-01-01, frequency: QUARTERLY, price: { amount: 500, currency: EUR, unit: piece } }
inputs: { steel: { series: CUSTOM/steel, weight: 0.8, base: 2022-12, lag: 1 month } }
clause: { fixed: 0.2, cap: { periodPct: 2 }, threshold: { pct: 1, test: EXCEEDS, pays: ALL } }
`
  return formulaAgreement({
    versions: [{ text }],
    table,
    today,
    lists: [listVersion(`item,price,currency,from_quantity,round\n${items.join('')}`, 1, 'start', '2023-01-01')],
  })
}

/** One line in this many bills the price of another period, and as many bill an unexplained price. */
function makeCsv(rows: readonly ExactRow[], wrongEvery: number): string {
  const lines = Array.from({ length: lineCount }, (_, i) => {
    const { row, validFrom } = rows[(i * 7_919) % rows.length]!
    const quantity = row.fromQuantity === '0' ? 1 + (i % 900) : 1000 + (i % 900)
    const isWrong = i % wrongEvery === 0
    const other = rows[((i * 7_919) % rows.length) + 1] ?? rows[0]!
    const price = isWrong ? (i % (2 * wrongEvery) === 0 ? other.row.price : `${row.price}7`) : row.price
    return `INV-${Math.floor(i / 20)},${i % 20},${row.agreement},${row.item},${quantity},${price},${writeDay(validFrom)}\n`
  })
  return `invoice,line,agreement,item,quantity,unit_price,date\n${lines.join('')}`
}

export function benchInvoices(): void {
  const agreements = Array.from({ length: agreementCount }, (_, i) => makeAgreement(i))
  const rows = agreements.flatMap(({ agreement }) => priceRows(new Pricing(agreement)))
  const results = [1_000_000, 20, 1].map(wrongEvery => {
    const csv = makeCsv(rows, wrongEvery)
    globalThis.gc?.()
    const before = process.memoryUsage().rss
    const cpuBefore = process.cpuUsage()
    const startMs = performance.now()
    const { lines } = readInvoiceCsv(csv, lineCount)
    const readMs = performance.now() - startMs
    const ground = { book: new AgreementBook(agreements), units: new UnitTable([]), tolerancePct: null }
    const answer = checkLines(lines, ground)
    const allMs = performance.now() - startMs
    const cpu = process.cpuUsage(cpuBefore)
    return [
      wrongEvery > lineCount ? 'almost none' : `1 in ${wrongEvery}`,
      tell(answer),
      `${Math.round(readMs)}`,
      `${Math.round(allMs)}`,
      `${Math.round((cpu.user + cpu.system) / 1000)}`,
      `${Math.round((process.memoryUsage().rss - before) / 1024 / 1024)}`,
      `${Math.round(process.memoryUsage().rss / 1024 / 1024)}`,
    ]
  })
  process.stdout.write(
    `\n${lineCount} lines, ${agreementCount} agreements of ${itemCount} items with two steps, ${rows.length} prices\n`,
  )
  printTable(
    ['wrong lines', 'explained', 'read ms', 'read and checked ms', 'of a processor ms', 'grown MB', 'process MB'],
    results,
  )
}

function tell({ data }: CheckAnswer): string {
  const wrong = data.filter(({ outcome }) => outcome === 'OVER' || outcome === 'UNDER')
  return `${wrong.filter(({ reason }) => reason !== null).length} of ${wrong.length}`
}
