// The statements that some work sends to the database: their number is the same on every machine, unlike the time they take.
import type { Sql } from '../../src/storage/postgres/database.ts'

/** The texts of the statements that were sent over these connections meanwhile, in order. */
export async function statementsOf(sql: Sql, work: () => Promise<unknown>): Promise<readonly string[]> {
  const sent: string[] = []
  sql.onStatement = text => void sent.push(text.replaceAll(/\s+/g, ' ').trim())
  try {
    await work()
  } finally {
    sql.onStatement = null
  }
  return sent
}

interface Plan {
  readonly Plan: { readonly 'Shared Hit Blocks': number; readonly 'Shared Read Blocks': number }
}

/** How many pages a query of the owner's looks at. What a connection looks up once, in the catalogue, does not count. */
export async function pagesOf(owner: Sql, query: string): Promise<number> {
  const text = `explain (analyze, buffers, format json) ${query}`
  const row = await owner.begin(async tx => {
    await tx.unsafe(text)
    return (await tx.unsafe<{ 'QUERY PLAN': readonly Plan[] }[]>(text))[0]!
  })
  const plan = row['QUERY PLAN'][0]!.Plan
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}
