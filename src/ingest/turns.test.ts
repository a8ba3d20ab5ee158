import { describe, expect, test } from 'vitest'
import { Turns } from './turns.ts'

describe('turns', () => {
  test('are given to a fixed number at a time, then in order', async () => {
    const turns = new Turns(2)
    const [first, second] = [await turns.take(), await turns.take()]
    const order: string[] = []
    const waiting = ['third', 'fourth'].map(async name => {
      const give = await turns.take()
      order.push(name)
      return give
    })
    await Promise.resolve()
    expect(order).toEqual([])
    second()
    // Giving the same turn back twice frees only one turn.
    second()
    const third = await waiting[0]!
    expect(order).toEqual(['third'])
    first()
    await waiting[1]
    expect(order).toEqual(['third', 'fourth'])
    third()
  })

  test('skip a waiter that gave up and go to the next in line', async () => {
    const turns = new Turns(1)
    const first = await turns.take()
    const gaveUp = new AbortController()
    const second = turns.take(gaveUp.signal)
    const third = turns.take()
    gaveUp.abort(new Error('too late'))
    await expect(second).rejects.toThrow('too late')
    first()
    ;(await third)()
    await expect(turns.take(gaveUp.signal)).rejects.toThrow('too late')
    ;(await turns.take())()
  })
})
