// One connection to the database. Statements are sent as they come and answered in their order; every one of them is
// answered, also when the connection is lost, whatever it was doing.
import pg from 'pg'
import { type ConnectionCode, ConnectionError } from './connection-error.ts'
import { CopyIn, copyOut, type SendQuery } from './copy.ts'
import type { StatementText } from './statement-text.ts'

/** Readers of values from their texts, by the number of their type. Other values stay text. */
export type Parsers = ReadonlyMap<number, (text: string) => unknown>

export interface ConnectionOptions {
  readonly host: string
  readonly port: number
  readonly user: string | undefined
  readonly password: string | undefined
  readonly database: string
  readonly ssl: false | { readonly rejectUnauthorized: boolean }
  /** Goes on without encryption where the server has none. */
  readonly isPlainAllowed: boolean
  /** Settings that the session begins with, and falls back to. */
  readonly settings: Readonly<Record<string, string | number>>
  /** Without parsers, values are read as the driver usually does. */
  readonly parsers?: Parsers
  readonly connectTimeoutMs: number
  /** Whether each transaction may get another session of the server: nothing is prepared under a name. */
  readonly isPooled?: boolean
  readonly onStatement?: (text: string) => void
}

/** The rows of an answer; `count` is how many rows were read or changed. */
export type RowList<T extends readonly unknown[]> = T & { readonly count: number }

const keepAliveMs = 60_000
const asText = (text: string): string => text

/** A primary that was demoted, or a database that was set to be read only. */
const readOnlyTransaction = '25006'

/** Errors of a statement that was prepared before its tables changed: on a new connection it works. */
const staleRoutines = new Set(['FetchPreparedStatement', 'RevalidateCachedQuery', 'transformAssignedExpr'])

export function isStaleError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && staleRoutines.has(error.routine ?? '')
}

export class Connection {
  readonly #options: ConnectionOptions
  #client: pg.Client
  #code: ConnectionCode = 'CONNECTION_CLOSED'
  /** The socket's error, which comes before its close. */
  #lost: ConnectionError | null = null
  #isOpening = true
  #isCopying = false
  #copy: CopyIn | null = null
  readonly #closed = Promise.withResolvers<void>()
  /** The server is in recovery, as it says itself when a session begins. */
  #isStandby = false
  isClosed = false
  /** Whether it may not be used again. */
  isSpent = false
  /** Called once when the connection is gone. */
  onClose: () => void = () => {}
  /** Listener of the transaction that has the connection now. */
  onLost: ((error: ConnectionError) => void) | null = null
  onNotice: (channel: string, payload: string) => void = () => {}

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.#client = this.#makeClient(options.ssl)
  }

  #makeClient(ssl: ConnectionOptions['ssl']): pg.Client {
    const { host, port, user, password, database, settings, parsers, connectTimeoutMs } = this.#options
    const client = new pg.Client({
      host,
      port,
      user,
      password,
      database,
      ssl,
      pipeline: true,
      options: Object.entries(settings).map(formatSetting).join(' '),
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
      ...(parsers !== undefined && { types: { getTypeParser: parserIn(parsers) } }),
    })
    client.on('error', error => {
      // A server that was tried in vain; every try hears of it.
      if (this.#isOpening || client !== this.#client) return
      const explained = this.#explain(error)
      // A message of the server before it closes an idle connection is no answer to a statement.
      if (explained instanceof ConnectionError) this.#lost ??= explained
      // The driver takes no more statements.
      this.isSpent = true
      client.connection.stream.destroy()
    })
    client.on('end', () => {
      if (client === this.#client && !this.#isOpening) this.#noteClosed()
    })
    client.connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (parameterName === 'in_hot_standby') this.#isStandby = parameterValue === 'on'
    })
    client.on('notification', ({ channel, payload }) => this.onNotice(channel, payload ?? ''))
    return client
  }

  async open(): Promise<void> {
    await this.#connect()
    this.#isOpening = false
    if (this.#client.connection.stream.destroyed) this.#noteClosed()
  }

  async #connect(): Promise<void> {
    try {
      await this.#client.connect().catch(error => this.#openPlain(error))
      // A pooler repeats what some server once told it; statements ask through it (decision 0791).
      if (this.#isStandby && !this.#options.isPooled) throw ConnectionError.of('STANDBY')
    } catch (error) {
      this.#client.connection.stream.destroy()
      const explained = this.#explain(error)
      if (explained instanceof pg.DatabaseError || explained instanceof ConnectionError) throw explained
      // The cause may be a password that is missing.
      throw new ConnectionError('CONNECTION_REFUSED', (error as Error).message)
    }
  }

  async #openPlain(error: Error): Promise<void> {
    if (!this.#options.isPlainAllowed || error.message !== 'The server does not support SSL connections') throw error
    this.#client = this.#makeClient(false)
    await this.#client.connect()
  }

  #noteClosed(): void {
    if (this.isClosed) return
    this.isClosed = true
    const error = this.#lost ?? ConnectionError.of(this.#code)
    this.#closed.resolve()
    this.onLost?.(error)
    this.onClose()
  }

  run<T extends readonly unknown[]>({ text, parameters, name }: StatementText): Promise<RowList<T>> {
    return new Promise((resolve, reject) => {
      if (this.#isCopying) {
        reject(new Error('a connection takes no statement during a COPY'))
        return
      }
      this.#options.onStatement?.(text)
      const values = parameters as never
      const query = name === null || this.#options.isPooled ? { text, values } : { name, text, values }
      this.#client.query(query, (error: Error | null, result: pg.QueryResult | pg.QueryResult[]) => {
        if (error) reject(this.#explain(error))
        else resolve(rowsOf(result) as unknown as RowList<T>)
      })
    })
  }

  /** Runs a script, or a statement that is sent once. */
  runText<T extends readonly unknown[]>(text: string): Promise<RowList<T>> {
    return this.run({ text, parameters: [], name: null })
  }

  /** `onFailed` hears of a failure whenever it comes. */
  async copyIn(text: string, onFailed: (error: unknown) => void): Promise<CopyIn> {
    this.#copy = await CopyIn.open(text, this.#sending(onFailed))
    return this.#copy
  }

  copyOut(text: string, onFailed: (error: unknown) => void): AsyncGenerator<Buffer> {
    return copyOut(text, this.#sending(onFailed))
  }

  /** A COPY into the database that nobody ended would keep the connection waiting forever. */
  async endCopy(): Promise<void> {
    if (this.#isCopying) await this.#copy?.abandon()
  }

  #sending(onFailed: (error: unknown) => void): SendQuery {
    return (query, settle) => {
      this.#isCopying = true
      this.#copy = null
      const onEnd = (error: Error | null) => {
        this.#isCopying = false
        const explained = error ? this.#explain(error) : null
        if (explained !== null) onFailed(explained)
        settle(explained)
      }
      const client = this.#client as unknown as { query(query: pg.Query, onEnd: (error: Error | null) => void): void }
      client.query(query, onEnd)
    }
  }

  /** Says goodbye to the server. Nothing is running. */
  close(): Promise<void> {
    this.#code = 'CONNECTION_ENDED'
    void this.#client.end()
    return this.#closed.promise
  }

  /** Answers everything that is running with an error. */
  destroy(): void {
    this.#code = 'CONNECTION_DESTROYED'
    this.isSpent = true
    this.#client.connection.stream.destroy()
  }

  #explain(error: unknown): unknown {
    if (error instanceof pg.DatabaseError) {
      // The driver calls all of them `error`.
      Object.defineProperty(error, 'name', { value: 'PostgresError', configurable: true })
      if (isStaleError(error) || error.code === readOnlyTransaction) this.isSpent = true
      return error
    }
    if (error instanceof ConnectionError) return error
    const { code, message } = error as NodeJS.ErrnoException
    if (typeof code === 'string') return ConnectionError.from(error as NodeJS.ErrnoException)
    if (message === 'timeout expired') return ConnectionError.of('CONNECT_TIMEOUT')
    // A value that could not be read is no fault of the connection.
    if (!isOfDriver(message)) return error
    return this.#lost ?? ConnectionError.of(this.#code)
  }
}

function parserIn(parsers: Parsers): typeof pg.types.getTypeParser {
  return ((oid: number) => parsers.get(oid) ?? asText) as typeof pg.types.getTypeParser
}

/** Whether the message is the driver's about a connection that is gone. */
function isOfDriver(message: string): boolean {
  return /^(?:Connection terminated|Client (?:has encountered|was closed))/.test(message)
}

/** Option of the server, with its spaces and backslashes escaped. `options` are such already. */
function formatSetting([name, value]: [string, string | number]): string {
  if (name === 'options') return String(value)
  return `-c ${name}=${String(value).replace(/[\\\s]/g, '\\$&')}`
}

/** Rows of a result; for a script with several statements, a list of rows for each of them. */
function rowsOf(result: pg.QueryResult | pg.QueryResult[]): RowList<unknown[]> {
  return Array.isArray(result) ? counted(result.map(rowsOf), result.length) : counted(result.rows, result.rowCount ?? 0)
}

function counted(rows: unknown[], count: number): RowList<unknown[]> {
  return Object.defineProperty(rows, 'count', { value: count }) as RowList<unknown[]>
}
