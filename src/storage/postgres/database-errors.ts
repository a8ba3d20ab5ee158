// Trouble with the database, recognised by the source of an error: connections have errors of their own, and PostgreSQL's codes
// are used by nobody else. A missing file or a provider that closed its connection has the same code as a database that is gone,
// and is none of these.
import { ConnectionError } from './connection-error.ts'

const databaseTroubles = ['away', 'slow', 'locked', 'full'] as const
/**
 * The database cannot be reached or accepts no more connections; it stopped a statement that took too long; it did not get a lock
 * in time; its disk is full.
 */
export type DatabaseTrouble = (typeof databaseTroubles)[number]

/** SQLSTATEs of a server that starts, stops, has no free connection, or lost one, or takes no writes any more. */
const connectionStates = new Set([
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '25006',
])
const troubleOfState: Readonly<Record<string, DatabaseTrouble>> = {
  '57014': 'slow',
  '55P03': 'locked',
  '53100': 'full',
}

interface ErrorFacts {
  readonly code?: unknown
  readonly name?: unknown
  readonly severity?: unknown
  readonly trouble?: unknown
}

/** Kind of trouble; `null` for any other error. */
export function databaseTroubleOf(error: unknown): DatabaseTrouble | null {
  if (typeof error !== 'object' || error === null) return null
  const { code, name, severity, trouble } = error as ErrorFacts
  const known = databaseTroubles.find(each => each === trouble)
  // Recognised in a worker, where it happened.
  if (known !== undefined) return known
  if (typeof code !== 'string') return null
  if (Object.hasOwn(troubleOfState, code)) return troubleOfState[code]!
  if (error instanceof ConnectionError || connectionStates.has(code)) return 'away'
  // The server ended the session, or did not let it begin.
  return name === 'PostgresError' && (severity === 'FATAL' || severity === 'PANIC') ? 'away' : null
}
