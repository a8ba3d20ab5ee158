// Statements as templates: sql`select … where id = ${id}`. A statement is sent when it is first awaited, and may be a part of
// another one until then. Statements of a pool get a connection each; statements of a transaction share one.
import type { QueryResultRow } from 'pg'
import { tracedQuery } from '../../tracing/spans.ts'
import { type Connection, isStaleError, type RowList } from './connection.ts'
import type { CopyIn } from './copy.ts'
import { ConnectionPool, type ConnectionPoolOptions } from './pool.ts'
import {
  Assignments,
  formatStatement,
  JsonValue,
  Names,
  Rows,
  type StatementText,
  type Template,
} from './statement-text.ts'

/** Awaited, it is sent and gives its rows; in another statement it is a part of that. */
export interface Statement<T extends readonly unknown[] = QueryResultRow[]> extends Promise<RowList<T>> {
  /** Sends it now rather than when it is awaited. */
  execute(): this
  /** Begins a `copy … from stdin` in a transaction. */
  copyIn(): Promise<CopyIn>
  /** Reads a `copy … to stdout` in a transaction, in pieces of many rows. */
  copyOut(): AsyncGenerator<Buffer>
}

/** A pool or a transaction: for statements that work in both. */
export interface Queryable {
  <T extends readonly unknown[] = QueryResultRow[]>(
    strings: TemplateStringsArray,
    ...values: readonly unknown[]
  ): Statement<T>
  /** Names with commas between. */
  (names: string | readonly string[]): Names
  /** Rows to insert. */
  (rows: readonly object[]): Rows
  /** Columns to set. */
  (columns: object): Assignments
  /** A text of our own: one statement that is sent once, or a script of several. */
  unsafe<T extends readonly unknown[] = QueryResultRow[]>(text: string): Statement<T>
  json(value: unknown): JsonValue
}

export interface Transaction extends Queryable {
  /** Undoes `work` if it fails, and the transaction goes on. */
  savepoint<T>(work: (inner: Transaction) => Promise<T> | T): Promise<T>
}

export interface Begin {
  <T>(work: (tx: Transaction) => Promise<T> | T): Promise<T>
  <T>(mode: string, work: (tx: Transaction) => Promise<T> | T): Promise<T>
}

export interface Pool extends Queryable {
  begin: Begin
  end(options?: { readonly timeout?: number }): Promise<void>
  /** Tells of every statement that is sent from now on, for measurements. */
  onStatement: ((text: string) => void) | null
}

/** Target of statements. */
interface Session {
  run(statement: StatementText): Promise<RowList<unknown[]>>
  copyIn(text: string): Promise<CopyIn>
  copyOut(text: string): AsyncGenerator<Buffer>
}

class LazyStatement {
  readonly #session: Session
  readonly #template: Template
  readonly #isOnce: boolean
  #result: Promise<RowList<unknown[]>> | null = null

  constructor(session: Session, template: Template, isOnce: boolean) {
    this.#session = session
    this.#template = template
    this.#isOnce = isOnce
  }

  static templateOf(value: unknown): Template | null {
    return value instanceof LazyStatement ? value.#template : null
  }

  #write(): StatementText {
    const statement = formatStatement(this.#template, LazyStatement.templateOf)
    return this.#isOnce ? { ...statement, name: null } : statement
  }

  #send(): Promise<RowList<unknown[]>> {
    this.#result ??= (async () => this.#session.run(this.#write()))()
    return this.#result
  }

  execute(): this {
    // The waiting caller hears of a failure, and so does its transaction.
    this.#send().catch(() => {})
    return this
  }

  copyIn(): Promise<CopyIn> {
    return this.#session.copyIn(this.#write().text)
  }

  copyOut(): AsyncGenerator<Buffer> {
    return this.#session.copyOut(this.#write().text)
  }

  // biome-ignore lint/suspicious/noThenProperty: it is awaited like a promise, and that is when it is sent.
  then(onDone: unknown, onFailed: unknown): Promise<unknown> {
    return this.#send().then(onDone as never, onFailed as never)
  }

  catch(onFailed: unknown): Promise<unknown> {
    return this.#send().catch(onFailed as never)
  }

  finally(onEnd: unknown): Promise<unknown> {
    return this.#send().finally(onEnd as never)
  }
}

function makeQueryable(session: Session): Queryable {
  const tag = (first: unknown, ...values: readonly unknown[]): unknown => {
    if (typeof first === 'string') return new Names([first])
    if (!Array.isArray(first)) return new Assignments(first as Readonly<Record<string, unknown>>)
    if ('raw' in first) return new LazyStatement(session, { strings: first, values }, false)
    return typeof first[0] === 'string' ? new Names(first) : new Rows(first)
  }
  const unsafe = (text: string) => new LazyStatement(session, { strings: [text], values: [] }, true)
  return Object.assign(tag, { unsafe, json: (value: unknown) => new JsonValue(value) }) as unknown as Queryable
}

/** Frame of a pool around the work that has one of its connections. */
export interface Guard {
  /** Called before a connection is asked for; may refuse by throwing. */
  check(): void
  around<T>(work: () => Promise<T>): Promise<T>
}

export function openPool(options: ConnectionPoolOptions, guard: Guard | null = null): Pool {
  const connections = new ConnectionPool({ ...options, onStatement: text => pool.onStatement?.(text) })
  const runOnce = async (statement: StatementText) => {
    const connection = await connections.acquire()
    try {
      return await connection.run<unknown[]>(statement)
    } finally {
      connections.release(connection)
    }
  }
  const noCopy = () => {
    throw new Error('a COPY needs a transaction')
  }
  const session: Session = {
    async run(statement) {
      guard?.check()
      // The statement is prepared again on another connection; nothing was done yet.
      return tracedQuery(statement.text, () =>
        runOnce(statement).catch(error => (isStaleError(error) ? runOnce(statement) : Promise.reject(error))),
      )
    },
    copyIn: noCopy,
    copyOut: noCopy,
  }
  const begin = async (...words: readonly unknown[]) => {
    guard?.check()
    const work = words.at(-1) as (tx: Transaction) => unknown
    const mode = words.length > 1 ? String(words[0]) : ''
    const guardedWork = async (tx: Transaction) => (guard === null ? work(tx) : guard.around(async () => work(tx)))
    const run = async () => {
      const connection = await connections.acquire()
      try {
        return await beginOn(connection, mode, guardedWork)
      } finally {
        connections.release(connection)
      }
    }
    return tracedQuery(null, run)
  }
  const end: Pool['end'] = how => connections.end(how)
  const pool: Pool = Object.assign(makeQueryable(session), { begin: begin as Begin, end, onStatement: null })
  return pool
}

/** One transaction, or the part of it after a savepoint. */
class Scope implements Session {
  readonly #connection: Connection
  #isOver = false
  /** The first statement that failed: nothing after it counts, even if the caller ignored it. */
  failure: unknown = null

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async run(statement: StatementText): Promise<RowList<unknown[]>> {
    try {
      const connection = this.#connected()
      return await tracedQuery(statement.text, () => connection.run<unknown[]>(statement))
    } catch (error) {
      this.#note(error)
      throw error
    }
  }

  async copyIn(text: string): Promise<CopyIn> {
    return this.#connected().copyIn(text, error => this.#note(error))
  }

  copyOut(text: string): AsyncGenerator<Buffer> {
    return this.#connected().copyOut(text, error => this.#note(error))
  }

  /** Ends the use: a later statement would run outside of the transaction. */
  leave(): void {
    this.#isOver = true
  }

  #connected(): Connection {
    if (this.#isOver) throw new Error('this transaction is over')
    return this.#connection
  }

  #note(error: unknown): void {
    this.failure ??= error
  }
}

async function beginOn<T>(connection: Connection, mode: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
  await connection.runText(`begin ${mode}`)
  // A lost connection ends the wait for the work, which may be waiting for something else.
  const lost = Promise.withResolvers<never>()
  lost.promise.catch(() => {})
  connection.onLost = lost.reject
  try {
    return await Promise.race([inScope(connection, work, null), lost.promise])
  } finally {
    connection.onLost = null
  }
}

const failedTransaction = '25P02'

/** `place` is the savepoint that it began with, and null for the whole transaction. */
async function inScope<T>(
  connection: Connection,
  work: (tx: Transaction) => Promise<T> | T,
  place: string | null,
): Promise<T> {
  const scope = new Scope(connection)
  let savepoints = 0
  const savepoint: Transaction['savepoint'] = async inner => {
    const name = `${place ?? 's'}_${++savepoints}`
    await scope.run({ text: `savepoint ${name}`, parameters: [], name: null })
    return inScope(connection, inner, name)
  }
  try {
    const result = await work(Object.assign(makeQueryable(scope), { savepoint }))
    if (scope.failure !== null) throw scope.failure
    scope.leave()
    if (place === null) await connection.runText('commit')
    // Statements that nobody waited for are answered before the end is.
    if (scope.failure !== null) throw scope.failure
    return result
  } catch (error) {
    scope.leave()
    await connection.endCopy()
    // A rollback fails only with its connection, which nobody gets again then.
    await connection.runText(place === null ? 'rollback' : `rollback to ${place}`).catch(() => connection.destroy())
    const isConsequence = (error as { code?: unknown } | null)?.code === failedTransaction
    throw isConsequence ? (scope.failure ?? error) : error
  }
}
