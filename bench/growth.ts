// How cost grows with size: lists of series and of agreements, pages of whole portfolios, memory, and parallel processes.
// Prints each cost against size, and names what grows faster than it should; the rule is in growth/rule.ts.
import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openApplication, type Sql } from '../src/storage/postgres/database.ts'
import { type FolderGround, openFolderGround } from '../test/faults/grounds.ts'
import { type AgreementCosts, measureAgreements } from './growth/agreements.ts'
import type { Cost } from './growth/answers.ts'
import { type FilledWorkspace, fillAgreements, fillPublic, fillSeries } from './growth/fill.ts'
import { measureProcesses, type RouteRates } from './growth/processes.ts'
import {
  floor,
  type GrowthRow,
  judge,
  judgeProcesses,
  leastOfOne,
  mostCpuOfOne,
  mostPower,
  powerOf,
} from './growth/rule.ts'
import { measureSeries, type SeriesCosts } from './growth/series.ts'
import { printTable } from './table.ts'

export interface GrowthSizes {
  readonly series: readonly number[]
  readonly agreements: readonly number[]
  readonly processes: readonly number[]
}

export const usualSizes: GrowthSizes = {
  series: [1_000, 10_000, 100_000],
  agreements: [100, 1_000, 2_000, 10_000],
  processes: [1, 2, 4],
}

export async function benchGrowth(sizes: GrowthSizes = usualSizes): Promise<void> {
  const ground = await openFolderGround()
  const sql = openApplication(ground.target, { connections: 2 })
  const wrong: string[] = []
  try {
    const shared = await fillPublic(ground, sql, Math.max(...sizes.series))
    const withSeries = await fillEach('series', sizes.series, size => fillSeries(ground, sql, size, shared))
    const withAgreements = await fillEach('agreements', sizes.agreements, size => fillAgreements(ground, sql, size))
    wrong.push(...(await reportSeries(ground, sql, withSeries)))
    wrong.push(...(await reportAgreements(ground, sql, withAgreements)))
    wrong.push(...reportProcesses(await measureProcesses(ground, withSeries[0]!, sizes.processes)))
  } finally {
    await sql.end({ timeout: 5 })
    await ground.close()
  }
  reportVerdict(wrong)
}

async function fillEach(
  what: string,
  sizes: readonly number[],
  fill: (size: number) => Promise<FilledWorkspace>,
): Promise<readonly FilledWorkspace[]> {
  const filled: FilledWorkspace[] = []
  for (const size of sizes) {
    process.stdout.write(`filling: ${size} ${what}\n`)
    filled.push(await fill(size))
  }
  return filled
}

async function reportSeries(
  ground: FolderGround,
  sql: Sql,
  filled: readonly FilledWorkspace[],
): Promise<readonly string[]> {
  const costs: SeriesCosts[] = []
  const bytes: number[] = []
  for (const each of filled) {
    costs.push(await measureSeries(ground, sql, each))
    bytes.push(await heldBytes(ground, each, 'series'))
    process.stdout.write('.')
  }
  const sizes = filled.map(({ size }) => size)
  const ms = (name: string, of: (each: SeriesCosts) => Cost, more: Partial<GrowthRow> = {}) =>
    timesRow(name, sizes, costs.map(of), more)
  return reportRows('series', sizes, [
    ms('start, until it listens', each => each.start),
    ms('first page of 50 after a start', each => each.firstPage),
    ms('values of one series right after it', each => each.firstValues),
    ms('until the whole list is in memory', each => each.whole, { should: 'linear' }),
    ms('page of 50, warm', each => each.warm),
    ms('next page after one new series', each => each.afterNew, inPlace),
    ms('next page after one renamed series', each => each.afterRenamed, inPlace),
    ms('next page after one followed series', each => each.afterFollowed, inPlace),
    ms('next page after 300 values at once', each => each.afterMany),
    bytesRow('bytes of memory per cached series', sizes, bytes),
  ])
}

/** A list that is changed in place answers at once, however long it is. */
const inPlace = { most: 20 }
/** A page of a portfolio whose agreements are all computed. */
const portfolioPage = { most: 300 }

async function reportAgreements(
  ground: FolderGround,
  sql: Sql,
  filled: readonly FilledWorkspace[],
): Promise<readonly string[]> {
  const costs: AgreementCosts[] = []
  const bytes: number[] = []
  for (const each of filled) {
    costs.push(await measureAgreements(ground, sql, each))
    bytes.push(await heldBytes(ground, each, 'agreements'))
    process.stdout.write('.')
  }
  const sizes = filled.map(({ size }) => size)
  const ms = (name: string, of: (each: AgreementCosts) => Cost, more: Partial<GrowthRow> = {}) =>
    timesRow(name, sizes, costs.map(of), more)
  return reportRows('agreements', sizes, [
    ms('/v1/pams, first after a start', each => each.first.api),
    ms('list of agreements, first after a start', each => each.first.list),
    ms('sign-offs, first after a start', each => each.first.signOffs),
    ms('overview, first after a start', each => each.first.overview),
    ms('until all are computed', each => each.workedOut, { should: 'linear' }),
    ms('/v1/pams, warm', each => each.warm.api),
    ms('list of agreements, warm', each => each.warm.list, portfolioPage),
    ms('sign-offs, warm', each => each.warm.signOffs, portfolioPage),
    ms('overview, warm', each => each.warm.overview, portfolioPage),
    ms('/v1/pams after one new agreement', each => each.afterNew.api, inPlace),
    ms('list of agreements after one new agreement', each => each.afterNew.list),
    ms('sign-offs after one new agreement', each => each.afterNew.signOffs),
    ms('overview after one new agreement', each => each.afterNew.overview),
    bytesRow('bytes of memory per cached agreement', sizes, bytes),
  ])
}

interface ReportedRow extends GrowthRow {
  /** Shown next to the costs, which are those of the fastest turns. */
  readonly medians: readonly number[] | null
}

function timesRow(
  name: string,
  sizes: readonly number[],
  costs: readonly Cost[],
  more: Partial<GrowthRow>,
): ReportedRow {
  const fastest = costs.map(cost => cost.fastest)
  return { name, unit: 'ms', should: 'flat', sizes, costs: fastest, medians: costs.map(cost => cost.median), ...more }
}

function bytesRow(name: string, sizes: readonly number[], costs: readonly number[]): ReportedRow {
  return { name, unit: 'bytes', should: 'flat', sizes, costs, medians: null }
}

function reportRows(what: string, sizes: readonly number[], rows: readonly ReportedRow[]): readonly string[] {
  const write = (cost: number) => (cost >= 100 ? Math.round(cost).toLocaleString('en-US') : cost.toFixed(1))
  printTable(
    [`milliseconds with so many ${what}`, ...sizes.map(size => size.toLocaleString('en-US')), 'power', 'should', ''],
    rows.map(row => [
      row.name,
      ...row.costs.map((cost, i) =>
        row.medians === null ? write(cost) : `${write(cost)} (${write(row.medians[i]!)})`,
      ),
      powerOf(row).toFixed(2),
      row.most === undefined ? row.should : `${row.should}, ≤ ${row.most}`,
      judge(row) === null ? '' : 'too much',
    ]),
  )
  return rows.flatMap(row => judge(row) ?? [])
}

function reportProcesses(routes: readonly RouteRates[]): readonly string[] {
  const whole = (value: number) => Math.round(value).toLocaleString('en-US')
  printTable(
    ['requests a second', 'processes', 'all together', 'of one process', 'µs of processor for one'],
    routes.flatMap(({ name, rows }) =>
      rows.map(({ processes, rate, cpuMicros }) => {
        return [name, String(processes), whole(rate), (rate / rows[0]!.rate).toFixed(2), whole(cpuMicros)]
      }),
    ),
  )
  return routes.flatMap(({ name, rows }) => judgeProcesses(name, rows))
}

function reportVerdict(wrong: readonly string[]): void {
  process.stdout.write(`
Times are those of the fastest of several turns, the median in brackets: what comes on top is the work of others on this machine.
A cost is taken to grow as size to a power, between the smallest and the largest size; costs below ${floor.ms} ms count as that.
What should be flat may have a power of ${mostPower.flat} (twice the cost for ten times the size), what should be linear one of
${mostPower.linear}. More processes answer at least ${leastOfOne} of what one does, for at most ${mostCpuOfOne} times its processor time: this machine
has ${availableParallelism()} processors, of which the bench takes one, so that more processes cannot answer much more.

${wrong.length === 0 ? 'Nothing grows faster than it should.' : `Faster than they should:\n${wrong.map(each => `- ${each}`).join('\n')}`}
`)
}

const run = promisify(execFile)
const memoryProcess = fileURLToPath(new URL('./growth/memory-process.ts', import.meta.url))

async function heldBytes(
  { folder }: FolderGround,
  { workspace }: FilledWorkspace,
  what: 'series' | 'agreements',
): Promise<number> {
  const words = ['--expose-gc', memoryProcess, folder, workspace.id, what]
  const { stdout } = await run(process.execPath, words)
  const { bytes, count } = JSON.parse(stdout) as { bytes: number; count: number }
  return bytes / count
}
