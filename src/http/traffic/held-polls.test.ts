import { expect, test } from 'vitest'
import { HeldPolls } from './held-polls.ts'

test('always has a place for another workspace, however many keys of one ask for all of them', () => {
  const polls = new HeldPolls({ perKey: 2, most: 12, isSeen: () => true, isHearing: () => true, deafMs: 0 })
  const takeAll = (workspace: string) => {
    for (let count = 0; ; count++) if (polls.open(workspace, `${workspace} ${count}`) === null) return count
  }
  expect(['a', 'b', 'c'].map(takeAll)).toEqual([6, 3, 2])
  expect(polls.open('quiet', 'key')).not.toBeNull()
})
