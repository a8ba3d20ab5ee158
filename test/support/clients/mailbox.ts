// A real mail server of the tests, on this machine: it keeps what it is sent, can be stopped and started on the same port, and
// can refuse.
import { setTimeout as wait } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  /** Of the envelope. */
  readonly to: string
  readonly headers: ReadonlyMap<string, string>
  readonly subject: string
  readonly text: string
  readonly html: string
  /** As it came. */
  readonly raw: string
}

/**
 * Below the ports that systems hand out by themselves: while it is stopped nobody is given its port, so that it can come back
 * on it.
 */
const lowestPort = 20_000
const ports = 12_000
const mostTries = 50

export class Mailbox {
  readonly mails: ReceivedMail[] = []
  #server: SMTPServer | null = null
  #port = 0
  readonly #login: { readonly user: string; readonly password: string } | null
  /** The answer to a recipient instead of accepting it. */
  refusal: { readonly code: number; readonly message: string } | null = null
  /** How long accepting a mail takes. */
  slowMs = 0

  constructor(login: { readonly user: string; readonly password: string } | null = null) {
    this.#login = login
  }

  async start(): Promise<void> {
    const login = this.#login
    const server = new SMTPServer({
      disabledCommands: login === null ? ['AUTH', 'STARTTLS'] : ['STARTTLS'],
      authOptional: login === null,
      allowInsecureAuth: true,
      logger: false,
      onAuth: ({ username, password }, _session, done) => {
        if (username === login?.user && password === login?.password) done(null, { user: username })
        else done(new Error('wrong user or password'))
      },
      onRcptTo: (_address, _session, done) => {
        if (this.refusal === null) done()
        else done(Object.assign(new Error(this.refusal.message), { responseCode: this.refusal.code }))
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = []
        stream.on('data', chunk => chunks.push(chunk))
        stream.on('end', async () => {
          await wait(this.slowMs)
          const [to] = session.envelope.rcptTo
          this.mails.push(readMail(to?.address ?? '', Buffer.concat(chunks).toString('latin1')))
          done()
        })
      },
    })
    server.on('error', () => {})
    this.#port = await this.#listen(server)
    this.#server = server
  }

  /** The port of last time, or the first of some that is free. */
  async #listen(server: SMTPServer): Promise<number> {
    for (let tries = 1; ; tries++) {
      const port = this.#port || lowestPort + Math.floor(Math.random() * ports)
      const problem = await new Promise<{ readonly code?: string } | null>(resolve => {
        server.server.once('error', resolve)
        server.server.listen(port, '127.0.0.1', () => {
          server.server.off('error', resolve)
          resolve(null)
        })
      })
      if (problem === null) return port
      if (this.#port !== 0 || problem.code !== 'EADDRINUSE' || tries === mostTries) throw problem
    }
  }

  get url(): string {
    const login = this.#login === null ? '' : `${this.#login.user}:${encodeURIComponent(this.#login.password)}@`
    return `smtp://${login}127.0.0.1:${this.#port}`
  }

  async stop(): Promise<void> {
    const server = this.#server
    this.#server = null
    await new Promise<void>(resolve => (server === null ? resolve() : server.close(resolve)))
  }

  to(email: string): readonly ReceivedMail[] {
    return this.mails.filter(mail => mail.to === email)
  }

  /** When there are so many, and still no more after `quiet`, which waits until nothing more is on its way. */
  async settle(
    count: number,
    quiet: () => Promise<void>,
    is: (mail: ReceivedMail) => boolean,
  ): Promise<readonly ReceivedMail[]> {
    for (const end = Date.now() + 60_000; Date.now() < end; await wait(10))
      if (this.mails.filter(is).length >= count) break
    await quiet()
    const found = this.mails.filter(is)
    if (found.length !== count)
      throw new Error(
        `${count} mails were expected, ${found.length} came: ${found.map(each => `${each.to} ${each.subject}`).join('; ')}`,
      )
    return found
  }
}

function readMail(to: string, raw: string): ReceivedMail {
  const { headers, body } = split(raw)
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1]
  const parts =
    boundary === undefined
      ? [{ headers, body }]
      : body.split(`--${boundary}`).map(part => split(part.replace(/^\r\n/, '')))
  const partOf = (type: string) => {
    const part = parts.find(each => each.headers.get('content-type')?.startsWith(type) === true)
    return part === undefined ? '' : decode(part)
  }
  return {
    to,
    headers,
    subject: decodeWords(headers.get('subject') ?? ''),
    text: partOf('text/plain'),
    html: partOf('text/html'),
    raw,
  }
}

interface MailPart {
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

function split(text: string): MailPart {
  const at = text.indexOf('\r\n\r\n')
  const head = text.slice(0, at).replaceAll(/\r\n[ \t]+/g, ' ')
  const headers = new Map(
    head
      .split('\r\n')
      .map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  return { headers, body: text.slice(at + 4) }
}

function decode({ headers, body }: MailPart): string {
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase()
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1').toString('utf8')
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

function decodeWords(text: string): string {
  return text.replaceAll(/=\?utf-8\?([BQ])\?([^?]*)\?=\s*/gi, (_, kind, words) =>
    kind.toUpperCase() === 'B'
      ? Buffer.from(words, 'base64').toString('utf8')
      : decode({
          headers: new Map([['content-transfer-encoding', 'quoted-printable']]),
          body: words.replaceAll('_', ' '),
        }),
  )
}
