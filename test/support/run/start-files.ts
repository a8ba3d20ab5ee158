// The files that processes and threads of the tests begin with: those of the bundle that a run of the tests makes, or the
// sources themselves, as under `npm run bench`.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Set by global-setup.ts. */
export const runFolderVariable = 'TEST_RUN_FOLDER'

/** By their names in the bundle. */
export const threadStarts = {
  worker: 'src/worker.ts',
  timetable: 'src/cli/installation/timetable-inside.ts',
  verification: 'src/cli/verify/verify-chain-inside.ts',
  'noisy-import': 'test/faults/noisy-import-inside.ts',
} as const

export const processStarts = {
  assize: 'src/cli/assize.ts',
  killable: 'test/support/clients/command-process.ts',
  'stand-in': 'test/stand-in/child.ts',
  'embedded-user': 'test/support/run/embedded-user.ts',
  migrator: 'test/support/run/migrator.ts',
  archives: 'test/faults/make-archives.ts',
} as const

export const starts = { ...threadStarts, ...processStarts }

export const bundleName = 'program'

/** Of this run; null outside of one. */
export function bundleFolder(): string | null {
  const run = process.env[runFolderVariable]
  return run === undefined ? null : join(run, bundleName)
}

export function startFile(name: keyof typeof starts): string {
  const folder = bundleFolder()
  return folder === null
    ? fileURLToPath(new URL(`../../../${starts[name]}`, import.meta.url))
    : join(folder, `${name}.js`)
}
