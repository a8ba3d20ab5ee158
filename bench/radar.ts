// What one release did to a large workspace: 500 of 2,000 agreements read the series, each with 40 signed quarters and a kept
// invoice line in each of them. How long it takes to find out after the release (cold) and asked again (warm).
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parties as partyNames } from '../src/core/parties.ts'
import { formatDay, parseDay } from '../src/core/time/day.ts'
import { type Instant, instantOfMicros, microsOf } from '../src/core/time/instant.ts'
import { parsePeriod } from '../src/core/time/period.ts'
import type { PeriodEntry } from '../src/read/agreements/adjustments.ts'
import { Library } from '../src/read/library.ts'
import { insertLines, type NewLine } from '../src/storage/agreements/invoices.ts'
import { insertSignings, insertSignOffs } from '../src/storage/agreements/signed-rows.ts'
import { appending, type OpenLog } from '../src/storage/log/append.ts'
import { appendEntries } from '../src/storage/log/entry-rows.ts'
import { RowSeals } from '../src/storage/log/row-seals.ts'
import { loadNewestSeen } from '../src/storage/log/visible-entries.ts'
import type { Transaction } from '../src/storage/postgres/database.ts'
import { withWorkspace } from '../src/storage/postgres/database.ts'
import { makeIdentifier } from '../src/storage/postgres/identifier.ts'
import { createSeries } from '../src/storage/series/own-series.ts'
import { withStaging } from '../src/storage/series/staging.ts'
import { Installation } from '../src/storage/upkeep/installation.ts'
import { createWorkspace } from '../src/storage/workspaces/workspaces.ts'
import { insertAgreements } from './insert-agreements.ts'
import { printTable } from './table.ts'

/** Of so many agreements one in four is touched. */
export const usualAgreements = 2_000
const together = 25
const analyzeEvery = 250
const turns = 3
const memoryBytes = 256 * 1024 * 1024
const firstMonth = parsePeriod('2014-01')!.ordinal
const months = 144
const today = parseDay('2025-01-02')!

export async function benchRadar(agreements: number): Promise<void> {
  const touched = Math.floor(agreements / 4)
  const folder = await mkdtemp(join(tmpdir(), 'assize-bench-'))
  const dataFolder = join(folder, 'data')
  const installation = await Installation.open({ dataFolder, databaseUrl: null, secrets: null })
  try {
    const { sql, owner, ring } = installation
    const { id: workspaceId } = await createWorkspace(owner, { slug: 'bench', name: 'Bench' })
    const open = () => {
      const trust = { seals: new RowSeals(ring), report: () => undefined }
      return new Library(sql, memoryBytes, trust)
    }
    const seriesIds = await fillSeries(installation, workspaceId)
    await fillAgreements(installation, workspaceId, open(), { agreements, touched })
    const since = await newest(installation, workspaceId)
    await publishFigures(installation, workspaceId, [seriesIds[0]!], [row(0, firstMonth + 127, '163.7', 'FINAL')])
    let question = { since, until: await newest(installation, workspaceId), day: today, agreementId: null }
    const times: Times = { fromNothing: [], cold: [], coldOfProcessor: [], warm: [] }
    let rows = 0
    const library = open()
    const measure = async () => {
      const startedMs = performance.now()
      rows = (await library.radar.read(workspaceId, question)).length
      return performance.now() - startedMs
    }
    times.fromNothing.push(await measure())
    for (let turn = 0; turn < turns; turn++) {
      // The state after the release in a server that was running before it: stored data is in memory, computed numbers
      // are not.
      question = { ...question, since: instantOfMicros(microsOf(question.since) - 1) }
      library.changes.entered({ seq: 0, scope: workspaceId, kind: 'observations', subject: seriesIds[0]! })
      const cpuBefore = process.cpuUsage()
      times.cold.push(await measure())
      const { user, system } = process.cpuUsage(cpuBefore)
      times.coldOfProcessor.push((user + system) / 1000)
      times.warm.push(await measure())
    }
    report({ agreements, touched }, rows, times)
  } finally {
    await installation.close()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Size {
  readonly agreements: number
  /** The first of them. */
  readonly touched: number
}

interface Times {
  /** A server that has just started, with nothing in memory. */
  readonly fromNothing: number[]
  /** One that has the agreements in memory. */
  readonly cold: number[]
  /** The same in processor time, independent of other load on the machine. */
  readonly coldOfProcessor: number[]
  /** Asked again. */
  readonly warm: number[]
}

function report(
  { agreements, touched }: Size,
  rows: number,
  { fromNothing, cold, coldOfProcessor, warm }: Times,
): void {
  const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
  const seconds = (values: readonly number[]) => `${(median(values) / 1000).toFixed(2)} s`
  const what = `${touched} of ${agreements.toLocaleString('en-US')} agreements, 40 quarters each`
  printTable(
    ['one release', 'rows', 'cold', 'target', 'warm', 'target', 'cold, of a processor', 'just started'],
    [
      [
        what,
        `${rows}`,
        seconds(cold),
        '2 s',
        `${median(warm).toFixed(1)} ms`,
        '50 ms',
        seconds(coldOfProcessor),
        seconds(fromNothing),
      ],
    ],
  )
}

async function newest({ sql }: Installation, workspaceId: string): Promise<Instant> {
  return withWorkspace(sql, workspaceId, tx => loadNewestSeen(tx, workspaceId))
}

function row(series: number, period: number, value: string, tag: 'PRELIMINARY' | 'FINAL') {
  const publishedAt = tag === 'FINAL' ? '2025-01-01T00:00:00.000000Z' : '2024-12-01T00:00:00.000000Z'
  return { series, period, value, tag, flag: null, publishedAt, line: 2 }
}

/**
 * The first is the one that is released; the others are read together with it, and by the agreements it does not
 * affect.
 */
async function fillSeries(installation: Installation, workspaceId: string): Promise<readonly string[]> {
  const series = Array.from({ length: 5 }, (_, i) => ({
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
      const tenths = 1_000 + place * 37 + month * 4 + ((month * (place + 3) * 79) % 19)
      return row(place, firstMonth + month, `${Math.floor(tenths / 10)}.${tenths % 10}`, 'PRELIMINARY')
    }),
  )
  await withStaging(installation.sql, workspaceId, async staging => {
    await staging.add(rows)
    const comparison = await staging.compare(series.map(({ id }) => id))
    return comparison.appendOne(log => createSeries(staging.tx, log, series))
  })
  return series.map(({ id }) => id)
}

async function publishFigures(
  { sql }: Installation,
  workspaceId: string,
  ids: readonly string[],
  rows: readonly ReturnType<typeof row>[],
): Promise<void> {
  await withStaging(sql, workspaceId, async staging => {
    await staging.add(rows)
    return (await staging.compare(ids)).appendOne()
  })
}

function documentOf(i: number, isTouched: boolean): string {
  const [one, two] = isTouched ? [0, 1 + (i % 4)] : [1 + (i % 2), 3 + (i % 2)]
  return `
slug: agreement-${i.toString().padStart(5, '0')}
name: Agreement ${i}
status: ACTIVE
contract: { start: 2015-01-01, end: 2025-12-31, frequency: QUARTERLY, price: { amount: ${10 + (i % 90)}.40, currency: EUR, round: { dp: 4 } } }
inputs:
  one: { series: CUSTOM/bench-${one}, weight: 0.5, base: 2014-12, lag: 2 months }
  two: { series: CUSTOM/bench-${two}, weight: 0.35, base: 2014-12, lag: 2 months }
clause: { fixed: 0.15, rounding: { percent: { dp: 4 } } }
corrections: { when: FINAL }
`
}

async function fillAgreements(
  installation: Installation,
  workspaceId: string,
  library: Library,
  { agreements, touched }: Size,
): Promise<void> {
  for (let from = 0; from < agreements; from += together) {
    const documents = Array.from({ length: together }, (_, i) => documentOf(from + i, from + i < touched))
    const ids = await appending(installation.sql, workspaceId, (tx, log) => insertAgreements(tx, log, documents))
    if (from < touched) await signAll(installation, workspaceId, library, ids)
    // As the database does by itself a little later.
    if (from % analyzeEvery === 0) await installation.owner`analyze`
    process.stdout.write(`\rfilling: ${from + together} of ${agreements} agreements`)
  }
  process.stdout.write('\n')
}

/** All quarters, by both parties, with a kept line in each. As signing does, without asking who they are. */
async function signAll(
  { sql }: Installation,
  workspaceId: string,
  library: Library,
  ids: readonly string[],
): Promise<void> {
  library.changes.enteredMany(workspaceId, 0)
  const request = { asOf: null, knownAt: null, version: null, until: today }
  const signed: { readonly id: string; readonly slug: string; readonly entries: readonly PeriodEntry[] }[] = []
  for (const id of ids) {
    const cached = (await library.agreement(workspaceId, id))!
    const adjustments = (await library.adjustments(workspaceId, cached, request))!
    signed.push({ id, slug: cached.snapshot.slug, entries: adjustments.entries(today) })
  }
  await appending(sql, workspaceId, async (tx, log) => {
    const receipts = signed.flatMap(({ id, entries }) =>
      entries.map(({ period, date, hash, body, carried }) => {
        const place = { period, receiptHash: hash, adjustmentDate: formatDay(date) }
        return { subject: id, facts: { ...place, receipt: JSON.stringify({ hash, body }), carried } }
      }),
    )
    await appendEntries(tx, log, 'receipt', receipts)
    await insertSignatures(tx, log, receipts)
    const lines = signed.flatMap(({ id, slug, entries }) =>
      entries.map(({ date, period }) => lineOf(id, slug, formatDay(date), period)),
    )
    await insertLines(tx, log, lines, 'bench')
  })
}

interface ReceiptPlace {
  readonly subject: string
  readonly facts: { readonly period: string; readonly receiptHash: string; readonly adjustmentDate: string }
}

/** Each period is signed separately, as if somebody signs every quarter. */
async function insertSignatures(tx: Transaction, log: OpenLog, receipts: readonly ReceiptPlace[]): Promise<void> {
  const signatures = receipts.flatMap(({ subject, facts: { period, receiptHash, adjustmentDate } }) =>
    partyNames.map(party => {
      const given = {
        personId: null,
        name: party,
        fromAddress: null,
        means: 'PASSWORD' as const,
        together: [{ period, hash: receiptHash }],
        passkey: null,
        provider: null,
        origin: null,
        batch: null,
      }
      const signedBy = `${party}@bench.test`
      return { agreementId: subject, signOff: { period, receiptHash, adjustmentDate, party, signedBy, given } }
    }),
  )
  const ids = await insertSignings(
    tx,
    log,
    signatures.map(({ signOff }) => signOff.given),
  )
  await insertSignOffs(
    tx,
    log,
    signatures.map((signature, i) => ({ ...signature, signingId: ids[i]! })),
  )
}

function lineOf(agreementId: string, slug: string, date: string, period: string): NewLine {
  const fields = {
    contractRef: null,
    orderDate: null,
    serviceTo: null,
    unit: null,
    amount: null,
    kind: 'INVOICE' as const,
    date,
    serviceFrom: date,
    item: slug,
    quantity: '100',
    unitPrice: '12.40',
    per: '1',
    currency: 'EUR',
  }
  return { supplier: 'bench', number: `${slug} ${period}`, line: '1', agreementId, fields, reverses: null }
}
