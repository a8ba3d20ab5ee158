import { describe, expect, test } from 'vitest'
import { FairQueue, type Owner, type QueueBounds } from './fair-queue.ts'

const bounds: QueueBounds = { waiting: 12, waitingPerWorkspace: 6, waitingPerPerson: 4, halfLifeMs: 1_000 }
const job = (workspace: string, person = 'ann', name = '') => ({ owner: { workspace, person } satisfies Owner, name })
type Named = ReturnType<typeof job>

function open(jobs: readonly Named[] = [], given: Partial<QueueBounds> = {}) {
  const queue = new FairQueue<Named>({ ...bounds, ...given })
  for (const each of jobs) queue.add(each)
  return queue
}

/** Names of the next turns, each lasting so long. */
function turns(queue: FairQueue<Named>, lastingMs: (job: Named) => number): string[] {
  const order: string[] = []
  for (let nowMs = 0; queue.size > 0; ) {
    const [next] = queue.inOrder(new Map(), nowMs)
    queue.take(next!)
    nowMs += lastingMs(next!)
    queue.charge(next!, lastingMs(next!), nowMs)
    order.push(`${next!.owner.workspace} ${next!.owner.person}`)
  }
  return order
}

describe('the next turn', () => {
  test('is of the workspace that used the least, however many jobs others have waiting', () => {
    const queue = open([...'aaab'].map(name => job(name)))
    queue.charge(job('a'), 500, 0)
    expect([...queue.inOrder(new Map(), 0)].map(({ owner }) => owner.workspace)).toEqual(['b', 'a', 'a', 'a'])
  })

  test('counts what is at work now', () => {
    const queue = open([job('a'), job('b')])
    const [first] = queue.inOrder(new Map([[job('a'), 10]]), 0)
    expect(first!.owner.workspace).toBe('b')
  })

  test('alternates by time, not by number: who sends long work has fewer turns', () => {
    const queue = open([...'ababab'].map(name => job(name, 'ann')))
    const order = turns(queue, ({ owner }) => (owner.workspace === 'a' ? 1_000 : 10))
    expect(order.map(each => each[0]).join('')).toBe('abbbaa')
  })

  test('is, in a workspace, of the person who used the least', () => {
    const queue = open([job('a', 'ann'), job('a', 'ann'), job('a', 'ann'), job('a', 'bob')])
    expect(turns(queue, () => 10)).toEqual(['a ann', 'a bob', 'a ann', 'a ann'])
  })

  test('forgets with time what was used', () => {
    const queue = open([job('a'), job('b')])
    queue.charge(job('a'), 1_000, 0)
    queue.charge(job('b'), 100, 10_000)
    const [first] = queue.inOrder(new Map(), 10_000)
    expect(first!.owner.workspace).toBe('a')
  })
})

describe('the queue', () => {
  test('takes of a person and of a workspace no more than their bounds', () => {
    const queue = open()
    expect([1, 2, 3, 4, 5].map(() => queue.add(job('a')))).toEqual([true, true, true, true, false])
    expect([1, 2, 3].map(() => queue.add(job('a', 'bob')))).toEqual([true, true, false])
  })

  test('always has a place for a newcomer: nobody has more in it than are free', () => {
    const queue = open([], { waitingPerWorkspace: 100, waitingPerPerson: 100 })
    const counts = ['a', 'b', 'c'].map(workspace => {
      let count = 0
      while (queue.add(job(workspace))) count++
      return count
    })
    expect(counts).toEqual([6, 3, 2])
    expect(queue.add(job('newcomer'))).toBe(true)
  })

  test('takes back, first of its person, what was begun', () => {
    const queue = open([job('a', 'ann', 'second')], { waiting: 1 })
    const first = job('a', 'ann', 'first')
    expect(queue.add(first, true)).toBe(true)
    expect([...queue.inOrder(new Map(), 0)].map(({ name }) => name)).toEqual(['first', 'second'])
  })
})
