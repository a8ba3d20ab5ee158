// Every destination of the audit stream, over real sockets and files: what arrives, what counts as a receipt, and what does not.
import { createSocket } from 'node:dgram'
import { appendFile, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer as createHttp, type IncomingMessage } from 'node:http'
import { type AddressInfo, createServer as createTcp, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTls } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AskedToWait, type AuditLine, type Destination } from '../../src/audit/audit-line.ts'
import { auditFile } from '../../src/audit/file.ts'
import { auditReceiver } from '../../src/audit/receiver.ts'
import { auditOutput } from '../../src/audit/standard-output.ts'
import { auditSyslog } from '../../src/audit/syslog.ts'
import { readConfig } from '../../src/config.ts'
import { resolveBySystem } from '../../src/outbound/address.ts'
import { guardedRequests } from '../../src/outbound/guarded-request.ts'
import { PrivateHosts } from '../../src/outbound/private-hosts.ts'
import { selfSigned } from '../support/identity/self-signed.ts'

const lines: readonly AuditLine[] = ['{"a":1}', '{"ü":"é"}'].map((text, i) => ({
  ...{ text, atMs: Date.UTC(2026, 2, 1, 8, 0, i), severity: i + 1, classUid: 3002 },
}))
const send = (destination: Destination) => destination.send(lines, AbortSignal.timeout(20_000))
const closing: (() => unknown)[] = []
afterAll(() => Promise.all(closing.map(each => each())))

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assize-audit-'))
  closing.push(() => rm(folder, { recursive: true }))
})

describe('a file', () => {
  test('is made for its owner alone, has every line, and is begun again when it was renamed', async () => {
    const path = join(folder, 'audit.jsonl')
    const file = auditFile(path)
    await send(file)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    await rename(path, `${path}.1`)
    await send(file)
    await send(file)
    await file.close()
    const text = '{"a":1}\n{"ü":"é"}\n'
    expect([await readFile(`${path}.1`, 'utf8'), await readFile(path, 'utf8')]).toEqual([text, text + text])
  })

  test('loses the half line that a crash left, and nothing else', async () => {
    const path = join(folder, 'crashed.jsonl')
    await writeFile(path, '{"whole":true}\n')
    await appendFile(path, `{"half":"${'x'.repeat(200_000)}`)
    const file = auditFile(path)
    await send(file)
    await file.close()
    expect(await readFile(path, 'utf8')).toBe('{"whole":true}\n{"a":1}\n{"ü":"é"}\n')
  })

  test('that cannot be written is a failure', async () => {
    await expect(send(auditFile(join(folder, 'missing', 'audit.jsonl')))).rejects.toThrow('ENOENT')
  })
})

test('standard output gets one line each', async () => {
  let written = ''
  await send(
    auditOutput(async text => {
      written += text
    }),
  )
  expect(written).toBe('{"a":1}\n{"ü":"é"}\n')
})

const messages = [
  '<110>1 2026-03-01T08:00:00.000Z - assize - 3002 - {"a":1}',
  '<109>1 2026-03-01T08:00:01.000Z - assize - 3002 - {"ü":"é"}',
]
const counted = messages.map(each => `${Buffer.byteLength(each)} ${each}`).join('')

function listening(server: { listen(port: number, host: string, then: () => void): unknown; address(): unknown }) {
  return new Promise<number>(resolve =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  )
}

describe('syslog', () => {
  test('over UDP is one datagram each', async () => {
    const socket = createSocket('udp4')
    closing.push(() => socket.close())
    const arrived: string[] = []
    const both = new Promise<void>(resolve =>
      socket.on('message', message => {
        if (arrived.push(message.toString()) === 2) resolve()
      }),
    )
    await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve))
    const { port } = socket.address()
    await send(auditSyslog({ kind: 'syslog', name: '', transport: 'udp', host: '127.0.0.1', port }))
    await both
    expect(arrived).toEqual(messages)
  })

  const received = (onSocket: (socket: Socket, text: () => string) => void) => (socket: Socket) => {
    const pieces: Buffer[] = []
    socket.on('data', piece => pieces.push(Buffer.from(piece))).on('error', () => {})
    onSocket(socket, () => Buffer.concat(pieces).toString())
  }

  test('over TCP is counted by octets, and the end of the server is the receipt', async () => {
    let text = ''
    const server = createTcp(received((socket, all) => socket.on('end', () => (text = all()))))
    closing.push(() => server.close())
    const port = await listening(server)
    await send(auditSyslog({ kind: 'syslog', name: '', transport: 'tcp', host: '127.0.0.1', port }))
    expect(text).toBe(counted)
  })

  test('over TCP a server that cuts the connection has nothing', async () => {
    const server = createTcp(received(socket => socket.on('data', () => socket.resetAndDestroy())))
    closing.push(() => server.close())
    const port = await listening(server)
    const syslog = auditSyslog({ kind: 'syslog', name: '', transport: 'tcp', host: '127.0.0.1', port })
    await expect(send(syslog)).rejects.toThrow()
  })

  test('over TLS only a server with a certificate that is trusted is told', async () => {
    const { key, certificate } = selfSigned()
    let text = ''
    const server = createTls(
      { key, cert: certificate },
      received((socket, all) => socket.on('end', () => (text = all()))),
    )
    server.on('tlsClientError', () => {})
    closing.push(() => server.close())
    const port = await listening(server)
    const to = { kind: 'syslog', name: '', transport: 'tls', host: '127.0.0.1', port } as const
    await expect(send(auditSyslog(to))).rejects.toThrow(/self-signed|certificate/)
    expect(text).toBe('')
    await send(auditSyslog(to, certificate))
    expect(text).toBe(counted)
  })
})

describe('an address that takes lines', () => {
  const answers: { status: number; headers?: Record<string, string> }[] = []
  const asked: { headers: IncomingMessage['headers']; body: string }[] = []
  let address: string
  beforeAll(async () => {
    const server = createHttp(async (req, res) => {
      const pieces: Buffer[] = []
      for await (const piece of req) pieces.push(piece as Buffer)
      asked.push({ headers: req.headers, body: Buffer.concat(pieces).toString() })
      const { status, headers = {} } = answers.shift()!
      res.writeHead(status, headers).end('thank you')
    })
    closing.push(() => server.close())
    address = `http://127.0.0.1:${await listening(server)}/collector`
  })

  const receiver = (hosts: readonly string[], tokenFile: string | null) => {
    const privateHosts = new PrivateHosts(hosts)
    const ask = guardedRequests({ resolve: resolveBySystem, privateHosts, userAgent: 'Assize' })
    return auditReceiver(address, { ask, privateHosts, tokenFile, nowMs: () => 0 })
  }

  test('gets them with the token of the file, which may be replaced meanwhile', async () => {
    const token = join(folder, 'token')
    const destination = receiver(['127.0.0.1'], token)
    await writeFile(token, 'first-token\n')
    answers.push({ status: 204 })
    await send(destination)
    await writeFile(token, 'Splunk second-token')
    answers.push({ status: 200 })
    await send(destination)
    expect(asked.splice(0).map(({ headers, body }) => [headers.authorization, headers['content-type'], body])).toEqual([
      ['Bearer first-token', 'application/x-ndjson', '{"a":1}\n{"ü":"é"}\n'],
      ['Splunk second-token', 'application/x-ndjson', '{"a":1}\n{"ü":"é"}\n'],
    ])
  })

  test('has nothing unless it answers with success, and may ask to wait', async () => {
    const destination = receiver(['127.0.0.1'], null)
    answers.push({ status: 500 }, { status: 302, headers: { location: '/' } })
    await expect(send(destination)).rejects.toThrow('answered 500')
    await expect(send(destination)).rejects.toThrow('redirects')
    answers.push({ status: 429, headers: { 'retry-after': '17' } })
    const refused = await send(destination).catch(error => error)
    expect(refused).toBeInstanceOf(AskedToWait)
    expect(refused.waitMs).toBe(17_000)
  })

  test('inside the house is not asked unless the operator lists it', async () => {
    asked.length = 0
    await expect(send(receiver([], null))).rejects.toThrow('must be asked by https')
    expect(asked).toEqual([])
  })
})

test('ASSIZE_AUDIT names one of the destinations, and what is none is refused with the list of them', () => {
  const read = (text: string) => readConfig({ ASSIZE_AUDIT: text })
  const named = [
    'stdout',
    'file:/var/log/a.jsonl',
    'file:///var/log/a.jsonl',
    'syslog://log.test',
    'syslog+tls://[::1]:99',
  ]
  expect([...named, 'https://siem.test/in?x=1'].map(text => read(text).config?.audit?.name)).toEqual([
    ...[
      'stdout',
      'file:/var/log/a.jsonl',
      'file:/var/log/a.jsonl',
      'syslog+udp://log.test:514',
      'syslog+tls://[::1]:99',
    ],
    'https://siem.test/in?x=1',
  ])
  const wrong = ['file:relative', 'file:/', 'ftp://x', 'syslog://x/path', 'https://user:secret@siem.test/', 'elsewhere']
  for (const text of wrong)
    expect(read(text).mistakes[0], text).toMatch(/^ASSIZE_AUDIT must be stdout, file:\/path, syslog/)
  expect(readConfig({ ASSIZE_AUDIT: 'stdout', ASSIZE_AUDIT_TOKEN_FILE: '/t' }).mistakes).toHaveLength(1)
})
