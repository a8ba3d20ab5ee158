// The order of test files: those that start a browser or whole installations first, because they take longest, and pure ones
// last, to fill what the others leave. All but those that are apart stay in the same processes, which so load and compile
// the sources once.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const turns = [/\/test\/browser\//, /\/test\/(?:faults|cli\/(?:import-killed|package)|storage\/embedded)/]

export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => turnOf(a) - turnOf(b))
  }
}

function turnOf({ project, moduleId }: TestSpecification): number {
  if (project.name === 'apart') return -1
  if (project.name === 'pure') return turns.length + 1
  const turn = turns.findIndex(each => each.test(moduleId))
  return turn < 0 ? turns.length : turn
}
