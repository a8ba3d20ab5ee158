// The connections of the job queue (pg-boss), to the same address as everything else: as the owner, because the queue keeps a
// schema of its own. Values are what the driver usually makes of them, which is what the queue expects.
import { limits } from '../../limits.ts'
import { connectionTo, type DatabaseTarget } from './database.ts'
import { ConnectionPool } from './pool.ts'

export const jobsSchema = 'assize_jobs'

/** What pg-boss needs from a database. */
export interface JobsDatabase {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
  close(): Promise<void>
}

export function openJobsDatabase(target: DatabaseTarget, connections = 3): JobsDatabase {
  const settings = { application_name: 'assize jobs', TimeZone: 'UTC' }
  const pool = new ConnectionPool({ ...connectionTo(target, settings), most: connections, isRenewed: true })
  return {
    async executeSql(text, values = []) {
      const connection = await pool.acquire()
      // A server that stopped answering keeps its connections open.
      const timer = setTimeout(() => connection.destroy(), limits.jobsAnswerMs)
      try {
        const rows = await connection.run<unknown[]>({ text, parameters: values as never[], name: null })
        // Of a script with several statements: the rows of all of them.
        return { rows: rows.flat() }
      } catch (error) {
        // A script may have left its transaction open.
        connection.destroy()
        throw error
      } finally {
        clearTimeout(timer)
        pool.release(connection)
      }
    },
    close: () => pool.end({ timeout: 5 }),
  }
}
