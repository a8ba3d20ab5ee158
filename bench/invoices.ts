// 100,000 invoice lines as the commands treat them, each in a process of its own on a running database: checked with hardly any
// wrong line and with every second one wrong, imported, imported again, listed. Wall time, processor time and the peak
// memory of the process. The target: checked in under ten seconds and 300 MB.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { ExactRow } from '../src/core/prices/price-rows.ts'
import { formatDay } from '../src/core/time/day.ts'
import { Library } from '../src/read/library.ts'
import { RowSeals } from '../src/storage/log/row-seals.ts'
import { Installation } from '../src/storage/upkeep/installation.ts'
import { createWorkspace } from '../src/storage/workspaces/workspaces.ts'
import { printTable } from './table.ts'

const lineCount = 100_000
const agreementCount = 20
const itemCount = 100
const linesPerInvoice = 20
const targets = { seconds: 10, megabytes: 300 }

/** A level that varies without repeating, from whole numbers only. */
function level(series: number, month: number): string {
  const points = 100_000 + series * 7_321 + month * 273 + ((month * (series + 3) * 7_919) % 1_999)
  return `${Math.floor(points / 1000)}.${(points % 1000).toString().padStart(3, '0')}`
}

const months = Array.from(
  { length: 40 },
  (_, i) => `${2022 + Math.floor((i + 9) / 12)}-${`${((i + 9) % 12) + 1}`.padStart(2, '0')}`,
)

function seriesTable(): string {
  const rows = Array.from({ length: agreementCount }, (_, number) =>
    months.map((month, i) => `CUSTOM/steel-${number},${month},${level(number, i)}\n`).join(''),
  )
  return `series,period,value\n${rows.join('')}`
}

function documentOf(number: number): string {
  return `slug: agreement-${number}
name: Agreement ${number}
status: ACTIVE
contract: { start: 2023-01-01, end: 2025-12-31, frequency: QUARTERLY, price: { amount: 500, currency: EUR, unit: piece } }
inputs: { steel: { series: CUSTOM/steel-${number}, weight: 0.8, base: 2022-12, lag: 1 month } }
clause: { fixed: 0.2, cap: { periodPct: 2 }, threshold: { pct: 1, test: EXCEEDS, pays: ALL } }
`
}

function listOf(number: number): string {
  const items = Array.from({ length: itemCount }, (_, i) => {
    const price = `${10 + i}.${`${(i * 37 + number) % 100}`.padStart(2, '0')}`
    return `I-${i},${price},EUR,0,4\nI-${i},${10 + i}.00,EUR,1000,4\n`
  })
  return `item,price,currency,from_quantity,round\n${items.join('')}`
}

/** One line in this many bills the price of another row, and as many bill an unexplained price. */
function makeCsv(all: readonly ExactRow[], wrongEvery: number): string {
  const ofAgreements = [...Map.groupBy(all, ({ row }) => row.agreement).values()]
  const lines = Array.from({ length: lineCount }, (_, i) => {
    // The lines of an invoice are of one agreement.
    const rows = ofAgreements[Math.floor(i / linesPerInvoice) % ofAgreements.length]!
    const { row, validFrom } = rows[(i * 7_919) % rows.length]!
    const quantity = row.fromQuantity === '0' ? 1 + (i % 900) : 1000 + (i % 900)
    const isWrong = i % wrongEvery === 0
    const other = rows[((i * 7_919) % rows.length) + 1] ?? rows[0]!
    const price = isWrong ? (i % (2 * wrongEvery) === 0 ? other.row.price : `${row.price}7`) : row.price
    return `INV-${Math.floor(i / linesPerInvoice)},${i % linesPerInvoice},${row.agreement},${row.item},${quantity},${price},${formatDay(validFrom)}\n`
  })
  return `invoice,line,agreement,item,quantity,unit_price,date\n${lines.join('')}`
}

interface Measured {
  readonly seconds: number
  readonly processorSeconds: number
  readonly peakMb: number
}

const hook = `data:text/javascript,${encodeURIComponent(
  'process.on("exit", () => { const u = process.resourceUsage(); process.stderr.write("\\nused " + u.maxRSS + " " + (u.userCPUTime + u.systemCPUTime)) })',
)}`

class Bench {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The real program in its own process, from start to end. */
  async run(...words: string[]): Promise<Measured> {
    const begun = performance.now()
    // To a file: this process would otherwise read fifty megabytes, and compete for the processor that is measured.
    const out = openSync(join(this.#folder, 'out.txt'), 'w')
    const child = spawn(process.execPath, ['--import', hook, 'src/cli/assize.ts', ...words, '--workspace', 'bench'], {
      env: { ...process.env, ASSIZE_DATA: join(this.#folder, 'data') },
      stdio: ['ignore', out, 'pipe'],
    })
    const ended = once(child, 'close')
    const told = await text(child.stderr!)
    const [status] = await ended
    const seconds = (performance.now() - begun) / 1000
    closeSync(out)
    if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}: ${told}`)
    const [, peakKb, micros] = /used (\d+) (\d+)$/.exec(told)!
    return {
      seconds,
      processorSeconds: Number.parseInt(micros!, 10) / 1_000_000,
      peakMb: Number.parseInt(peakKb!, 10) / 1024,
    }
  }

  async file(name: string, text: string): Promise<string> {
    const path = join(this.#folder, name)
    await writeFile(path, text)
    return path
  }

  async fill(): Promise<void> {
    await this.run('import', await this.file('series.csv', seriesTable()))
    const documents = Array.from({ length: agreementCount }, (_, i) => this.file(`agreement-${i}.yaml`, documentOf(i)))
    await this.run('pam', 'apply', ...(await Promise.all(documents)))
    for (let i = 0; i < agreementCount; i++)
      await this.run('prices', 'apply', `agreement-${i}`, await this.file(`list-${i}.csv`, listOf(i)))
  }
}

async function readPrices({ sql, ring }: Installation, workspaceId: string): Promise<ExactRow[]> {
  const trust = { seals: new RowSeals(ring), report: () => {} }
  const library = new Library(sql, 64 * 1024 * 1024, trust)
  const rows: ExactRow[] = []
  const time = { knownAt: null, until: Number.MAX_SAFE_INTEGER }
  for await (const each of library.prices.rowsOfAll(workspaceId, time)) rows.push(...each.rows)
  return rows
}

export async function benchInvoices(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'assize-bench-'))
  const installation = await Installation.open({ dataFolder: join(folder, 'data'), databaseUrl: null, secrets: null })
  try {
    const workspace = await createWorkspace(installation.owner, { slug: 'bench' })
    const bench = new Bench(folder)
    await bench.fill()
    const prices = await readPrices(installation, workspace.id)
    const right = await bench.file('right.csv', makeCsv(prices, lineCount))
    const wrong = await bench.file('wrong.csv', makeCsv(prices, 2))
    const results = [
      ['invoice check, nearly all right', await bench.run('invoice', 'check', right), true],
      ['invoice check, every second wrong', await bench.run('invoice', 'check', wrong), true],
      ['invoice check --json', await bench.run('invoice', 'check', right, '--json'), true],
      ['invoice import', await bench.run('invoice', 'import', right), false],
      ['invoice import, the same again', await bench.run('invoice', 'import', right), false],
      ['invoice list', await bench.run('invoice', 'list'), false],
    ] as const
    process.stdout.write(
      `\n${lineCount.toLocaleString('en-US')} lines, ${agreementCount} agreements of ${itemCount} items with two steps, ${prices.length.toLocaleString('en-US')} prices\n`,
    )
    printTable(
      ['command', 'seconds', 'of a processor', 'target', 'peak MB', 'target MB'],
      results.map(([name, { seconds, processorSeconds, peakMb }, isBound]) => [
        name,
        seconds.toFixed(1),
        processorSeconds.toFixed(1),
        isBound ? `< ${targets.seconds}` : '',
        `${Math.round(peakMb)}`,
        isBound ? `< ${targets.megabytes}` : '',
      ]),
    )
  } finally {
    await installation.close()
    await rm(folder, { recursive: true, force: true })
  }
}
