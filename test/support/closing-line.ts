// A reporter that ends the run with the one line other tools read: "N passed, N failed".
import type { Reporter, TestModule } from 'vitest/node'

function countTests(modules: readonly TestModule[]) {
  let passed = 0
  let failed = 0
  let skipped = 0
  for (const module of modules) {
    const before = passed + failed + skipped
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      if (state === 'passed') passed++
      else if (state === 'failed') failed++
      else skipped++
    }
    // A file that failed to load has no tests of its own and must still count.
    if (module.state() === 'failed' && passed + failed + skipped === before) failed++
  }
  return { passed, failed, skipped }
}

/** What passed, though not at once: somebody should look at it. */
function needingRetries(modules: readonly TestModule[]): string[] {
  return modules.flatMap(module =>
    [...module.children.allTests('passed')]
      .filter(test => (test.diagnostic()?.retryCount ?? 0) > 0)
      .map(test => `${module.relativeModuleId}: ${test.fullName}`),
  )
}

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]) {
    const { passed, failed, skipped } = countTests(modules)
    for (const name of needingRetries(modules)) process.stdout.write(`\npassed at the second try: ${name}\n`)
    if (skipped > 0) process.stdout.write(`\n${skipped} skipped: what they need is not at hand\n`)
    process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
  }
}
