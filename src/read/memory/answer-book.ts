// Earlier answers by address: one look-up leads from a request to its bytes. An answer is cached with the thing it was made from,
// counts towards its size, and is dropped with it. The content of answers is decided elsewhere.
import type { Instant } from '../../core/time/instant.ts'
import { Keepable } from './shelf.ts'

export interface AnswerToKeep {
  /** As in the request, prefix and query included. */
  readonly address: string
  readonly answer: unknown
  /** Approximate bytes. */
  readonly size: number
  /** The only day it is true on, as YYYY-MM-DD; null where it is true as long as its data. */
  readonly day: string | null
}

/** Base of cached things that answers are made from. */
export abstract class Cached extends Keepable {
  /** Oldest first. */
  readonly #answers = new Set<CachedAnswer>()
  #answersSize = 0

  get answersSize(): number {
    return this.#answersSize
  }

  /** Adds an answer; the oldest ones are dropped to make room. */
  addAnswer(kept: CachedAnswer, most: number): void {
    for (const oldest of this.#answers) {
      if (this.#answers.size < most) break
      this.removeAnswer(oldest)
      oldest.book.remove(oldest)
    }
    this.#answers.add(kept)
    this.#answersSize += kept.size
  }

  removeAnswer(kept: CachedAnswer): void {
    if (this.#answers.delete(kept)) this.#answersSize -= kept.size
  }

  /** Drops the answers made from it, which are no longer true although it stays. */
  dropAnswers(): void {
    for (const kept of this.#answers) kept.book.remove(kept)
    this.#answers.clear()
    this.#answersSize = 0
  }

  override takeUse(): boolean {
    let isUsed = super.takeUse()
    for (const kept of this.#answers) {
      isUsed ||= kept.isUsed
      kept.isUsed = false
    }
    return isUsed
  }

  /** Its answers leave with it at once: none is sent any more. */
  override leave(): void {
    super.leave()
    this.dropAnswers()
  }
}

interface CachedAnswer extends AnswerToKeep {
  readonly book: AnswerBook
  readonly from: Cached
  /** Kept here and not in `from`: sending an answer should touch as little memory as possible. */
  isUsed: boolean
}

/** The answers to one workspace. */
export class AnswerBook {
  readonly #byAddress = new Map<string, CachedAnswer>()

  find(address: string, now: () => Instant): unknown {
    const kept = this.#byAddress.get(address)
    if (kept === undefined || (kept.day !== null && !now().startsWith(kept.day))) return undefined
    kept.isUsed = true
    return kept.answer
  }

  /** At most `most` answers are cached with `from`. */
  keep(from: Cached, given: AnswerToKeep, most: number): void {
    const before = this.#byAddress.get(given.address)
    before?.from.removeAnswer(before)
    const kept: CachedAnswer = { ...given, from, book: this, isUsed: true }
    this.#byAddress.set(given.address, kept)
    from.addAnswer(kept, most)
  }

  remove(kept: CachedAnswer): void {
    if (this.#byAddress.get(kept.address) === kept) this.#byAddress.delete(kept.address)
  }

  clear(): void {
    this.#byAddress.clear()
  }
}
