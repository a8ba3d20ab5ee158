// A pooler in transaction mode, as small as one can be: every transaction gets the session that was not used for longest, so
// that nothing of a session that a client relies on is there the next time. Like PgBouncer it refuses what a connection begins
// with, or drops it. It asks for no password; its sessions belong to the one role it was given.
import { type AddressInfo, createServer, type Socket } from 'node:net'
import pg from 'pg'

export interface StandInPooler {
  readonly port: number
  /** How many sessions of the server it has ever used, and for how many transactions. */
  readonly counts: { sessions: number; transactions: number }
  close(): Promise<void>
}

interface PoolerOptions {
  readonly login: pg.ClientConfig
  readonly sessions: number
  /** What it does about settings that a connection begins with. */
  readonly settings?: 'refused' | 'dropped'
}

const sslRequest = 80_877_103
const known = new Set(['user', 'database', 'client_encoding', 'application_name', 'DateStyle', 'TimeZone'])

/** Messages out of bytes; each begins with its kind and its length. */
function messagesFrom(onMessage: (kind: string, message: Buffer) => void): (bytes: Buffer) => void {
  let held: Buffer = Buffer.alloc(0)
  return bytes => {
    held = Buffer.concat([held, bytes])
    while (held.length >= 5 && held.length > held.readUInt32BE(1)) {
      const length = held.readUInt32BE(1) + 1
      const message = held.subarray(0, length)
      held = held.subarray(length)
      onMessage(String.fromCharCode(message[0]!), message)
    }
  }
}

function write(kind: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(kind), length, body])
}

const letIn = Buffer.concat([write('R', Buffer.alloc(4)), write('Z', Buffer.from('I'))])

function refuse(message: string): Buffer {
  return write('E', Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${message}\0\0`))
}

interface Session {
  readonly stream: Socket
  client: Client | null
}

class Client {
  readonly #socket: Socket
  readonly #pooler: Sessions
  #session: Session | null = null
  /** What came before there was a session for it; null before anything of a transaction. */
  #waiting: Buffer[] | null = null
  /** Answers that are still to come. */
  #open = 0

  constructor(socket: Socket, pooler: Sessions) {
    this.#socket = socket
    this.#pooler = pooler
    socket.on(
      'data',
      messagesFrom((kind, message) => this.#take(kind, message)),
    )
    socket.on('close', () => {
      if (this.#session !== null) pooler.drop(this.#session)
    })
  }

  #take(kind: string, message: Buffer): void {
    if (kind === 'X') {
      this.#socket.end()
      return
    }
    if (kind === 'Q' || kind === 'S') this.#open++
    if (this.#session !== null) this.#session.stream.write(message)
    else if (this.#waiting !== null) this.#waiting.push(message)
    else {
      this.#waiting = [message]
      void this.#pooler.take().then(session => this.#begin(session))
    }
  }

  #begin(session: Session): void {
    if (this.#socket.destroyed) {
      this.#pooler.give(session)
      return
    }
    session.client = this
    this.#session = session
    for (const message of this.#waiting ?? []) session.stream.write(message)
    this.#waiting = null
  }

  answer(kind: string, message: Buffer): void {
    this.#socket.write(message)
    const isIdle = kind === 'Z' && --this.#open === 0 && message[5] === 'I'.charCodeAt(0)
    if (!isIdle || this.#session === null) return
    const session = this.#session
    this.#session = null
    session.client = null
    this.#pooler.give(session)
  }
}

class Sessions {
  readonly counts = { sessions: 0, transactions: 0 }
  readonly #login: pg.ClientConfig
  readonly #free: Session[] = []
  readonly #waiting: ((session: Session) => void)[] = []
  readonly #all = new Set<Session>()
  readonly #most: number
  #opening = 0

  constructor(login: pg.ClientConfig, most: number) {
    this.#login = login
    this.#most = most
  }

  async #add(): Promise<void> {
    this.#opening++
    const session = await this.#open().finally(() => this.#opening--)
    this.#all.add(session)
    this.counts.sessions++
    this.give(session)
  }

  async #open(): Promise<Session> {
    const client = new pg.Client(this.#login)
    await client.connect()
    // The driver has let us in; from here on messages are passed on as they are.
    const stream = client.connection.stream as Socket
    for (const event of ['data', 'error', 'close', 'end']) stream.removeAllListeners(event)
    const session: Session = { stream, client: null }
    stream.on(
      'data',
      messagesFrom((kind, message) => session.client?.answer(kind, Buffer.from(message))),
    )
    stream.on('error', () => {})
    return session
  }

  /** Opens all that it may have before it uses one again. */
  take(): Promise<Session> {
    this.counts.transactions++
    const { promise, resolve } = Promise.withResolvers<Session>()
    this.#waiting.push(resolve)
    if (this.#all.size + this.#opening < this.#most) void this.#add()
    else if (this.#free.length > 0) this.give(this.#free.shift()!)
    return promise
  }

  give(session: Session): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free.push(session)
    else next(session)
  }

  /** A client left in the middle: what it had begun ends with its session. */
  drop(session: Session): void {
    this.#all.delete(session)
    session.stream.destroy()
  }

  close(): void {
    for (const { stream } of this.#all) stream.destroy()
  }
}

export async function openPooler({ login, sessions, settings = 'refused' }: PoolerOptions): Promise<StandInPooler> {
  const all = new Sessions(login, sessions)
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    const begin = (bytes: Buffer) => {
      if (bytes.readUInt32BE(4) === sslRequest) {
        socket.write('N')
        socket.once('data', begin)
        return
      }
      const words = bytes.subarray(8).toString('utf8').split('\0')
      const stranger = words.find((word, i) => i % 2 === 0 && word !== '' && !known.has(word))
      if (stranger !== undefined && settings === 'refused') {
        socket.end(refuse(`unsupported startup parameter: ${stranger}`))
        return
      }
      new Client(socket, all)
      socket.write(letIn)
    }
    socket.once('data', begin)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    counts: all.counts,
    async close() {
      for (const socket of sockets) socket.destroy()
      all.close()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
