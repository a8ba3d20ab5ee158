// Measuring on a machine that is shared with others. The kernel counts the time in which the host gave the processors to
// others; a measurement during such a time says nothing about the server, and is repeated.
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** The share of processor time that may be taken away. */
const mostStolen = 0.01
const attempts = 4
const ticksPerSecond = 100

/** How many measurements were made, and how many of them were discarded. */
const taken = { all: 0, setAside: 0 }

/** The first result from a quiet time; if there is none, that of the quietest. */
export async function whenQuiet<T>(measure: () => Promise<T>): Promise<T> {
  let best: { readonly result: T; readonly stolen: number } | null = null
  for (let attempt = 0; attempt < attempts; attempt++) {
    const fromMs = performance.now()
    const before = stolenSeconds()
    const result = await measure()
    const seconds = (performance.now() - fromMs) / 1000
    const stolen = (stolenSeconds() - before) / (seconds * availableParallelism())
    taken.all++
    if (best === null || stolen < best.stolen) best = { result, stolen }
    if (stolen <= mostStolen) break
    if (attempt < attempts - 1) taken.setAside++
  }
  return best!.result
}

/** Of all processors since the machine was started; 0 if the system does not tell. */
function stolenSeconds(): number {
  try {
    const [, ...ticks] = readFileSync('/proc/stat', 'latin1').split('\n', 1)[0]!.split(/\s+/)
    return Number.parseInt(ticks[7] ?? '0', 10) / ticksPerSecond
  } catch {
    return 0
  }
}
