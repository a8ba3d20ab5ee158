// Runs the whole suite, or the files named. A file of browser stories or measurements that failed runs once more when
// everything else is done, on an installation of its own: what was slow on a busy machine gets a second try, and the
// closing lines name it. A single test is not tried again by itself: it would find what its first try left behind.
import { createVitest, type TestModule } from 'vitest/node'

const slowProjects = new Set(['browser', 'measuring'])

const vitest = await createVitest({ watch: false })
try {
  const { testModules } = await vitest.start(process.argv.slice(2))
  const again = testModules.filter(mayTryAgain)
  const others = testModules.filter(module => !module.ok() && !mayTryAgain(module))
  if (again.length > 0 && others.length === 0) {
    const errorsBefore = vitest.state.getUnhandledErrors().length
    const specifications = again.map(({ project, moduleId }) => project.createSpecification(moduleId))
    const second = await vitest.runTestSpecifications(specifications)
    const isWell =
      errorsBefore === 0 && second.unhandledErrors.length === 0 && second.testModules.every(each => each.ok())
    if (isWell) process.exitCode = 0
  }
} finally {
  await vitest.exit()
}

function mayTryAgain(module: TestModule): boolean {
  return slowProjects.has(module.project.name) && !module.ok()
}
