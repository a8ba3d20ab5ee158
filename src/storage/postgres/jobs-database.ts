// The connection of the job queue (pg-boss), over the same driver and address as everything else: as the owner, because
// the queue keeps a schema of its own. Values keep the driver's usual types here, which is what the queue expects.
import postgres from 'postgres'
import { limits } from '../../limits.ts'
import type { DatabaseTarget } from './database.ts'

export const jobsSchema = 'assize_jobs'

/** What pg-boss needs from a database. */
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
  let sql = open(target, connections)
  return {
    async executeSql(text, values = []) {
      const own = sql
      try {
        return { rows: rowsOf(await within(run(own, text, values))) }
      } catch (error) {
        // A pool whose connection died during a query may never answer again: the next query gets another pool.
        if (isLost(error) && sql === own) {
          sql = open(target, connections)
          own.end({ timeout: 0 }).catch(() => {})
        }
        throw error
      }
    },
    close: () => sql.end({ timeout: 5 }),
  }
}

function open(target: DatabaseTarget, connections: number) {
  const options = {
    max: connections,
    types: { json },
    connect_timeout: limits.connectTimeoutMs / 1000,
    onnotice: () => {},
    connection: { application_name: 'assize jobs', TimeZone: 'UTC' },
  }
  return 'url' in target
    ? postgres(target.url, options)
    : postgres({ ...options, ...target.endpoint, database: target.database, ssl: false })
}

async function run(sql: ReturnType<typeof open>, text: string, values: unknown[]): Promise<readonly unknown[]> {
  if (values.length > 0) return sql.unsafe(text, values as never[])
  const script = scriptOf(text)
  return script === null ? sql.unsafe(text) : sql.begin(tx => tx.unsafe(script))
}

const silence = 'the database does not answer'

function within<T>(asked: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(silence)), limits.jobsAnswerMs)
  return Promise.race([asked, promise]).finally(() => clearTimeout(timer))
}

function isLost(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return (
    code.startsWith('CONNECTION_') || /^(?:57P|08)/.test(code) || /^E(?:CONN|PIPE)/.test(code) || message === silence
  )
}

/**
 * The part between the BEGIN and the COMMIT of a script; `null` where there is none. The driver's own transactions stay
 * on one connection, roll back what fails, and survive the loss of the connection.
 */
function scriptOf(text: string): string | null {
  const match = /^\s*begin\s*;([\s\S]*?)commit\s*;?\s*$/i.exec(text)
  return match === null ? null : match[1]!
}

/** Of a script with several statements: the rows of all of them. */
function rowsOf(result: readonly unknown[]): unknown[] {
  return result.some(Array.isArray) ? result.flat() : [...result]
}
