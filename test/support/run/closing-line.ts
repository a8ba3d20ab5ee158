// A reporter that ends a run with the one line other tools read: "N passed, N failed". If files run a second time, their
// second result counts and they are named.
import type { Reporter, TestModule } from 'vitest/node'

interface FileResult {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

function countTests(module: TestModule): FileResult {
  const tests = [...module.children.allTests()].map(test => test.result().state)
  const passed = tests.filter(state => state === 'passed').length
  const failed = tests.filter(state => state === 'failed').length
  // A file that failed outside its tests must still count.
  const isOtherwiseFailed = failed === 0 && !module.ok()
  return { passed, failed: isOtherwiseFailed ? 1 : failed, skipped: tests.length - passed - failed }
}

export default class ClosingLine implements Reporter {
  readonly #results = new Map<string, FileResult>()

  onTestRunEnd(modules: readonly TestModule[]) {
    for (const module of modules) {
      const { relativeModuleId: name, project } = module
      const id = `${project.name} ${name}`
      if (this.#results.has(id) && module.ok()) process.stdout.write(`\npassed at the second try: ${name}\n`)
      this.#results.set(id, countTests(module))
    }
    const results = [...this.#results.values()]
    const sum = (field: keyof FileResult) => results.reduce((total, result) => total + result[field], 0)
    if (sum('skipped') > 0) process.stdout.write(`\n${sum('skipped')} skipped: what they need is not at hand\n`)
    process.stdout.write(`\n${sum('passed')} passed, ${sum('failed')} failed\n`)
  }
}
