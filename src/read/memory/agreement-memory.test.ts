import { describe, expect, test } from 'vitest'
import { publicScope } from '../../storage/postgres/database.ts'
import { PamMemory } from './agreement-memory.ts'

interface Kept {
  readonly workspaceId: string
  readonly words: string
}

const of = (workspaceId: string, words: string): Kept => ({ workspaceId, words })

/** Keeps one thing for each agreement. */
function filled(): PamMemory<Kept> {
  const memory = new PamMemory<Kept>(100_000)
  using work = memory.beginWork(['one', 'two', 'other'])
  work.keep('one', of('a', 'first'), 10)
  work.keep('two', of('a', 'second'), 10)
  work.keep('other', of('b', 'third'), 10)
  return memory
}

describe('what is remembered of agreements', () => {
  test('is there until the agreement is forgotten', () => {
    const memory = filled()
    memory.forget('one')
    expect(['one', 'two', 'other'].map(id => memory.get(id)?.words)).toEqual([undefined, 'second', 'third'])
  })

  test('goes with its workspace, and all of it with the public series', () => {
    const memory = filled()
    memory.forgetScope('a')
    expect(['one', 'two', 'other'].map(id => memory.get(id)?.words)).toEqual([undefined, undefined, 'third'])
    memory.forgetScope(publicScope)
    expect(memory.get('other')).toBeUndefined()
  })

  test('is not kept if it was forgotten while it was computed', () => {
    const memory = new PamMemory<Kept>(100_000)
    using work = memory.beginWork(['one', 'two'])
    memory.forget('one')
    expect(memory.isUnderWay('one')).toBe(false)
    work.keep('one', of('a', 'old'), 10)
    work.keep('two', of('a', 'second'), 10)
    expect([memory.get('one'), memory.get('two')?.words]).toEqual([undefined, 'second'])
  })

  test('is kept from the computation that began last', () => {
    const memory = new PamMemory<Kept>(100_000)
    const early = memory.beginWork(['one'])
    memory.forget('one')
    using late = memory.beginWork(['one'])
    early.keep('one', of('a', 'old'), 10)
    early[Symbol.dispose]()
    expect(memory.isUnderWay('one')).toBe(true)
    late.keep('one', of('a', 'new'), 10)
    expect(memory.get('one')?.words).toBe('new')
  })

  test('is no longer under way when the computation is over, however it ended', () => {
    const memory = new PamMemory<Kept>(100_000)
    expect(() => {
      using _work = memory.beginWork(['one'])
      throw new Error('halfway')
    }).toThrow('halfway')
    expect(memory.isUnderWay('one')).toBe(false)
  })
})
