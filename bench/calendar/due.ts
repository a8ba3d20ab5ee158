// What is due in a large workspace: 2,000 agreements that adjust every month, each on two of twenty series, a year ahead. How long it
// takes from nothing, after a release that touches one series in twenty, and asked again.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseDay } from '../../src/core/time/day.ts'
import { startOfDay } from '../../src/core/time/instant.ts'
import { lastDayOf, parsePeriod } from '../../src/core/time/period.ts'
import { listDue } from '../../src/read/due.ts'
import { Library } from '../../src/read/library.ts'
import { appending } from '../../src/storage/log/append.ts'
import { RowSeals } from '../../src/storage/log/row-seals.ts'
import { makeIdentifier } from '../../src/storage/postgres/identifier.ts'
import { createSeries } from '../../src/storage/series/own-series.ts'
import { withStaging } from '../../src/storage/series/staging.ts'
import { Installation } from '../../src/storage/upkeep/installation.ts'
import { createWorkspace } from '../../src/storage/workspaces/workspaces.ts'
import { insertAgreements } from '../insert-agreements.ts'
import { printTable } from '../table.ts'

const agreements = 2_000
const together = 100
const seriesCount = 20
const turns = 5
const memoryBytes = 256 * 1024 * 1024
const firstMonth = parsePeriod('2022-01')!.ordinal
const months = 35
const today = parseDay('2025-01-02')!
const daysAhead = 366

export async function benchDue(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'assize-bench-'))
  const installation = await Installation.open({ dataFolder: join(folder, 'data'), databaseUrl: null, secrets: null })
  try {
    const { sql, owner, ring } = installation
    const { id: workspaceId } = await createWorkspace(owner, { slug: 'bench', name: 'Bench' })
    const seriesIds = await fillSeries(installation, workspaceId)
    for (let from = 0; from < agreements; from += together) {
      const documents = Array.from({ length: together }, (_, i) => documentOf(from + i))
      await appending(sql, workspaceId, (tx, log) => insertAgreements(tx, log, documents))
    }
    await owner`analyze`
    const library = new Library(sql, memoryBytes, {
      seals: new RowSeals(ring),
      report: () => undefined,
    })
    let rows = 0
    const measure = async () => {
      const startedMs = performance.now()
      rows = (await listDue(library, workspaceId, { now: startOfDay(today), until: today + daysAhead })).length
      return performance.now() - startedMs
    }
    const fromNothing = await measure()
    const [released, warm, ofProcessor]: [number[], number[], number[]] = [[], [], []]
    for (let turn = 0; turn < turns; turn++) {
      library.changes.entered({ seq: 0, scope: workspaceId, kind: 'observations', subject: seriesIds[turn]! })
      released.push(await measure())
      const cpuBefore = process.cpuUsage()
      warm.push(await measure())
      const { user, system } = process.cpuUsage(cpuBefore)
      ofProcessor.push((user + system) / 1000)
    }
    const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
    printTable(
      [
        'what is due',
        'dates',
        'just started',
        'after a release',
        'asked again',
        'target',
        'asked again, of a processor',
      ],
      [
        [
          `${agreements.toLocaleString('en-US')} agreements × 12 months`,
          rows.toLocaleString('en-US'),
          `${(fromNothing / 1000).toFixed(1)} s`,
          `${median(released).toFixed(0)} ms`,
          `${median(warm).toFixed(0)} ms`,
          '500 ms',
          `${median(ofProcessor).toFixed(0)} ms`,
        ],
      ],
    )
  } finally {
    await installation.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Each figure was published on its own, about two weeks after its month. */
async function fillSeries(installation: Installation, workspaceId: string): Promise<readonly string[]> {
  const series = Array.from({ length: seriesCount }, (_, i) => ({
    id: makeIdentifier('ser'),
    provider: 'CUSTOM' as const,
    code: `bench-${i}`,
    name: `Bench series ${i}`,
    unit: '2015 = 100',
    dataType: 'INDEX' as const,
    frequency: 'MONTHLY' as const,
    description: '',
  }))
  const rows = series.flatMap((_, place) =>
    Array.from({ length: months }, (_month, month) => {
      const ordinal = firstMonth + month
      const publishedAt = startOfDay(lastDayOf({ frequency: 'MONTHLY', ordinal }) + 12 + ((month + place) % 4))
      return {
        series: place,
        period: ordinal,
        value: `${100 + month + place}`,
        tag: 'FINAL' as const,
        flag: null,
        publishedAt,
        line: 2,
      }
    }),
  )
  await withStaging(installation.sql, workspaceId, async staging => {
    await staging.add(rows)
    const comparison = await staging.compare(series.map(({ id }) => id))
    return comparison.appendOne(log => createSeries(staging.tx, log, series))
  })
  return series.map(({ id }) => id)
}

function documentOf(i: number): string {
  return `
slug: agreement-${i.toString().padStart(5, '0')}
name: Agreement ${i}
status: ACTIVE
contract: { start: 2024-11-01, frequency: MONTHLY, price: { amount: ${10 + (i % 90)}.40, currency: EUR } }
inputs:
  one: { series: CUSTOM/bench-${i % seriesCount}, weight: 0.5, base: 2024-08, lag: 2 months }
  two: { series: CUSTOM/bench-${(i + 7) % seriesCount}, weight: 0.35, base: 2024-08, lag: 3 months, window: 3 months, using: MEAN }
clause: { fixed: 0.15, rounding: { percent: { dp: 4 } } }
`
}
