import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Shares } from './shares.ts'

/** Work that lasts until it is told to end, and the order in which it began. */
function open(each: number, all: number) {
  const shares = new Shares({ each, all })
  const begun: string[] = []
  const ends: (() => void)[] = []
  const ask = (workspace: string) =>
    shares.run(workspace, () => {
      begun.push(workspace)
      const { promise, resolve } = Promise.withResolvers<void>()
      ends.push(resolve)
      return promise
    })
  return { begun, ask, endOne: () => ends.shift()!() }
}

test('a workspace uses no more than its share, and another one finds a connection beside it', async () => {
  const { begun, ask } = open(2, 3)
  for (const workspace of ['greedy', 'greedy', 'greedy', 'greedy', 'quiet']) void ask(workspace)
  await turn()
  expect(begun).toEqual(['greedy', 'greedy', 'quiet'])
})

test('leaves one for a newcomer however many are busy, and the next goes to the workspace that uses the fewest', async () => {
  const { begun, ask, endOne } = open(2, 4)
  for (const workspace of ['a', 'b', 'a', 'b', 'a', 'b', 'a', 'b', 'quiet', 'quiet']) void ask(workspace)
  await turn()
  expect(begun).toEqual(['a', 'b', 'a', 'quiet'])
  endOne()
  await turn()
  endOne()
  await turn()
  // One connection of a and one of b have ended: b uses none now, a one.
  expect(begun.slice(4)).toEqual(['b'])
})
