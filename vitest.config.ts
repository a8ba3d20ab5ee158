import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { startBundledThreads } from './test/support/run/bundled-program.ts'
import { isAnyLong } from './test/support/run/long-form.ts'

/** No database, no server, no browser: `npm run test:quick`. */
const pure = [
  'src/!(cli)/**/!(mutation*|shared-*).test.ts',
  'test/{documents,web,worked}/**/!(mutation*|shared-*).test.ts',
  'test/clients/{transport,webhook,wire}.test.ts',
  'test/{config,deployment,tidy}.test.ts',
]

const browser = ['test/browser/**/*.test.ts']

/** Tests with their own process, because they measure its memory. */
const apart = ['test/faults/{served-forms,work}.test.ts', 'test/ingest/fetch.test.ts']

/** Tests that start and stop whole installations. */
const installed = [
  'test/cli/{import-killed,package}.test.ts',
  'test/faults/**/*.test.ts',
  'test/storage/embedded*.test.ts',
]

/** `npm run test:long`: nothing is judged by how long it takes, but by scenarios that say so and run by themselves. */
const long = {
  name: 'long',
  include: ['{src,test}/**/*.{long,test}.ts'],
  isolate: true,
  testTimeout: 0,
  hookTimeout: 0,
  disableConsoleIntercept: true,
}

export default defineConfig({
  plugins: [startBundledThreads],
  test: {
    // Property tests and tests that start a database take their time on a small machine.
    testTimeout: 600_000,
    hookTimeout: 400_000,
    // A condition is waited for, however busy the machine is.
    expect: { poll: { timeout: 120_000 } },
    setupFiles: ['./test/support/run/same-draws.ts'],
    globalSetup: ['./test/support/run/global-setup.ts'],
    reporters: ['default', './test/support/run/closing-line.ts'],
    // Two more than there are cores: some tests wait for most of their time, for a slow client or a browser.
    maxWorkers: availableParallelism() + 2,
    // No module of ours keeps state but the browser of a process and what files share on purpose, so they can share imports.
    isolate: false,
    // Started in the order of their names: the longest come first.
    projects: isAnyLong
      ? [{ extends: true, test: long }]
      : [
          { extends: true, test: { name: 'apart', include: apart, isolate: true } },
          { extends: true, test: { name: 'browser', include: browser } },
          { extends: true, test: { name: 'installed', include: installed, exclude: apart } },
          { extends: true, test: { name: 'pure', include: pure } },
          {
            extends: true,
            test: {
              name: 'served',
              include: ['{src,test}/**/*.test.ts'],
              exclude: [...apart, ...browser, ...installed, ...pure],
            },
          },
        ],
  },
})
