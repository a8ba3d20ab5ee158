// Verifies every golden receipt in a process of its own in which another compiler is planted, and writes the result for
// each as JSON. Called as `run-with-compiler.ts judge|replay <exchanges as JSON>`; `replay` leaves out the second line
// of a verdict, in which today's compiler is used.
import { readGolden } from '../golden/files.ts'
import type { ReplayedGolden } from './compilers.ts'
import { plant } from './plant.ts'

const [how, exchanges] = process.argv.slice(2) as ['judge' | 'replay', string]
const { unloaded } = plant(JSON.parse(exchanges))
const { readBody, readReceipt } = await import('../../src/core/receipt/receipt-parser.ts')
const { firstDifference, replay } = await import('../../src/core/receipt/replay.ts')
const { judge } = await import('../support/agreements/judged.ts')

async function look(text: string): Promise<ReplayedGolden> {
  if (how === 'judge') {
    const { problems, compiler } = await judge(text)
    return { problems, compiler }
  }
  const difference = firstDifference(replay(readBody(readReceipt(text).body)))
  return { problems: difference === null ? [] : [difference.line], compiler: null }
}

const outcomes: Record<string, ReplayedGolden> = {}
for (const [name, text] of readGolden())
  outcomes[name] = await look(text).catch((error: Error) => ({ problems: [error.message], compiler: null }))
if (unloaded().length > 0) throw new Error(`never loaded: ${unloaded().join(', ')}`)
console.log(JSON.stringify(outcomes))
