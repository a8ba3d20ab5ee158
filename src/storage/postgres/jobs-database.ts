// The connections of the job queue (pg-boss). Its schema is the owner's, so it works as the owner. Through a pooler it works like
// everything else of the application, which may use the schema and not change it; the schema is made past the pooler. Values are
// read as the driver usually does, which the queue expects.
import { limits } from '../../limits.ts'
import type { ConnectionOptions } from './connection.ts'
import { applicationConnection, applicationRole, connectionTo, type DatabaseTarget } from './database.ts'
import { ConnectionPool } from './pool.ts'

export const jobsSchema = 'assize_jobs'

/** Interface that pg-boss needs of a database. */
export interface JobsDatabase {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
  close(): Promise<void>
}

/** Opens the database for the queue's daily work. */
export function openJobsDatabase(target: DatabaseTarget): JobsDatabase {
  return target.pooler === undefined
    ? openJobsOwner(target)
    : open(applicationConnection(target, applicationName), usualConnections)
}

const applicationName = 'assize jobs'
const usualConnections = 3

/** Opens the database itself, to make the schema. */
export function openJobsOwner(target: DatabaseTarget, connections = usualConnections): JobsDatabase {
  return open(connectionTo(target, { application_name: applicationName, TimeZone: 'UTC' }), connections)
}

/** Grants rights on the schema. One process at a time: the server refuses to change the same rights twice at once. */
export async function letApplicationWork(owner: JobsDatabase): Promise<void> {
  await owner.executeSql(`
    select pg_advisory_xact_lock(hashtextextended('assize jobs rights', 0));
    grant usage on schema ${jobsSchema} to ${applicationRole};
    grant select, insert, update, delete on all tables in schema ${jobsSchema} to ${applicationRole};
    grant execute on all routines in schema ${jobsSchema} to ${applicationRole}`)
}

function open(connection: ConnectionOptions, connections: number): JobsDatabase {
  const pool = new ConnectionPool({ ...connection, most: connections, isRenewed: true })
  return {
    async executeSql(text, values = []) {
      const connection = await pool.acquire()
      // A server that stopped answering keeps its connections open.
      const timer = setTimeout(() => connection.destroy(), limits.jobsAnswerMs)
      try {
        const rows = await connection.run<unknown[]>({ text, parameters: values as never[], name: null })
        // Rows of all statements, where a script has several.
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
