import { describe, expect, test } from 'vitest'
import { AnswerBook, Cached } from './answer-book.ts'
import { BoundedCache } from './shelf.ts'

class Thing extends Cached {
  readonly scope = 'a workspace'
  readonly #bytes: number

  constructor(bytes: number) {
    super()
    this.#bytes = bytes
  }

  get size(): number {
    return this.#bytes + this.answersSize
  }
}

const noon = () => '2026-03-01T12:00:00.000000Z'

function keep(book: AnswerBook, from: Thing, address: string, day: string | null = null, most = 12): void {
  book.keep(from, { address, answer: `answer to ${address}`, size: 100, day }, most)
}

describe('kept answers', () => {
  test('are found by their address until what they were made from is dropped', () => {
    const shelf = new BoundedCache<Thing>(100_000)
    const book = new AnswerBook()
    const [a, b] = [new Thing(1_000), new Thing(1_000)]
    shelf.set('a', a)
    shelf.set('b', b)
    keep(book, a, '/a?x')
    keep(book, b, '/b')
    expect(book.find('/a?x', noon)).toBe('answer to /a?x')
    shelf.delete('a')
    expect(book.find('/a?x', noon)).toBeUndefined()
    expect(book.find('/b', noon)).toBe('answer to /b')
    shelf.delete('b')
    expect(book.find('/b', noon)).toBeUndefined()
  })

  test('are removed from every book they are in', () => {
    const shelf = new BoundedCache<Thing>(100_000)
    const books = [new AnswerBook(), new AnswerBook()]
    const thing = new Thing(1_000)
    shelf.set('a', thing)
    for (const book of books) keep(book, thing, '/a')
    shelf.set('a', new Thing(1_000))
    expect(books.map(book => book.find('/a', noon))).toEqual([undefined, undefined])
  })

  test('that are true on one day only are not used on another', () => {
    const book = new AnswerBook()
    keep(book, new Thing(1), '/a', '2026-03-01')
    expect(book.find('/a', () => '2026-03-01T23:59:59.999999Z')).toBe('answer to /a')
    expect(book.find('/a', () => '2026-03-02T00:00:00.000000Z')).toBeUndefined()
  })

  test('are limited in number; the oldest makes room, and its bytes no longer count', () => {
    const book = new AnswerBook()
    const thing = new Thing(0)
    for (const address of ['/1', '/2', '/3', '/4']) keep(book, thing, address, null, 3)
    expect(['/1', '/2', '/3', '/4'].map(address => book.find(address, noon) !== undefined)).toEqual([
      false,
      true,
      true,
      true,
    ])
    expect(thing.size).toBe(300)
  })

  test('replace an earlier one at the same address', () => {
    const book = new AnswerBook()
    const [old, young] = [new Thing(0), new Thing(0)]
    keep(book, old, '/a')
    keep(book, young, '/a')
    expect([old.size, young.size]).toEqual([0, 100])
    old.leave()
    expect(book.find('/a', noon)).toBe('answer to /a')
  })

  test('count as use of what they were made from: it stays when room is needed, and what was not used is dropped', () => {
    const shelf = new BoundedCache<Thing>(10_000)
    const book = new AnswerBook()
    const things = ['a', 'b', 'c', 'd', 'e'].map(name => ({ name, thing: new Thing(1_900) }))
    for (const { name, thing } of things) {
      shelf.set(name, thing)
      keep(book, thing, `/${name}`)
      thing.takeUse()
    }
    book.find('/a', noon)
    shelf.set('f', new Thing(1_900))
    expect(things.filter(({ thing }) => thing.isKept).map(({ name }) => name)).toEqual(['a', 'c', 'd', 'e'])
    expect(shelf.size).toBeLessThanOrEqual(10_000)
  })
})

describe('the shelf', () => {
  test('keeps nothing larger than a quarter of its memory, not even what grew to that size', () => {
    const shelf = new BoundedCache<Thing>(10_000)
    shelf.set('large', new Thing(2_501))
    expect(shelf.get('large')).toBeUndefined()
    const book = new AnswerBook()
    const growing = new Thing(2_450)
    shelf.set('growing', growing)
    keep(book, growing, '/a')
    shelf.recount(growing)
    expect(shelf.get('growing')).toBeUndefined()
    expect(book.find('/a', noon)).toBeUndefined()
    expect(shelf.size).toBe(0)
  })
})
