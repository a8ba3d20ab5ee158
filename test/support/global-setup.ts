// Before the first test file: a folder for the one PostgreSQL of this run; after the last: its end, by its id. The server
// is started by the first file that asks for a database, so that a run of pure tests waits for nothing.
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { stopPostmaster } from '../../src/storage/embedded-postmaster.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresFolder: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'assize-test-')))
  project.provide('postgresFolder', folder)
  return async () => {
    // A test file that was killed leaves it running.
    await stopPostmaster({
      dataFolder: join(folder, 'database'),
      socketFolder: join(folder, 'socket'),
      logFile: join(folder, 'database.log'),
    })
    await rm(folder, { recursive: true, force: true })
  }
}
