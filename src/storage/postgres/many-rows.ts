// Inserting many rows in few statements: a statement has at most 65,535 parameters.
import type { Transaction } from './database.ts'

const mostParameters = 60_000

/** Inserts rows, which all have the same columns; our own code alone names table and columns. */
export async function insertRows(
  tx: Transaction,
  table: string,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const together = Math.floor(mostParameters / Object.keys(first).length)
  for (let from = 0; from < rows.length; from += together)
    await tx`insert into ${tx(table)} ${tx(rows.slice(from, from + together))}`
}
