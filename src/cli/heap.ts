// How the program uses memory. What works through long files and many answers drops much and is looked through early, so
// that its size follows what it holds. A server holds much, drops little that is old, and is looked through seldom.
import { setFlagsFromString } from 'node:v8'
import { limits } from '../limits.ts'

/** V8 would let its heap grow to several times what lives in it before it looks at what is dead. */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${limits.commandHeapGrowthPct}`)
}

/**
 * V8 takes a server that answers from memory for an idle one, for nothing in it grows old: it looks through the whole heap
 * every few seconds to win back a little, and those who ask in the meantime wait.
 */
export function keepPausesRare(): void {
  setFlagsFromString(`--heap-growing-percent=${limits.serverHeapGrowthPct}`)
  setFlagsFromString('--memory-reducer-gc-count=0')
}
