// Starts and controls a stand-in in a separate process, so that neither its memory nor its work is counted for the client.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { type ProviderName, providerNames } from '../../src/core/series/series.ts'
import type { Frequency } from '../../src/core/time/period.ts'
import { startFile } from '../support/run/start-files.ts'
import type { Misbehaviour } from './misbehaviour.ts'

export interface IllustratedSeries {
  readonly provider: ProviderName
  readonly codes: readonly string[]
  readonly frequency: Frequency
  readonly unit: string
  /** The usual first period of its frequency unless given. */
  readonly firstDay?: string
}

export interface StandInChildOptions {
  readonly at?: string
  readonly slowMs?: number
  /** Replaces the built-in series. */
  readonly many?: readonly IllustratedSeries[]
}

const program = startFile('stand-in')

export class StandInProcess {
  readonly environment: Readonly<Record<string, string>>
  readonly #url: string
  readonly #end: () => Promise<void>

  private constructor(
    { url, environment }: { url: string; environment: Readonly<Record<string, string>> },
    end: () => Promise<void>,
  ) {
    this.#url = url
    this.environment = environment
    this.#end = end
  }

  static async start(options: StandInChildOptions): Promise<StandInProcess> {
    const child = spawn(process.execPath, [program, JSON.stringify(options)], { stdio: ['pipe', 'pipe', 'inherit'] })
    const exit = once(child, 'exit')
    const [line] = (await Promise.race([
      once(createInterface({ input: child.stdout! }), 'line'),
      exit.then(() => Promise.reject(new Error('the stand-in ended before it listened'))),
    ])) as [string]
    return new StandInProcess(JSON.parse(line), async () => {
      child.stdin!.end()
      await exit
    })
  }

  bases(): ReadonlyMap<ProviderName, string> {
    return new Map(providerNames.map(name => [name, this.environment[`ASSIZE_PROVIDER_BASE_${name}`]!]))
  }

  async misbehave(provider: ProviderName, kind: Misbehaviour): Promise<void> {
    await this.#tell('misbehave', { provider, kind })
  }

  async behave(): Promise<void> {
    await this.#tell('behave', {})
  }

  /** How many callers followed a redirect to another host. */
  async trapped(): Promise<number> {
    const response = await fetch(`${this.#url}/stand-in`)
    return ((await response.json()) as { trapped: number }).trapped
  }

  async #tell(act: string, fields: object): Promise<void> {
    const response = await fetch(`${this.#url}/stand-in/${act}`, { method: 'POST', body: JSON.stringify(fields) })
    if (!response.ok) throw new Error(`${act}: ${response.status} ${await response.text()}`)
  }

  stop(): Promise<void> {
    return this.#end()
  }
}
