// How the program uses memory while it works through long files and many answers: what it drops is collected early, so that
// its size follows what it holds. A server, which holds much and must answer without pause, is left to V8's own ways.
import { setFlagsFromString } from 'node:v8'
import { limits } from '../limits.ts'

/** V8 would let its heap grow to several times what lives in it before it looks at what is dead. */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${limits.commandHeapGrowthPct}`)
}
