// The same sixty mistakes and thousand right lines through the real storage: twenty agreements whose periods were signed one
// after the other, each with the values that were published by then, their price lists and the unit table of the workspace.
import { beforeAll, describe, expect, test } from 'vitest'
import { applyPriceList } from '../../src/agreements/price-list.ts'
import type { CheckAnswer } from '../../src/core/invoices/check.ts'
import { reasonCodes } from '../../src/core/invoices/hypotheses.ts'
import { type LineTexts, readLine } from '../../src/core/invoices/invoice-line.ts'
import { formatDay, parseDay } from '../../src/core/time/day.ts'
import { Library } from '../../src/read/library.ts'
import { setUnits } from '../../src/storage/agreements/units.ts'
import { RowSeals } from '../../src/storage/log/row-seals.ts'
import {
  type Case,
  cases,
  dateOf,
  list,
  plantAll,
  quarters,
  rightLines,
  tableOf,
} from '../support/agreements/planted-mistakes.ts'
import { readList } from '../support/agreements/priced-agreement.ts'
import { makeTestRing, type Tenant } from '../support/houses/api.ts'
import { openOwnApi, ownHouse } from '../support/houses/house.ts'
import { withSupplier } from '../support/houses/sample.ts'

let tenant: Tenant
let library: Library
const today = parseDay('2025-06-01')!
const mostBytes = 256 * 1024 * 1024
const trust = { seals: new RowSeals(makeTestRing()), report: () => {} }

/** Each agreement has series of its own here. */
const ownSeries = (text: string, { slug }: Case) => text.replaceAll(/CUSTOM\/(steel|fx)/g, `CUSTOM/$1-${slug}`)

/** What was published of all agreements by the day on which each of them was signed. */
function publishedBy(label: string | null): string {
  const rows = cases.flatMap(of => {
    const day = label === null ? '9999-12-31' : formatDay(dateOf[label]! + of.signedAfter)
    const known = of.rows.filter(({ published }) => published <= day)
    return known.map(row => ({ ...row, series: ownSeries(row.series, of) }))
  })
  return tableOf(rows)
}

const api = ownHouse(openOwnApi)
beforeAll(async () => {
  tenant = await api.tenant()
  library = new Library(api.sql, mostBytes, trust)
  await tenant.importUnheard(publishedBy(quarters[0]!))
  for (const of of cases) for (const text of of.documents) await tenant.applyUnheard(withSupplier(ownSeries(text, of)))
  const by = { who: 'eva@editor.test', fromAddress: null }
  for (const { slug } of cases) {
    const request = { workspaceId: tenant.id, agreement: slug, rows: readList(list).rows, from: null, today, by }
    const applied = await applyPriceList(api.sql, new Library(api.sql, mostBytes, trust), request)
    expect(applied).toMatchObject({ outcome: 'created', items: 3 })
  }
  for (const label of quarters.slice(0, -1)) {
    if (label !== quarters[0]) await tenant.importUnheard(publishedBy(label))
    for (const { slug } of cases)
      for (const party of ['buyer', 'supplier'] as const) await tenant.signUnheard(slug, label, party)
  }
  await tenant.importUnheard(publishedBy(null))
  await setUnits(api.sql, tenant.id, [{ unit: 'crate', other: 'piece', factor: '48' }], by.who, async () => {})
})

const check = (lines: readonly LineTexts[]): Promise<CheckAnswer> =>
  library.prices.check(
    tenant.id,
    lines.map((texts, i) => readLine(i + 1, { invoice: '4711', line: `${i + 1}`, ...texts })),
    { knownAt: null, until: today },
  )

describe('sixty planted mistakes in stored agreements', () => {
  // Nobody has agreed a correction here.
  const wanted = reasonCodes.filter(code => code !== 'BEFORE_CORRECTION')
  const all = plantAll(wanted)

  test('are each named first', async () => {
    expect(all).toHaveLength(60)
    expect(new Set(all.map(({ code }) => code))).toEqual(new Set(wanted))
    const { data } = await check(
      all.map(({ of, item, planted }) => ({ agreement: of.slug, item, date: '2024-11-15', ...planted.line })),
    )
    const named = data.map(({ outcome, reason, agreement }) => `${agreement} ${reason?.code ?? outcome}`)
    expect(named).toEqual(all.map(({ of, code }) => `${of.slug} ${code}`))
    expect(
      data.every(({ outcome, status }) => (outcome === 'OVER' || outcome === 'UNDER') && status === 'AGREED'),
    ).toBe(true)
  })
})

describe('a thousand right lines of stored agreements', () => {
  test('raise no alarm', async () => {
    const { data, summary } = await check(rightLines())
    expect(data.filter(({ outcome }) => outcome !== 'OK')).toEqual([])
    expect(summary).toEqual({ lines: 1_000, outcomes: { OK: 1_000 }, over: {}, under: {} })
  })
})
