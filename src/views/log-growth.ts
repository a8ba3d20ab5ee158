// Growth of the public log from a checkpoint kept by somebody's browser: the proof, for the page to check.
import { proveConsistency } from '../core/proof/merkle-proof.ts'
import { base64Of } from '../core/text/base64.ts'
import { loadLogGrowth } from '../storage/proof/log-files.ts'
import type { LogGrowth } from './shapes/signatures.ts'
import type { ViewContext } from './sight/view-parts.ts'

/** `origin` is that of the kept checkpoint; null: the newest is answered alone. */
export async function showLogGrowth(
  { installation: { sql }, log }: Pick<ViewContext, 'installation' | 'log'>,
  from: number,
  origin: string | null,
): Promise<LogGrowth> {
  const grown = await loadLogGrowth(sql, origin)
  if (grown === null) return { origin: log.name, checkpoint: null, proof: null, forked: null }
  const { size, readTiles, ...rest } = grown
  const isSmaller = size < from
  const proof = isSmaller ? null : (await proveConsistency(from, size, readTiles)).map(base64Of)
  return { ...rest, proof }
}
