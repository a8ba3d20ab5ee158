// What `verify --chain` finds first, for tests that change rows again and again and ask whether it is found.
import type { Sql } from '../../../src/storage/postgres/database.ts'
import { verifyEachChain } from '../../../src/storage/upkeep/chain.ts'

/** Null where everything is as it was published. */
export async function firstProblem(owner: Sql): Promise<string | null> {
  for await (const { problem } of verifyEachChain(owner)) if (problem !== null) return problem.message
  return null
}
