// The Python client as a walker of rough roads and a keeper of copies, beside the TypeScript one: a process that is told what to
// do, a line at a time.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import type { Copy } from '../../../clients/typescript/src/sync.ts'
import { pythonFolder } from './python.ts'

interface Found {
  readonly listed: readonly string[]
  readonly found: readonly string[]
  readonly values: readonly string[]
}

export class PythonClient {
  readonly #process: ChildProcess
  readonly #lines: Interface
  readonly #isHasty: boolean

  /** In haste, nothing waits: the clock says that the time has passed. */
  constructor({ isHasty = true }: { readonly isHasty?: boolean } = {}) {
    this.#isHasty = isHasty
    this.#process = spawn('python3', ['-B', join(pythonFolder, 'tests', 'driver.py')], {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, PYTHONPATH: pythonFolder, PYTHONIOENCODING: 'utf-8' },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    this.#lines = createInterface({ input: this.#process.stdout! })
  }

  readonly walk = (url: string, key: string, series: string): Promise<Found> =>
    this.#tell({ what: 'walk', url, key, series, limit: 20 })

  readonly keep = (url: string, key: string) => ({
    sync: (before: Copy | null): Promise<Copy> => this.#tell({ what: 'sync', url, key, before }),
  })

  async #tell<T>(told: object): Promise<T> {
    this.#process.stdin!.write(`${JSON.stringify({ ...told, isHasty: this.#isHasty })}\n`)
    const [line] = (await once(this.#lines, 'line')) as [string]
    const answer = JSON.parse(line) as { readonly done?: T; readonly failed?: string }
    if (answer.done === undefined) throw new Error(`the Python client failed: ${answer.failed}`)
    return answer.done
  }

  async close(): Promise<void> {
    this.#process.stdin!.end()
    if (this.#process.exitCode === null) await once(this.#process, 'exit')
  }
}
