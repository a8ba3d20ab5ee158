// A time-stamping authority made by OpenSSL: a root, a certificate for stamps under it, and `openssl ts -reply` behind a server. It can
// also answer wrongly, in one way at a time.
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** `refused`: it accepts no SHA-256. The others answer what was not asked. */
export type StampFault = 'refused' | 'other text' | 'other request' | 'nonsense'

export interface TimeAuthority {
  readonly url: string
  /** The host by which the log calls it. */
  readonly host: string
  /** The file with the certificate of its root, as `-CAfile` of `openssl ts -verify` takes it. */
  readonly rootFile: string
  readonly requests: Buffer[]
  fault: StampFault | null
  /** What it would answer, without asking. */
  answerTo(text: string): Buffer
  stop(): Promise<void>
}

const settings = (digests: string) => `
[ tsa ]
default_tsa = own
[ own ]
serial = serial
signer_cert = own.pem
signer_key = own.key
certs = root.pem
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = ${digests}
accuracy = secs:1
`

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assize-authority-'))
  const make = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'ignore' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  make('req', '-x509', ...key, '-days', '30', '-subj', '/CN=Test Root', '-keyout', 'root.key', '-out', 'root.pem')
  make('req', '-new', ...key, '-subj', '/CN=Test Time Authority', '-keyout', 'own.key', '-out', 'own.csr')
  writeFileSync(join(folder, 'purpose'), 'extendedKeyUsage = critical, timeStamping\n')
  const under = ['-CA', 'root.pem', '-CAkey', 'root.key', '-CAcreateserial']
  make('x509', '-req', '-in', 'own.csr', ...under, '-days', '20', '-extfile', 'purpose', '-out', 'own.pem')
  writeFileSync(join(folder, 'serial'), '01\n')
  writeFileSync(join(folder, 'usual'), settings('sha256'))
  writeFileSync(join(folder, 'refusing'), settings('sha512'))
  return folder
}

export async function startTimeAuthority(): Promise<TimeAuthority> {
  const folder = makeFolder()
  const requests: Buffer[] = []

  const answer = (request: Buffer, config: 'usual' | 'refusing'): Buffer => {
    writeFileSync(join(folder, 'request'), request)
    const words = ['ts', '-reply', '-config', config, '-section', 'own', '-queryfile', 'request', '-out', 'answer']
    execFileSync('openssl', words, { cwd: folder, stdio: 'ignore' })
    return readFileSync(join(folder, 'answer'))
  }
  /** What OpenSSL asks about a digest, with a nonce of its own. */
  const ask = (digest: string): Buffer => {
    const words = ['ts', '-query', '-digest', digest, '-sha256', '-cert', '-out', 'query']
    execFileSync('openssl', words, { cwd: folder, stdio: 'ignore' })
    return readFileSync(join(folder, 'query'))
  }
  const hexOf = (text: string) => createHash('sha256').update(text).digest('hex')

  const replies: Readonly<Record<StampFault, (request: Buffer) => Buffer>> = {
    refused: request => answer(request, 'refusing'),
    'other text': () => answer(ask(randomBytes(32).toString('hex')), 'usual'),
    // The imprint of a request of ours begins at its 25th byte.
    'other request': request => answer(ask(request.subarray(24, 24 + 32).toString('hex')), 'usual'),
    nonsense: () => Buffer.from('<html>'),
  }
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const body = Buffer.concat(pieces)
    requests.push(body)
    const bytes = authority.fault === null ? answer(body, 'usual') : replies[authority.fault](body)
    response.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(bytes)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const authority: TimeAuthority = {
    url: `http://${host}/stamp`,
    host,
    rootFile: join(folder, 'root.pem'),
    requests,
    fault: null,
    answerTo: text => answer(ask(hexOf(text)), 'usual'),
    async stop() {
      await new Promise(resolve => server.close(resolve))
      rmSync(folder, { recursive: true })
    },
  }
  return authority
}

/** What a command for OpenSSL says in a folder in which `root.pem` is that of an authority. */
export function runInShell(command: string, folder: string): { readonly isGood: boolean; readonly said: string } {
  try {
    return { isGood: true, said: execFileSync('sh', ['-c', `${command} 2>&1`], { cwd: folder, encoding: 'utf8' }) }
  } catch (error) {
    return { isGood: false, said: (error as { stdout: string }).stdout }
  }
}
