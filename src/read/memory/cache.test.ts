import { describe, expect, test } from 'vitest'
import type { EntryKind } from '../../storage/log/entry-kinds.ts'
import { publicScope } from '../../storage/postgres/database.ts'
import { TicketedCache } from './cache.ts'
import { Changes } from './changes.ts'
import { SizedValue } from './memory.ts'

const workspaces = { one: 'a', two: 'a', other: 'b' } as const
const ids = ['one', 'two', 'other'] as const

/** A cache with results about agreements of two workspaces, and entries about them. */
function open(kinds: ReadonlySet<EntryKind> = new Set()) {
  const changes = new Changes()
  const kept = new TicketedCache<SizedValue<string>>(changes, 100_000, { figures: true, kinds })
  const enter = (scope: string, kind: EntryKind, subject: string) => changes.entered({ seq: 1, scope, kind, subject })
  const words = () => ids.map(id => kept.get(id)?.value ?? null)
  return { changes, kept, enter, words }
}

async function filled(kinds?: ReadonlySet<EntryKind>) {
  const opened = open(kinds)
  await opened.kept.loadMany(ids, 'a', async keep => {
    for (const id of ids) keep(id, new SizedValue(`of ${id}`, 10, workspaces[id]))
  })
  return opened
}

describe('what is kept of agreements', () => {
  test('is there until something is entered about the agreement, or about a series that it was computed from', async () => {
    const { changes, enter, words } = await filled()
    changes.computedFrom('steel', 'two')
    enter('a', 'observations', 'tin')
    expect(words()).toEqual(['of one', 'of two', 'of other'])
    enter('a', 'price-list', 'one')
    expect(words()).toEqual([null, 'of two', 'of other'])
    enter('a', 'observations', 'steel')
    expect(words()).toEqual([null, null, 'of other'])
  })

  test('goes with its workspace, and all of it with the public series', async () => {
    const { changes, words } = await filled()
    changes.enteredMany('a', 7)
    expect(words()).toEqual([null, null, 'of other'])
    changes.enteredMany(publicScope, 7)
    expect(words()).toEqual([null, null, null])
  })

  test('goes with its workspace if the database turns out to have less than was known', async () => {
    const { changes, enter, words } = await filled()
    enter('a', 'observations', 'tin')
    changes.keepUpWith({ newest: async () => new Map([['a', 0]]), since: async () => [] })
    await changes.catchUp(['a'])
    expect(words()).toEqual([null, null, 'of other'])
  })

  test('goes with an entry of a kind that it depends on, in its workspace or a public one', async () => {
    const kinds = new Set(['party', 'installation'] as const)
    const inWorkspace = await filled(kinds)
    inWorkspace.enter('b', 'party', 'brenner')
    expect(inWorkspace.words()).toEqual(['of one', 'of two', null])
    const inPublic = await filled(kinds)
    inPublic.enter(publicScope, 'installation', 'the name')
    expect(inPublic.words()).toEqual([null, null, null])
  })

  test('is not kept if what it depends on changed while it was computed', async () => {
    const changeSomething: ((opened: ReturnType<typeof open>) => void)[] = [
      ({ enter }) => enter('a', 'agreement', 'one'),
      ({ changes, enter }) => {
        changes.computedFrom('steel', 'one')
        enter(publicScope, 'observations', 'steel')
      },
      ({ enter }) => enter('a', 'party', 'brenner'),
      ({ changes }) => changes.enteredMany('a', 7),
      ({ enter }) => enter(publicScope, 'clock', publicScope),
    ]
    for (const change of changeSomething) {
      const opened = open(new Set(['party']))
      const { kept } = opened
      await kept.loadMany(['one'], 'a', async keep => {
        expect(kept.isLoading('one')).toBe(true)
        change(opened)
        expect(kept.isLoading('one')).toBe(false)
        keep('one', new SizedValue('old', 10, 'a'))
      })
      expect(kept.get('one')).toBeUndefined()
    }
  })

  test('is loaded once for all callers, and again for those who come after a change', async () => {
    const { kept, enter } = open()
    const reads: PromiseWithResolvers<SizedValue<string>>[] = []
    const ask = () =>
      kept.load('one', 'a', () => {
        const read = Promise.withResolvers<SizedValue<string>>()
        reads.push(read)
        return read.promise
      })
    const early = [ask(), ask()]
    enter('a', 'agreement', 'one')
    const late = ask()
    expect([reads.length, kept.loading]).toEqual([2, 1])
    reads[1]!.resolve(new SizedValue('new', 10, 'a'))
    expect((await late).value).toBe('new')
    reads[0]!.resolve(new SizedValue('old', 10, 'a'))
    expect((await Promise.all(early)).map(({ value }) => value)).toEqual(['old', 'old'])
    expect([kept.get('one')?.value, kept.loading]).toEqual(['new', 0])
  })

  test('is no longer under way when its load is over, however it ended', async () => {
    const { kept } = open()
    const fail = () => Promise.reject(new Error('halfway'))
    await expect(kept.loadMany(['one'], 'a', fail)).rejects.toThrow('halfway')
    await expect(kept.load('one', 'a', fail)).rejects.toThrow('halfway')
    expect([kept.isLoading('one'), kept.loading]).toEqual([false, 0])
  })

  test('is not kept if more changed meanwhile than is counted', async () => {
    const { kept, enter } = open()
    await kept.loadMany(['one'], 'a', async keep => {
      for (let i = 0; i < 60_000; i++) enter('a', 'observations', `series ${i}`)
      keep('one', new SizedValue('perhaps old', 10, 'a'))
    })
    expect(kept.get('one')).toBeUndefined()
  })
})
