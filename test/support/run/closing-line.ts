// A reporter that ends a run with the one line other tools read: "N passed, N failed".
import type { Reporter, TestModule } from 'vitest/node'
import { isAnyLong } from './long-form.ts'

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]) {
    const states = modules.flatMap(module => [...module.children.allTests()].map(test => test.result().state))
    const count = (wanted: string) => states.filter(state => state === wanted).length
    // A file that failed outside its tests must still count.
    const otherwise = modules.filter(
      module => !module.ok() && ![...module.children.allTests()].some(test => test.result().state === 'failed'),
    ).length
    const [passed, failed] = [count('passed'), count('failed')]
    const skipped = states.length - passed - failed
    // A long form runs some tests of a file.
    if (skipped > 0 && !isAnyLong) process.stdout.write(`\n${skipped} skipped: what they need is not here\n`)
    // Every test of a long form may have been left out by its name.
    if (isAnyLong && passed === 0) process.exitCode = 1
    process.stdout.write(`\n${passed} passed, ${failed + otherwise} failed\n`)
  }
}
