// The connection of the job queue (pg-boss), over the same driver and address as everything else: as the owner, for the
// queue keeps a schema of its own. Values keep the driver's usual types here, which is what the queue expects.
import postgres from 'postgres'
import { limits } from '../limits.ts'
import type { DatabaseTarget } from './database.ts'

export const jobsSchema = 'assize_jobs'

/** What pg-boss asks of a database. */
export interface JobsDatabase {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
  close(): Promise<void>
}

/** Texts that are JSON already stay as they are: the queue writes its documents itself. */
const json = {
  to: 114,
  from: [114, 3802],
  serialize: (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)),
  parse: (text: string): unknown => JSON.parse(text),
}

export function openJobsDatabase(target: DatabaseTarget, connections = 3): JobsDatabase {
  const options = {
    max: connections,
    types: { json },
    connect_timeout: limits.connectTimeoutMs / 1000,
    onnotice: () => {},
    connection: { application_name: 'assize jobs', TimeZone: 'UTC' },
  }
  const sql =
    'url' in target
      ? postgres(target.url, options)
      : postgres({ ...options, ...target.endpoint, database: target.database, ssl: false })
  return {
    async executeSql(text, values = []) {
      if (values.length > 0) return { rows: rowsOf(await sql.unsafe(text, values as never[])) }
      if (!/^\s*begin\b/i.test(text)) return { rows: rowsOf(await sql.unsafe(text)) }
      // A script with a transaction of its own must stay on one connection.
      const reserved = await sql.reserve()
      try {
        return { rows: rowsOf(await reserved.unsafe(text)) }
      } catch (error) {
        // The queue takes some failures for an answer; the next user of the connection must not find the ruins.
        await reserved.unsafe('rollback').catch(() => {})
        throw error
      } finally {
        reserved.release()
      }
    },
    close: () => sql.end({ timeout: 5 }),
  }
}

/** Of a script with several statements: the rows of all of them. */
function rowsOf(result: readonly unknown[]): unknown[] {
  return result.some(Array.isArray) ? result.flat() : [...result]
}
