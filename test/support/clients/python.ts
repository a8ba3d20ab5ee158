// Python on this machine: the one of the path, and 3.9, the oldest that is promised, where it can be run. Programs are run beside the
// test, because the server that they ask may be in this process.
import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const canRun = (name: string) => spawnSync(name, ['-c', 'pass']).status === 0

/** Those that can be run. */
export const pythons = ['python3', 'python3.9'].filter(canRun)
if (pythons.length === 0) process.stdout.write('there is no python3 here: the Python client is not tested\n')

export const pythonFolder = fileURLToPath(new URL('../../../clients/python', import.meta.url))

interface PythonRun {
  readonly python?: string
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** What it prints. Nothing is written beside the sources. */
export async function runPython(words: readonly string[], { python = 'python3', cwd, env = {} }: PythonRun = {}) {
  const { stdout } = await promisify(execFile)(python, ['-B', ...words], {
    cwd: cwd ?? pythonFolder,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PYTHONPATH: pythonFolder,
      PYTHONIOENCODING: 'utf-8',
      ...env,
    },
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout
}
