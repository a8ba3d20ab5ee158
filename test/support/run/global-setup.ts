// Before the first test file: a folder for everything that the run writes, and in it the one PostgreSQL of the run;
// after the last test file the server is ended by its id, and nothing is left. The server is started by the first file
// that needs a database, so that a run of pure tests waits for nothing, and runs until the end.
import { readFileSync, rmSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, realpath, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { usersName } from '../../../src/storage/embedded/embedded.ts'
import { FileLock } from '../../../src/storage/embedded/file-lock.ts'
import { stopPostmaster } from '../../../src/storage/embedded/postmaster.ts'
import { bundleProgram } from './bundled-program.ts'
import { runFolderVariable } from './start-files.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresFolder: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await realpath(await mkdtemp(join((await memoryFolder()) ?? tmpdir(), 'assize-test-')))
  // A PostgreSQL of another account can pass through, and read nothing.
  await chmod(folder, 0o711)
  process.env.TMPDIR = folder
  process.env[runFolderVariable] = folder
  // Threads of the server reuse what others have compiled before them.
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled')
  const postgresFolder = join(folder, 'postgres')
  await mkdir(postgresFolder, { mode: 0o700 })
  const lease = await FileLock.wait(join(postgresFolder, usersName), 'shared', 1_000)
  project.provide('postgresFolder', postgresFolder)
  if (project.vitest.projects.some(({ name }) => name !== 'pure')) await bundleProgram()
  return async () => {
    lease.release()
    await stopPostmaster({
      dataFolder: join(postgresFolder, 'database'),
      socketFolder: join(postgresFolder, 'socket'),
      logFile: join(postgresFolder, 'database.log'),
    })
    // Test processes end after this and may still write compiled code.
    process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  }
}

const memory = '/dev/shm'
const leastBytes = 8 * 1024 ** 3

/**
 * Where Linux keeps files in memory, if there is plenty of it: databases there are as safe as tests need, and commits do not
 * wait for a disk.
 */
async function memoryFolder(): Promise<string | null> {
  if (process.platform !== 'linux' || process.availableMemory() < leastBytes) return null
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map(line => line.split(' '))
      .find(([, place]) => place === memory)
    const { bavail, bsize } = await statfs(memory)
    const runsPrograms = mount !== undefined && !mount[3]!.split(',').includes('noexec')
    return runsPrograms && bavail * bsize >= leastBytes ? memory : null
  } catch {
    return null
  }
}
