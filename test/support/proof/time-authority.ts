// A time-stamping authority for tests: real certificates and real tokens of RFC 3161, written in ASN.1 by hand from the standards
// (RFC 3161, 5652, 5280). It can also answer wrongly, in one way at a time.
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  if (length < 128) return Buffer.concat([Buffer.of(tag, length), content])
  const digits = Buffer.from(length.toString(16).padStart(length > 255 ? 4 : 2, '0'), 'hex')
  return Buffer.concat([Buffer.of(tag, 0x80 + digits.length), digits, content])
}

const seq = (...parts: readonly Uint8Array[]) => der(0x30, ...parts)
const set = (...parts: readonly Buffer[]) => der(0x31, ...parts.toSorted(Buffer.compare))
const octets = (bytes: Uint8Array) => der(0x04, bytes)
const bits = (bytes: Uint8Array) => der(0x03, Buffer.of(0), bytes)
const int = (value: number | Uint8Array) => der(0x02, typeof value === 'number' ? Buffer.of(value) : value)
const context = (number: number, ...parts: readonly Uint8Array[]) => der(0xa0 + number, ...parts)
const text = (value: string) => der(0x0c, Buffer.from(value))
const time = (at: Date) => der(0x18, Buffer.from(at.toISOString().replaceAll(/[-:T]|\.\d+/g, '')))
const nothing = der(0x05)
const yes = der(0x01, Buffer.of(0xff))

function oid(dotted: string): Buffer {
  const [first, second, ...rest] = dotted.split('.').map(Number)
  const base128 = (value: number): number[] =>
    value < 128 ? [value] : [...base128(Math.floor(value / 128)).map(byte => byte | 0x80), value % 128]
  return der(0x06, Buffer.from([first! * 40 + second!, ...rest.flatMap(base128)]))
}

const sha256 = seq(oid('2.16.840.1.101.3.4.2.1'), nothing)
const nameOf = (commonName: string) => seq(der(0x31, seq(oid('2.5.4.3'), text(commonName))))

type KeyKind = 'rsa' | 'ec'

const makeKeys = (kind: KeyKind) =>
  kind === 'rsa'
    ? generateKeyPairSync('rsa', { modulusLength: 2048 })
    : generateKeyPairSync('ec', { namedCurve: 'P-256' })

const algorithmOf = (kind: KeyKind) =>
  kind === 'rsa' ? seq(oid('1.2.840.113549.1.1.11'), nothing) : seq(oid('1.2.840.10045.4.3.2'))

const signed = (bytes: Buffer, key: KeyObject) => createSign('sha256').update(bytes).sign(key)

interface CertificateParts {
  readonly kind: KeyKind
  readonly subject: string
  readonly issuer: string
  readonly publicKey: KeyObject
  readonly issuerKey: KeyObject
  readonly serial: Buffer
  /** In days from now. */
  readonly until: number
  readonly usage: 'ca' | 'stamps' | 'servers' | 'stamps, perhaps'
}

const dayMs = 86_400_000

function makeCertificate({
  kind,
  subject,
  issuer,
  publicKey,
  issuerKey,
  serial,
  until,
  usage,
}: CertificateParts): Buffer {
  const critical = usage === 'stamps, perhaps' ? [] : [yes]
  const extension = (id: string, value: Buffer) => seq(oid(id), ...critical, octets(value))
  const purpose = usage === 'servers' ? '1.3.6.1.5.5.7.3.1' : '1.3.6.1.5.5.7.3.8'
  const extensions = usage === 'ca' ? [extension('2.5.29.19', seq(yes))] : [extension('2.5.29.37', seq(oid(purpose)))]
  const validity = seq(time(new Date(Date.now() - 400 * dayMs)), time(new Date(Date.now() + until * dayMs)))
  const key = publicKey.export({ format: 'der', type: 'spki' })
  const facts = seq(
    ...[context(0, int(2)), int(serial), algorithmOf(kind), nameOf(issuer), validity, nameOf(subject), key],
    context(3, seq(...extensions)),
  )
  return seq(facts, algorithmOf(kind), bits(signed(facts, issuerKey)))
}

/** How an answer can be wrong; with `long chain` it is right, and the root is not sent. */
export type StampFault =
  | 'refused'
  | 'other text'
  | 'other request'
  | 'other time'
  | 'expired'
  | 'other purpose'
  | 'not critical'
  | 'long chain'
  | 'other signer'
  | 'broken signature'
  | 'other issuer'
  | 'no certificates'
  | 'nonsense'

export interface TimeAuthority {
  readonly url: string
  /** The certificate at the top, for `openssl ts -verify`. */
  readonly root: Buffer
  readonly rootPem: string
  readonly requests: Buffer[]
  fault: StampFault | null
  /** What it would answer, without asking. */
  answerTo(text: string, fault?: StampFault): Buffer
  stop(): Promise<void>
}

export async function startTimeAuthority(kind: KeyKind): Promise<TimeAuthority> {
  const [top, own, strange] = [makeKeys(kind), makeKeys(kind), makeKeys(kind)]
  const serial = Buffer.concat([Buffer.of(1), randomBytes(7)])
  const root = makeCertificate({
    ...{ kind, subject: 'Test Root', issuer: 'Test Root', publicKey: top.publicKey, issuerKey: top.privateKey },
    ...{ serial: Buffer.of(1), until: 1000, usage: 'ca' },
  })
  const certify = (parts: Partial<CertificateParts>) =>
    makeCertificate({
      ...{ kind, subject: 'Test Time Authority', issuer: 'Test Root', publicKey: own.publicKey, serial },
      ...{ issuerKey: top.privateKey, until: 300, usage: 'stamps' as const, ...parts },
    })
  const certificates: Readonly<Partial<Record<StampFault, Buffer>>> = {
    expired: certify({ until: -1 }),
    'other purpose': certify({ usage: 'servers' }),
    'not critical': certify({ usage: 'stamps, perhaps' }),
    'long chain': certify({ issuer: 'Test Middle', issuerKey: strange.privateKey }),
    'other issuer': certify({ issuerKey: strange.privateKey }),
  }
  const usual = certify({})
  const middle = certify({ subject: 'Test Middle', publicKey: strange.publicKey, usage: 'ca' })
  const requests: Buffer[] = []

  const answer = (asked: { readonly imprint: Buffer; readonly nonce: Buffer }, fault: StampFault | null): Buffer => {
    const [imprint, nonce] = [Buffer.from(asked.imprint), Buffer.from(asked.nonce)]
    if (fault === 'nonsense') return Buffer.from('<html>')
    if (fault === 'refused') return seq(seq(int(2)))
    const certificate = (fault !== null && certificates[fault]) || usual
    if (fault === 'other text') imprint[imprint.length - 1]! ^= 1
    if (fault === 'other request') nonce[5]! ^= 1
    const at = new Date(Date.now() + (fault === 'other time' ? -dayMs : 0))
    const info = seq(int(1), oid('1.2.3.4'), imprint, int(7), time(at), seq(int(1)), int(nonce))
    const named = fault === 'other signer' ? root : certificate
    const attributes = [
      seq(oid('1.2.840.113549.1.9.3'), set(oid('1.2.840.113549.1.9.16.1.4'))),
      seq(oid('1.2.840.113549.1.9.4'), set(octets(createHash('sha256').update(info).digest()))),
      seq(oid('1.2.840.113549.1.9.16.2.47'), set(seq(seq(seq(octets(createHash('sha256').update(named).digest())))))),
    ]
    const signature = signed(set(...attributes), own.privateKey)
    if (fault === 'broken signature') signature[signature.length - 3]! ^= 1
    const signer = seq(
      ...[int(1), seq(nameOf('Test Root'), int(serial)), sha256],
      context(0, ...attributes.toSorted(Buffer.compare)),
      ...[algorithmOf(kind), octets(signature)],
    )
    const content = seq(oid('1.2.840.113549.1.9.16.1.4'), context(0, octets(info)))
    const sent = fault === 'no certificates' ? [] : [context(0, certificate, fault === 'long chain' ? middle : root)]
    const data = seq(int(3), set(sha256), content, ...sent, set(signer))
    return seq(seq(int(0)), seq(oid('1.2.840.113549.1.7.2'), context(0, data)))
  }

  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const body = Buffer.concat(pieces)
    requests.push(body)
    // Where our requests have them: the imprint after the version, then the nonce.
    const imprint = body.subarray(5, 5 + 2 + body[6]!)
    const nonce = body.subarray(5 + imprint.length + 2, 5 + imprint.length + 2 + 16)
    const bytes = answer({ imprint, nonce }, authority.fault)
    response.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(bytes)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const authority: TimeAuthority = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/stamp`,
    root,
    rootPem: `-----BEGIN CERTIFICATE-----\n${root.toString('base64')}\n-----END CERTIFICATE-----\n`,
    requests,
    fault: null,
    answerTo(stamped, fault) {
      const imprint = seq(sha256, octets(createHash('sha256').update(stamped).digest()))
      return answer({ imprint, nonce: Buffer.of(...Array<number>(16).fill(7)) }, fault ?? null)
    },
    stop: () => new Promise(resolve => server.close(() => resolve())),
  }
  return authority
}
