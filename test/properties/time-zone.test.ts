// The same files give the same bytes wherever the machine stands: dates are calendar days, never local times.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeDocument } from '../oracle/document.ts'
import { Draw } from '../oracle/draw.ts'
import { drawClauseScenario } from '../oracle/draw-clause.ts'
import { drawReadingScenario } from '../oracle/draw-readings.ts'
import type { Scenario } from '../oracle/oracle.ts'
import { program } from '../support/clients/command-output.ts'

const zones = ['UTC', 'America/New_York', 'Europe/Berlin', 'Pacific/Kiritimati']
const run = promisify(execFile)

/** Month ends, leap days, days on which clocks are set forward, and publications shortly before midnight. */
const written: Scenario = {
  document: {
    contract: {
      start: '2024-01-31',
      end: '2024-11-30',
      frequency: 'MONTHLY',
      price: { amount: '12.40', currency: 'EUR' },
    },
    inputs: {
      daily: { series: 'CUSTOM/daily', weight: '0.5', base: '2024-01', lag: '1 month', window: '1 month' },
      index: { series: 'CUSTOM/index', weight: '0.3', base: '2024-01-31', lag: '2 months', interpolate: 'DAILY' },
      weekly: { series: 'CUSTOM/weekly', weight: '0.2', base: '2024-W01', lag: '10 days', pick: 'LATEST_PUBLISHED' },
    },
    clause: { rounding: { percent: { dp: 3 } } },
  },
  data: {
    'CUSTOM/daily': Array.from({ length: 340 }, (_, i) => ({
      period: new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10),
      value: String(100 + (i % 37)),
    })),
    'CUSTOM/index': Array.from({ length: 16 }, (_, i) => ({
      period: new Date(Date.UTC(2023, 8 + i, 1)).toISOString().slice(0, 7),
      value: String(200 + i * i),
    })),
    'CUSTOM/weekly': Array.from({ length: 48 }, (_, i) => ({
      period: `2024-W${String(i + 1).padStart(2, '0')}`,
      value: String(50 + (i % 5)),
      published: `${new Date(Date.UTC(2024, 0, 7 + 7 * i)).toISOString().slice(0, 10)}T23:59:59Z`,
    })),
  },
  asOf: null,
  until: '9999-12-31',
}

function drawn(): Scenario[] {
  const clauses = fc.gen().map(generate => drawClauseScenario(new Draw(generate), { gaps: true }))
  const readings = fc.gen().map(generate => drawReadingScenario(new Draw(generate)))
  return [...fc.sample(clauses, { numRuns: 1, seed: 20_240_331 }), ...fc.sample(readings, { numRuns: 1, seed: 7 })]
}

function writeTable({ data }: Scenario): string {
  const lines = Object.entries(data).flatMap(([series, rows]) =>
    rows.map(({ period, value, version = '', published = '' }) => [series, period, value, version, published].join()),
  )
  return `series,period,value,version,published\n${lines.join('\n')}\n`
}

describe('the time zone', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'assize-zones-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  test('changes no byte of an evaluation', async () => {
    for (const [i, scenario] of [written, ...drawn()].entries()) {
      const [document, table] = [join(folder, `${i}.json`), join(folder, `${i}.csv`)]
      writeFileSync(document, writeDocument(scenario.document))
      writeFileSync(table, writeTable(scenario))
      const cut = i === 0 ? ['--as-of', '2024-10-31'] : []
      const asked = [program, 'evaluate', document, '--data', table, '--json', ...cut]
      const outputs = await Promise.all(
        zones.map(zone => run(process.execPath, asked, { env: { ...process.env, TZ: zone } })),
      )
      const first = outputs[0]!
      for (const { stdout } of outputs) expect(stdout).toBe(first.stdout)
      const { adjustments } = JSON.parse(first.stdout) as { adjustments: unknown[] }
      if (i === 0) expect(adjustments).toHaveLength(9)
    }
  })
})
