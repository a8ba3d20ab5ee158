// F13: the engine against the independent oracle over random documents and exact ties, with new seeds. A
// difference is printed with its seed and with the smallest document that still shows it.
import fc from 'fast-check'
import { Draw } from '../oracle/draw.ts'
import { documentFamilies, type Family, tieFamilies } from '../oracle/families.ts'
import type { LongRun } from '../support/run/long-form.ts'
import { type Outcome, scenario } from '../support/run/long-test.ts'

/** This many of a family at a time: the memory for generating them is freed afterwards. */
const piece = 500
/** One tie for this many documents: 10,000 for a million. */
const documentsPerTie = 100
const sayEveryMs = 30_000
/** The time limit for shrinking a failing document. */
const shrinkMs = 60_000
const mostFailures = 10

interface Piece {
  readonly family: Family
  readonly count: number
  readonly seed: number
}

/** The families in turn; every piece has a seed of its own. */
function* pieces(families: readonly Family[], total: number, seed: number): Generator<Piece> {
  const each = Math.min(piece, Math.ceil(total / families.length))
  let turn = 0
  for (let left = total; left > 0; left -= each) {
    const family = families[turn % families.length]!
    yield { family, count: Math.min(each, left), seed: (seed + Math.imul(++turn, 0x9e37_79b1)) | 0 }
  }
}

async function compare({ rounds, seed, say }: LongRun): Promise<Outcome> {
  const failures: string[] = []
  const counts = { documents: 0, ties: 0 }
  const startedMs = performance.now()
  let saidMs = startedMs
  const kinds = [
    ['ties', tieFamilies, Math.max(1, Math.round(rounds / documentsPerTie))],
    ['documents', documentFamilies, rounds],
  ] as const
  for (const [kind, families, total] of kinds)
    for (const next of pieces(families, total, seed)) {
      const { tried, failure } = tryPiece(next)
      counts[kind] += tried
      if (failure !== null) {
        say(`a difference: ${failure.slice(0, failure.indexOf('\n'))}`)
        failures.push(failure)
      }
      if (failures.length === mostFailures) return { summary: `given up after ${describe(counts)}`, failures }
      if (performance.now() - saidMs < sayEveryMs) continue
      saidMs = performance.now()
      const perSecond = Math.round((counts.documents + counts.ties) / ((saidMs - startedMs) / 1000))
      say(`${describe(counts)}, ${perSecond} a second`)
    }
  return { summary: describe(counts), failures }
}

function describe({ documents, ties }: { documents: number; ties: number }): string {
  return `${documents} documents and ${ties} ties`
}

function tryPiece({ family, count, seed }: Piece): { readonly tried: number; readonly failure: string | null } {
  const property = fc.property(fc.gen(), generate => family.expect(new Draw(generate)))
  // The time is for shrinking a document: without a failure a piece ends long before.
  const found = fc.check(property, { numRuns: count, seed, interruptAfterTimeLimit: shrinkMs })
  const tried = found.numRuns
  if (!found.failed) return { tried, failure: null }
  const error = found.errorInstance
  const told = error instanceof Error ? error.message : String(error)
  return { tried, failure: `${family.name}, seed ${seed}, path ${found.counterexamplePath}:\n${told}` }
}

scenario(
  'oracle',
  'F13: random documents, and a tie for a hundred of them: the engine and the oracle agree to the last digit',
  { long: 1_000_000 },
  compare,
)
