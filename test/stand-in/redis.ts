// A server that speaks as much of Redis's protocol as the limiter needs: it answers each command by a function.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

type Answer = string | number | null | Error | readonly Answer[]
/** Undefined: no answer at all, as of one that is frozen. */
type Answering = (words: readonly string[]) => Answer | undefined

function write(answer: Answer): string {
  if (answer === null) return '*-1\r\n'
  if (answer instanceof Error) return `-ERR ${answer.message}\r\n`
  if (typeof answer === 'number') return `:${answer}\r\n`
  if (typeof answer === 'string') return `$${Buffer.byteLength(answer)}\r\n${answer}\r\n`
  return `*${answer.length}\r\n${answer.map(write).join('')}`
}

/** Commands arrive whole: they are short. */
function commandsIn(text: string): string[][] {
  const lines = text.split('\r\n')
  const commands: string[][] = []
  for (let i = 0; lines[i]?.startsWith('*'); ) {
    const words = Number(lines[i]!.slice(1))
    commands.push(Array.from({ length: words }, (_, word) => lines[i + 2 + word * 2]!))
    i += 1 + words * 2
  }
  return commands
}

export class RedisStandIn {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #answer: Answering

  private constructor(answer: Answering) {
    this.#answer = answer
    this.#server = createServer(socket => {
      this.#sockets.add(socket)
      socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket))
      socket.on('data', sent => {
        for (const words of commandsIn(sent.toString())) {
          const answer = this.#answer(words)
          if (answer !== undefined) socket.write(write(answer))
        }
      })
    })
  }

  static async open(answer: Answering, port = 0): Promise<RedisStandIn> {
    const standIn = new RedisStandIn(answer)
    standIn.#server.listen(port, '127.0.0.1')
    await once(standIn.#server, 'listening')
    return standIn
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }
}
