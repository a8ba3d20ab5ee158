// F18, publishing: one workspace imports very many new series in one file while a quiet one saves formulas, imports a few
// figures, and asks for answers up to this very moment. None of what the quiet one does is refused or takes more than a second.
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { TableRow, TableSource } from '../../src/import/source.ts'
import { importTable } from '../../src/import/table.ts'
import { openApplication, publicScope } from '../../src/storage/database.ts'
import type { Api, Ground, Tenant } from '../support/api.ts'
import { makeSeries, publishRows } from '../support/workspace.ts'
import { Chance } from './chance.ts'

export interface NeighbourReport {
  readonly failures: readonly string[]
  /** What the quiet workspace did meanwhile, and how long the slowest of it took. */
  readonly deeds: number
  readonly slowestMs: number
  readonly importMs: number
}

const boundMs = 1_000

/** So many new series with one value each. */
function manySeries(count: number): TableSource {
  return async function* () {
    let rows: TableRow[] = [{ line: 1, cells: ['series', 'period', 'value'] }]
    for (let i = 0; i < count; i++) {
      rows.push({ line: i + 2, cells: [`CUSTOM/noise-${i}`, '2024-01', `${i}.5`] })
      if (rows.length < 1_000) continue
      yield rows
      rows = []
      // As a file does that is read from a disk.
      await nextTurn()
    }
    if (rows.length > 0) yield rows
  }
}

export async function importBeside(
  api: Api,
  { target }: Pick<Ground, 'target'>,
  count: number,
  seed: number,
): Promise<NeighbourReport> {
  const [noisy, quiet] = [await api.tenant(), await api.tenant()]
  await quiet.importValues('CUSTOM/calm', { '2023-12': '100' })
  const shared = await makeSeries(api.sql, publicScope, `shared ${quiet.id}`)
  const trial = new QuietTenant(quiet, shared, new Chance(seed))
  const noise = openApplication(target, { connections: 1 })
  const begunMs = performance.now()
  try {
    const importing = importTable(noise, noisy.id, manySeries(count), { dryRun: false, onProgress: () => {} })
    const ended = importing.then(
      () => trial.stop(),
      error => {
        trial.stop()
        throw error
      },
    )
    await Promise.all([ended, trial.run()])
  } finally {
    await noise.end({ timeout: 5 })
  }
  const importMs = performance.now() - begunMs
  const seen = await noisy.json<{ pagination: { hasMore: boolean } }>('/series?limit=1')
  const failures = seen.pagination.hasMore ? trial.failures : [...trial.failures, 'the import is not seen']
  return { failures, deeds: trial.deeds, slowestMs: trial.slowestMs, importMs }
}

class QuietTenant {
  readonly failures: string[] = []
  deeds = 0
  slowestMs = 0
  readonly #tenant: Tenant
  readonly #shared: string
  readonly #chance: Chance
  #isStopped = false

  constructor(tenant: Tenant, shared: string, chance: Chance) {
    this.#tenant = tenant
    this.#shared = shared
    this.#chance = chance
  }

  stop(): void {
    this.#isStopped = true
  }

  async run(): Promise<void> {
    for (let round = 0; !this.#isStopped; round++) {
      const [what, deed] = this.#chance.pick(this.#deeds(round))
      const begunMs = performance.now()
      await deed().catch(error => this.failures.push(`${what}: ${error.message}`))
      const ms = performance.now() - begunMs
      this.deeds++
      this.slowestMs = Math.max(this.slowestMs, ms)
      if (ms > boundMs) this.failures.push(`${what} took ${Math.round(ms)} ms`)
      await sleep(this.#chance.int(5, 50))
    }
  }

  #deeds(round: number): readonly (readonly [string, () => Promise<unknown>])[] {
    const tenant = this.#tenant
    const now = new Date().toISOString()
    return [
      ['a save', () => tenant.applyUnheard(documentOf(round))],
      ['an import', () => tenant.importUnheard(`series,period,value\nCUSTOM/calm,2024-01,${100 + round}.5\n`)],
      [
        'a public figure',
        () => publishRows(tenant.api.sql, publicScope, this.#shared, [{ period: 1, value: `${round}.5` }]),
      ],
      ['a read up to now', async () => tenant.json(`/series/${await this.#calm()}/values?knownAt=${now}`)],
      ['a list', () => tenant.json('/series')],
    ]
  }

  async #calm(): Promise<string> {
    return this.#tenant.seriesId('CUSTOM/calm')
  }
}

function documentOf(round: number): string {
  return `
slug: calm
name: Calm ${round}
contract: { start: 2024-01-01, frequency: ANNUAL }
inputs: { index: { series: CUSTOM/calm, weight: 1, base: { value: ${100 + round} } } }
clause: {}`
}
