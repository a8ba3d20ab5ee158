// Explains in a sentence what went wrong with the database while a command ran. Other errors are left alone.
import { Refusal } from '../../core/refusal.ts'
import { type DatabaseTrouble, databaseTroubleOf } from '../../storage/postgres/database-errors.ts'
import { troubleTable } from '../../storage/postgres/trouble-table.ts'

/** A command has connections to nothing but its database, so that these are about it too. */
const lostSockets = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE'])
/** Code of a database that is there and has no free connection. */
const crowded = '53300'

interface ErrorFacts {
  readonly code?: unknown
  readonly syscall?: unknown
  readonly message?: unknown
}

/** Explains the error; `null` if it is not about the database. */
export function explainDatabase(error: unknown): Refusal | null {
  const facts = (error ?? {}) as ErrorFacts
  const trouble = troubleOf(error, facts)
  return trouble === null ? null : new Refusal('unavailable', troubleTable[trouble].command(String(facts.message)))
}

function troubleOf(error: unknown, { code, syscall }: ErrorFacts): DatabaseTrouble | null {
  if (code === crowded) return 'slow'
  // A missing file has the same code as a missing socket.
  if (lostSockets.has(String(code)) || (code === 'ENOENT' && syscall === 'connect')) return 'away'
  return databaseTroubleOf(error)
}
