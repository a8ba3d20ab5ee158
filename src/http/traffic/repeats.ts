// Requests that repeat the headers of an earlier one, as those of a program do: only the address differs. What the headers
// say is known then, so such a request may be answered before node's parser reads it. Whatever is not exactly that goes to
// the parser, and so does the first request of every connection (decision 0825).
import { hash } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Connections } from './connections.ts'

/** What was found out from the headers of a request, and answers others with the same. */
export interface KnownHeaders {
  /** Whether it was answered; nothing was written otherwise. `target` is the address as it came. */
  answer(target: string, socket: Socket): boolean
}

/** Blocks of headers that are known at a time: one for each program that asks, or a few. */
const mostBlocks = 5_000
/** Heads in a row that nothing was known about: it is no program that asks the API. */
const mostUnknown = 4
/** Longer ones are rare, and read by the parser. */
const mostHeadBytes = 4096

const listener = Symbol('repeats')
type Heard = Socket & { [listener]?: Repeats }

/** Requests with these headers may be answered by what is known of them. */
export function rememberHeaders({ socket }: IncomingMessage, know: () => KnownHeaders | null): void {
  ;(socket as Heard)[listener]?.remember(know)
}

/** The parser has read the head of a request. */
export function noteParsed(req: IncomingMessage): void {
  ;(req.socket as Heard)[listener]?.parsed(req)
}

/** From now on, for every new connection of the server. */
export function listenForRepeats(server: Server, connections: Connections): void {
  const blocks: KnownBlocks = new Map()
  server.on('connection', (socket: Socket) => {
    // The parser's own. Should node come to read in another way, everything goes that way.
    const [parse, ...others] = socket.listeners('data') as ((piece: Buffer) => void)[]
    if (parse === undefined || others.length > 0) return
    ;(socket as Heard)[listener] = new Repeats(socket, parse, connections, blocks)
  })
}

/** By the hash of their bytes, because no key is stored in memory; the one known for the longest time comes first. */
type KnownBlocks = Map<string, KnownHeaders>

class Repeats {
  readonly #socket: Socket
  readonly #parse: (piece: Buffer) => void
  readonly #connections: Connections
  readonly #blocks: KnownBlocks
  readonly #take = (piece: Buffer) => this.#read(piece)
  #isFirst = true
  /** Of the headers that the parser has; null where nothing can be learned from them. */
  #digest: string | null = null
  #unknown = 0
  /** What the parser made of a piece: how many requests, and whether none of them can have a body. */
  #requests = 0
  #isPlain = true

  constructor(socket: Socket, parse: (piece: Buffer) => void, connections: Connections, blocks: KnownBlocks) {
    this.#socket = socket
    this.#parse = parse
    this.#connections = connections
    this.#blocks = blocks
    socket.on('data', this.#take)
    socket.off('data', parse)
  }

  remember(know: () => KnownHeaders | null): void {
    const known = this.#digest === null ? null : know()
    if (this.#digest === null || known === null) return
    for (const oldest of this.#blocks.keys()) {
      if (this.#blocks.size < mostBlocks) break
      this.#blocks.delete(oldest)
    }
    this.#blocks.set(this.#digest, known)
    this.#digest = null
    this.#unknown = 0
  }

  parsed({ headers, method, httpVersion }: IncomingMessage): void {
    this.#requests++
    const isBodiless = headers['content-length'] === undefined && headers['transfer-encoding'] === undefined
    this.#isPlain &&= isBodiless && httpVersion === '1.1' && (method === 'GET' || method === 'HEAD')
  }

  #read(piece: Buffer): void {
    const lineEnd = lineEndOf(piece)
    // With no other under way, this is where one begins, and answers keep their order.
    if (lineEnd < 0 || !this.#connections.isAnswered(this.#socket)) {
      this.#leave(piece)
      return
    }
    const digest = hash('sha256', piece.subarray(lineEnd), 'latin1')
    const known = this.#blocks.get(digest)
    if (known !== undefined && this.#mayAnswer) {
      const target = piece.toString('latin1', methodLength, lineEnd - versionLength)
      if (known.answer(target, this.#socket)) {
        this.#connections.noteAnswered(this.#socket)
        return
      }
    }
    this.#isFirst = false
    this.#digest = known === undefined ? digest : null
    this.#requests = 0
    this.#isPlain = true
    this.#parse(piece)
    // Only then is it certain that the next byte begins a request.
    const isWhole = this.#requests === 1 && this.#isPlain
    if (known === undefined) this.#unknown++
    if (!isWhole || this.#unknown > mostUnknown) this.#leave(null)
  }

  /**
   * Node watches how long the first one takes to arrive, the last one says that it is, and no second answer waits in memory
   * for a client that reads slowly.
   */
  get #mayAnswer(): boolean {
    return !this.#isFirst && !this.#connections.isStopping && this.#socket.writableLength === 0
  }

  /** All that comes goes to the parser from now on. */
  #leave(piece: Buffer | null): void {
    this.#digest = null
    delete (this.#socket as Heard)[listener]
    this.#socket.on('data', this.#parse)
    this.#socket.off('data', this.#take)
    if (piece !== null) this.#parse(piece)
  }
}

const beginning = Buffer.from('GET /')
const methodLength = 'GET '.length
const version = Buffer.from(' HTTP/1.1\r\n')
const versionLength = version.length
const headEnd = Buffer.from('\r\n\r\n')
const space = 0x20

/**
 * Where the first line ends in a piece that is the whole head of one request and nothing else; -1 otherwise. The address
 * may still contain anything but a space: it counts only where the parser has accepted the same before.
 */
function lineEndOf(piece: Buffer): number {
  const { length } = piece
  if (length > mostHeadBytes || !startsWith(piece, beginning, 0)) return -1
  if (piece.indexOf(headEnd) !== length - headEnd.length) return -1
  const end = piece.indexOf(space, methodLength)
  return startsWith(piece, version, end) ? end + versionLength : -1
}

function startsWith(piece: Buffer, bytes: Buffer, from: number): boolean {
  if (from < 0 || piece.length - from < bytes.length) return false
  for (let i = 0; i < bytes.length; i++) if (piece[from + i] !== bytes[i]) return false
  return true
}
