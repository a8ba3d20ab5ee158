// Follows /changes: what happened since a cursor, then what happens, each thing once. It goes on through broken connections and
// restarts of the server; after a restore it says so once and goes on from there.
import type { CallOptions, Calls } from './calls.ts'
import { AssizeError } from './problem.ts'
import type { Change, NewVintage } from './wire.ts'

export interface FollowOptions extends CallOptions {
  /** A cursor that was kept, `start` for the beginning; from now on if left out. */
  readonly from?: string | undefined
  /** For how many seconds the server may hold an answer until something comes: 25. With 0 it ends when nothing is left. */
  readonly wait?: number
}

export interface Batch<Item> {
  readonly data: readonly Item[]
  /** Keep it when the batch is dealt with: the next run begins there. */
  readonly cursor: string
  /** A backup was restored, so that another history is told from here on: what was read before has to be read again. */
  readonly isReset: boolean
}

const mostWait = 25

export async function* followChanges(
  calls: Calls,
  { kinds, ...options }: FollowOptions & { readonly kinds?: string | readonly string[] | undefined },
): AsyncGenerator<Batch<Change>, void, undefined> {
  yield* follow(options, (place, wait, signal) =>
    calls.one('listChanges', [], { ...place, kinds, wait }, { signal, heldMs: wait * 1000 }),
  )
}

/** The server holds no answer of this feed: it is asked again at intervals by whoever follows it. */
export async function* followVintages(
  calls: Calls,
  options: Omit<FollowOptions, 'wait'>,
): AsyncGenerator<Batch<NewVintage>, void, undefined> {
  yield* follow({ ...options, wait: 0 }, (place, _, signal) => calls.one('listNewVintages', [], place, { signal }))
}

interface Feed<Item> {
  readonly data: readonly Item[]
  readonly pagination: { readonly hasMore: boolean; readonly nextCursor: string }
}

type FeedStart = { readonly cursor?: string; readonly from?: 'start' }
type AskFeed<Item> = (place: FeedStart, wait: number, signal: AbortSignal | undefined) => Promise<Feed<Item>>

async function* follow<Item>(
  { from, wait = mostWait, signal }: FollowOptions,
  ask: AskFeed<Item>,
): AsyncGenerator<Batch<Item>, void, undefined> {
  let place: FeedStart = from === undefined ? {} : from === 'start' ? { from: 'start' } : { cursor: from }
  // The first answer comes at once, with a cursor to begin with.
  for (let held = 0, isFirst = true; ; held = wait) {
    let isReset = false
    const page: Feed<Item> = await ask(place, held, signal).catch(error => {
      if (!(error instanceof AssizeError) || error.problem !== 'history-replaced') throw error
      isReset = true
      return ask({}, 0, signal)
    })
    const { hasMore, nextCursor } = page.pagination
    if (isFirst || isReset || page.data.length > 0) yield { data: page.data, cursor: nextCursor, isReset }
    isFirst = false
    place = { cursor: nextCursor }
    if (!hasMore && wait === 0 && !isReset) return
    if (hasMore) held = 0
  }
}
