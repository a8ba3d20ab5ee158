// A list that comes in pages. `for await` goes over all of it; a page that broke off is asked for again at the same place, so
// that nothing is lost and nothing comes twice.
import type { Answer } from './transport.ts'

/** A page of a list, as far as a walk needs to know it. */
interface Paged {
  readonly data: readonly unknown[]
  readonly pagination?: { readonly hasMore: boolean; readonly nextCursor: string | null }
}

type Ask = (more: Readonly<Record<string, string>>) => Promise<Answer>

export class Walk<Item, Page> implements AsyncIterable<Item> {
  readonly #ask: Ask

  constructor(ask: Ask) {
    this.#ask = ask
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* (page as Paged).data as readonly Item[]
  }

  /** Page by page, each as the server answered it: with its header, its total, its cursor. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    for (let more: Readonly<Record<string, string>> | null = {}; more !== null; ) {
      const answer: Answer = await this.#ask(more)
      yield answer.value as Page
      more = nextOf(answer)
    }
  }

  /** The first page alone. */
  async first(): Promise<Page> {
    return (await this.#ask({})).value as Page
  }

  /** Everything, in one array. */
  async all(): Promise<Item[]> {
    const items: Item[] = []
    for await (const item of this) items.push(item)
    return items
  }
}

/** What the next page is asked with: a cursor, or the query of a link; null on the last one. */
function nextOf({ value, link }: Answer): Readonly<Record<string, string>> | null {
  const { pagination } = value as Paged
  if (pagination !== undefined) return pagination.hasMore ? { cursor: pagination.nextCursor! } : null
  const next = /<([^>]*)>\s*;\s*rel="next"/.exec(link ?? '')?.[1]
  return next === undefined ? null : Object.fromEntries(new URL(next, 'http://next.invalid').searchParams)
}
