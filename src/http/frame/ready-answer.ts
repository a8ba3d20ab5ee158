// An answer that is written to the connection itself, without node's response: the same bytes in the same order, with
// node's own headers after ours. Only for a body that is there and goes out as it is, on a connection that stays open.
import type { Socket } from 'node:net'
import { limits } from '../../limits.ts'
import type { Answer } from './answer.ts'

/** Whether nothing has to be looked at for each request: it is not compressed, not made while it is sent and no refusal. */
export function isReady({ status, stream, packed, length }: Answer, takesEncoded: boolean): boolean {
  if (status !== 200 || stream !== null) return false
  return !takesEncoded || (packed === null && length <= limits.compressFromBytes)
}

/** The lines that node adds to an answer, with the time, which is written out once a second. */
export class NodeLines {
  readonly #ending: string
  #text = ''
  #untilMs = Number.NEGATIVE_INFINITY

  constructor(keepAliveMs: number) {
    this.#ending = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1000)}\r\n\r\n`
  }

  /** `nowMs` is monotonic. */
  at(nowMs: number): string {
    if (nowMs >= this.#untilMs) {
      const wallMs = Date.now()
      this.#untilMs = nowMs + 1000 - (wallMs % 1000)
      this.#text = `Date: ${new Date(wallMs).toUTCString()}\r\n${this.#ending}`
    }
    return this.#text
  }
}

/** `lines` are finished; `headers` are the answer's own, as name, value. */
export function writeReady(socket: Socket, answer: Answer, lines: string, nodeLines: string): void {
  const { headers, text, chunks, ending } = answer
  let head = `HTTP/1.1 200 OK\r\n${lines}${answer.lines}`
  for (let i = 0; i < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`
  head += `content-length: ${answer.length}\r\n${nodeLines}`
  if (chunks.length === 0) {
    socket.write(head + text + ending, 'latin1')
    return
  }
  socket.cork()
  socket.write(head + text, 'latin1')
  for (const chunk of chunks) socket.write(chunk)
  if (ending !== '') socket.write(ending, 'latin1')
  socket.uncork()
}
