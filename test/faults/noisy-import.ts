// F18, publishing: one workspace imports very many new series in one file while a quiet one saves formulas, imports a few
// figures, and requests answers up to the present moment. Nothing the quiet one does is refused or, in the long
// form, takes more than a second.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { type DatabaseTarget, publicScope } from '../../src/storage/postgres/database.ts'
import type { Api, Ground, Tenant } from '../support/houses/api.ts'
import { makeSeries, publishRows } from '../support/houses/workspace.ts'
import type { LongRun } from '../support/run/long-form.ts'
import { Chance } from './chance.ts'
import type { NoisyImport } from './noisy-import-inside.ts'

export interface NeighbourReport {
  readonly failures: readonly string[]
  /** What the quiet workspace did in that time, and how long the slowest action took. */
  readonly actions: number
  readonly slowestMs: number
  readonly importMs: number
}

const boundMs = 1_000

/** In a thread of its own, as another process would. */
async function importMany(target: DatabaseTarget, workspaceId: string, count: number): Promise<void> {
  const inside = new URL('./noisy-import-inside.ts', import.meta.url)
  const worker = new Worker(inside, { workerData: { target, workspaceId, count } satisfies NoisyImport })
  const [status] = (await once(worker, 'exit')) as [number]
  if (status !== 0) throw new Error(`the import ended with status ${status}`)
}

export async function importBeside(
  api: Api,
  { target }: Pick<Ground, 'target'>,
  { rounds: count, seed, isTimed = false }: Omit<LongRun, 'say'>,
): Promise<NeighbourReport> {
  const [noisy, quiet] = [await api.tenant(), await api.tenant()]
  await quiet.importValues('CUSTOM/calm', { '2023-12': '100' })
  const shared = await makeSeries(api.sql, publicScope, `shared ${quiet.id}`)
  const trial = new QuietTenant(quiet, shared, new Chance(seed), isTimed ? boundMs : Number.POSITIVE_INFINITY)
  const begunMs = performance.now()
  await Promise.all([importMany(target, noisy.id, count).finally(() => trial.stop()), trial.run()])
  const importMs = performance.now() - begunMs
  const seen = await noisy.json<{ pagination: { hasMore: boolean } }>('/series?limit=1')
  const failures = seen.pagination.hasMore ? trial.failures : [...trial.failures, 'the import is not seen']
  return { failures, actions: trial.actions, slowestMs: trial.slowestMs, importMs }
}

class QuietTenant {
  readonly failures: string[] = []
  actions = 0
  slowestMs = 0
  readonly #tenant: Tenant
  readonly #shared: string
  readonly #chance: Chance
  readonly #mostMs: number
  #isStopped = false

  constructor(tenant: Tenant, shared: string, chance: Chance, mostMs: number) {
    this.#tenant = tenant
    this.#shared = shared
    this.#chance = chance
    this.#mostMs = mostMs
  }

  stop(): void {
    this.#isStopped = true
  }

  async run(): Promise<void> {
    for (let round = 0; !this.#isStopped; round++) {
      const [what, action] = this.#chance.pick(this.#actions(round))
      const begunMs = performance.now()
      await action().catch(error => this.failures.push(`${what}: ${error.message}`))
      const ms = performance.now() - begunMs
      this.actions++
      this.slowestMs = Math.max(this.slowestMs, ms)
      if (ms > this.#mostMs) this.failures.push(`${what} took ${Math.round(ms)} ms`)
      await sleep(this.#chance.int(5, 50))
    }
  }

  #actions(round: number): readonly (readonly [string, () => Promise<unknown>])[] {
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
