// One connection that stays open, on which a test sends bytes in the pieces it likes and reads whole answers.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface RawWhole {
  /** First line and headers, in the order and spelling they came in. */
  readonly lines: readonly string[]
  readonly body: string
}

export class RawConnection {
  readonly #socket: Socket
  #text = ''
  #isClosed = false

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', piece => {
      this.#text += piece.toString('latin1')
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#isClosed = true
    })
  }

  static async open(port: number): Promise<RawConnection> {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return new RawConnection(socket)
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** A piece of its own: the server has read it before the next one is sent. */
  async send(piece: string): Promise<void> {
    if (!this.#isClosed) this.#socket.write(piece, 'latin1')
    // The server runs in this process too: it reads between two turns of the loop.
    for (let turn = 0; turn < 3; turn++) await new Promise(resolve => setImmediate(resolve))
  }

  async ask(piece: string): Promise<RawWhole> {
    await this.send(piece)
    return this.answer()
  }

  /** The next whole answer; of a connection that was closed without one, no lines. */
  async answer(isHead = false): Promise<RawWhole> {
    for (;;) {
      const end = this.#text.indexOf('\r\n\r\n')
      const length = /\r\ncontent-length: (\d+)/i.exec(end < 0 ? '' : this.#text.slice(0, end))?.[1]
      const whole = end + 4 + (isHead || length === undefined ? 0 : Number.parseInt(length, 10))
      if (end >= 0 && this.#text.length >= whole) {
        const answer = { lines: this.#text.slice(0, end).split('\r\n'), body: this.#text.slice(end + 4, whole) }
        this.#text = this.#text.slice(whole)
        return answer
      }
      if (this.#isClosed) return { lines: [], body: '' }
      await Promise.race([once(this.#socket, 'data'), once(this.#socket, 'close')])
    }
  }

  close(): void {
    this.#socket.destroy()
  }
}
