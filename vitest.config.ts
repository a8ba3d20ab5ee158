import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Property tests and tests that start a database take their time on a small machine.
    testTimeout: 240_000,
    hookTimeout: 120_000,
    setupFiles: ['./test/support/same-draws.ts'],
    globalSetup: ['./test/support/global-setup.ts'],
    reporters: ['default', './test/support/closing-line.ts'],
  },
})
