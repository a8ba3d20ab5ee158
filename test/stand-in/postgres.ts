// A server that speaks as much of PostgreSQL's protocol as a connection needs to find the primary: its start, what it reports
// about itself, and answers to plain statements. It can be promoted, demoted and frozen, which a real one does not do quickly.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

type Role = 'primary' | 'standby' | 'demoted'

function message(type: string, ...parts: readonly (string | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(part) : part)))
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const int = (value: number, bytes: 2 | 4) => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeIntBE(value, 0, bytes)
  return buffer
}

const ready = message('Z', 'I')
const textType = 25

function rowOf(cells: Readonly<Record<string, string | null>>): Buffer {
  const columns = Object.keys(cells).map(name =>
    Buffer.concat([
      Buffer.from(`${name}\0`),
      int(0, 4),
      int(0, 2),
      int(textType, 4),
      int(-1, 2),
      int(-1, 4),
      int(0, 2),
    ]),
  )
  const values = Object.values(cells).map(text =>
    text === null ? int(-1, 4) : Buffer.concat([int(Buffer.byteLength(text), 4), Buffer.from(text)]),
  )
  return Buffer.concat([
    message('T', int(columns.length, 2), ...columns),
    message('D', int(values.length, 2), ...values),
    message('C', 'SELECT 1\0'),
    ready,
  ])
}

const errorOf = (severity: string, code: string, text: string) =>
  message('E', `S${severity}\0V${severity}\0C${code}\0M${text}\0\0`)

export class PostgresStandIn {
  role: Role
  timeline: number
  /** Accepts connections and answers nothing, as a server does whose processes are stopped. */
  isFrozen = false
  isLoginWrong = false
  /** How often somebody connected. */
  visits = 0
  /** Statements that came while it was frozen. */
  unanswered = 0
  readonly #name: string
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(name: string, role: Role, timeline: number) {
    this.#name = name
    this.role = role
    this.timeline = timeline
    this.#server = createServer(socket => this.#serve(socket))
  }

  static async open(name: string, role: Role, timeline = 1): Promise<PostgresStandIn> {
    const standIn = new PostgresStandIn(name, role, timeline)
    standIn.#server.listen(0, '127.0.0.1')
    await once(standIn.#server, 'listening')
    return standIn
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** How many are connected. */
  get guests(): number {
    return this.#sockets.size
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  #serve(socket: Socket): void {
    this.visits++
    this.#sockets.add(socket)
    socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket))
    socket.once('data', () => {
      if (this.isFrozen) return
      socket.write(this.#welcome())
      socket.on('data', sent => {
        if (sent[0] !== 'Q'.charCodeAt(0)) return
        if (this.isFrozen) this.unanswered++
        else socket.write(this.#answer(sent.toString('latin1')))
      })
    })
  }

  #welcome(): Buffer {
    if (this.isLoginWrong) return errorOf('FATAL', '28P01', 'password authentication failed')
    const reported = { in_hot_standby: this.role === 'standby' ? 'on' : 'off', server_version: '15.0' }
    const lines = Object.entries(reported).map(([name, value]) => message('S', `${name}\0${value}\0`))
    return Buffer.concat([message('R', int(0, 4)), ...lines, ready])
  }

  #answer(statement: string): Buffer {
    if (statement.includes('pg_walfile_name')) {
      const timeline = this.timeline.toString(16).padStart(8, '0')
      return rowOf({ read_only: 'off', wal_file: `${timeline}0000000000000001` })
    }
    if (this.role === 'demoted')
      return Buffer.concat([errorOf('ERROR', '25006', 'cannot execute INSERT in a read-only transaction'), ready])
    return rowOf({ name: this.#name })
  }
}
