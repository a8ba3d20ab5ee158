// The progress of long work, on one line of a terminal that is redrawn; nothing at all if the output is piped or JSON. It
// uses the clock only for its own redrawing.
import { formatCount } from '../../core/text/words.ts'
import { limits } from '../../limits.ts'
import type { Invocation } from './command.ts'

const width = 30

export class ProgressLine {
  readonly #redraw: ((line: string) => void) | null
  readonly #columns: number
  #drawnAt = -Infinity
  #isDrawn = false

  constructor({ terminal, json }: Invocation) {
    this.#redraw = terminal.isTerminal && !json ? terminal.redraw : null
    this.#columns = terminal.columns
  }

  /** `of` zero: the total is unknown. */
  show(what: string, done: number, of: number): void {
    if (this.#redraw === null) return
    const now = performance.now()
    if (of > 0 && done < of && now - this.#drawnAt < limits.progressMs) return
    this.#drawnAt = now
    this.#isDrawn = true
    const line = of > 0 ? `${bar(done, of)} ${what}` : what
    this.#redraw(line.slice(0, this.#columns - 1))
  }

  clear(): void {
    if (this.#isDrawn) this.#redraw?.('')
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
  return `${formatCount(count)} ${count === 1 ? one : many}`
}
