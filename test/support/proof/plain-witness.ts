// A witness as somebody would write it from C2SP `tlog-witness`, `tlog-cosignature` and `signed-note` alone, in memory. It stands
// in for the witnesses of others, and shares no code with `src`.
import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { plainlyConsistent } from './plain-tree.ts'
import type { SmallLog } from './small-log.ts'

/** The key of the log that a witness watches, as the log's operator passes it on. */
type WatchedLog = Pick<SmallLog, 'vkey'>

export interface RunningWitness {
  readonly url: string
  readonly vkey: string
  stop(): Promise<void>
}

interface Reply {
  readonly status: number
  readonly body: string
  readonly type?: string
}

const spki = Buffer.from('302a300506032b6570032100', 'hex')
const hashLine = /^[A-Za-z0-9+/]{43}=$/

export async function startPlainWitness(log: WatchedLog, name = 'witness.example.org/plain'): Promise<RunningWitness> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const id = createHash('sha256').update(`${name}\n\x04`).update(raw).digest().subarray(0, 4)
  const [watched, digits, encodedKey] = log.vkey.match(/^([^+]+)\+([0-9a-f]{8})\+(.+)$/)!.slice(1) as [
    string,
    string,
    string,
  ]
  const logKeyBytes = Buffer.from(encodedKey, 'base64').subarray(1)
  const logKey = createPublicKey({ key: Buffer.concat([spki, logKeyBytes]), format: 'der', type: 'spki' })
  const logId = Buffer.from(digits, 'hex')
  let latest = { size: 0, root: '' }

  const answer = (body: string): Reply => {
    const [, head, text, lines] = /^([\s\S]*?)\n\n([\s\S]*\n)\n((?:— .*\n)+)$/.exec(body) ?? []
    if (head === undefined || text === undefined) return { status: 400, body: 'malformed' }
    const [oldLine = '', ...proof] = head.split('\n')
    const [origin, sizeLine = '', root = ''] = text.split('\n')
    const old = /^old (0|[1-9]\d*)$/.exec(oldLine)?.[1]
    if (old === undefined || !/^(0|[1-9]\d*)$/.test(sizeLine) || ![root, ...proof].every(line => hashLine.test(line)))
      return { status: 400, body: 'malformed' }
    if (origin !== watched) return { status: 404, body: 'unknown' }
    const isSigned = lines!.split('\n').some(line => {
      const [, by, encoded = ''] = line.split(' ')
      const bytes = Buffer.from(encoded, 'base64')
      return (
        by === origin &&
        bytes.subarray(0, 4).equals(logId) &&
        verify(null, Buffer.from(text), logKey, bytes.subarray(4))
      )
    })
    if (!isSigned) return { status: 403, body: 'not signed' }
    const [from, size] = [Number(old), Number(sizeLine)]
    if (from > size) return { status: 400, body: 'old size is greater' }
    const conflict = { status: 409, body: `${latest.size}\n`, type: 'text/x.tlog.size' }
    if (from !== latest.size || (from === size && from > 0 && root !== latest.root)) return conflict
    const bytesOf = (line: string) => Buffer.from(line, 'base64')
    const isGrown =
      from === 0
        ? proof.length === 0
        : plainlyConsistent([from, bytesOf(latest.root)], [size, bytesOf(root)], proof.map(bytesOf))
    if (!isGrown) return { status: 422, body: 'no proof' }
    latest = { size, root }
    const seconds = Math.floor(Date.now() / 1000)
    const time = Buffer.alloc(8)
    time.writeBigUInt64BE(BigInt(seconds))
    const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`), privateKey)
    return { status: 200, body: `— ${name} ${Buffer.concat([id, time, signature]).toString('base64')}\n` }
  }

  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const { status, body, type = 'text/plain' } = answer(Buffer.concat(pieces).toString())
    response.writeHead(status, { 'content-type': type }).end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    vkey: `${name}+${id.toString('hex')}+${Buffer.concat([Buffer.of(4), raw]).toString('base64')}`,
    stop: () => new Promise(resolve => server.close(() => resolve())),
  }
}
