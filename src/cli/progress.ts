// How far long work has come, on one line of a terminal that is drawn again; nothing at all where the output is piped
// or JSON. It measures no time but its own redrawing.
import { writeCount } from '../core/words.ts'
import { limits } from '../limits.ts'
import type { Invocation } from './command.ts'

const width = 30

export class ProgressLine {
  readonly #write: ((text: string) => void) | null
  readonly #columns: number
  #drawnAt = -Infinity
  #isDrawn = false

  constructor({ terminal, json }: Invocation) {
    this.#write = terminal.isTerminal && !json ? terminal.err : null
    this.#columns = terminal.columns
  }

  /** `of` zero: nobody knows how much there is. */
  show(what: string, done: number, of: number): void {
    if (this.#write === null) return
    const now = performance.now()
    if (of > 0 && done < of && now - this.#drawnAt < limits.progressMs) return
    this.#drawnAt = now
    this.#isDrawn = true
    const line = of > 0 ? `${bar(done, of)} ${what}` : what
    this.#write(`\r${line.slice(0, this.#columns - 1)}\u001b[K`)
  }

  /** Takes the line away, for what is written next. */
  clear(): void {
    if (this.#isDrawn) this.#write?.('\r\u001b[K')
    this.#isDrawn = false
  }
}

function bar(done: number, of: number): string {
  const share = Math.min(1, done / of)
  const filled = Math.floor(share * width)
  return `[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${String(Math.floor(share * 100)).padStart(3)} %`
}

/** `1 row`, `2 rows`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${writeCount(count)} ${count === 1 ? one : many}`
}
