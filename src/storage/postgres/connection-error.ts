// A connection to the database that could not be opened, or that is gone. Errors that the database reports are the driver's
// own.

/** Codes that neither the system nor the driver names. */
export type ConnectionCode = keyof typeof sentences

const sentences = {
  CONNECTION_CLOSED: 'the connection to the database was closed',
  CONNECTION_ENDED: 'the connections to the database are being closed',
  CONNECTION_DESTROYED: 'the connection to the database was closed from this side',
  CONNECT_TIMEOUT: 'the database did not answer in time',
  STANDBY: 'this database is a standby',
  NO_ANSWER: 'the database did not answer a statement in time',
} as const

export class ConnectionError extends Error {
  /** A code of ours, or of the system, such as `ECONNREFUSED`. */
  readonly code: string
  /** Name of the call, as the system's errors have it. */
  readonly syscall: string | undefined

  constructor(code: string, message: string, syscall?: string) {
    super(message)
    this.name = 'ConnectionError'
    this.code = code
    this.syscall = syscall
  }

  static of(code: ConnectionCode): ConnectionError {
    return new ConnectionError(code, sentences[code])
  }

  /** Error of a socket, of encryption, or of all addresses that a name stands for. */
  static from(error: NodeJS.ErrnoException): ConnectionError {
    const all = error instanceof AggregateError ? error.errors.map(each => (each as Error).message) : [error.message]
    return new ConnectionError(error.code!, all.join('; '), error.syscall)
  }
}
