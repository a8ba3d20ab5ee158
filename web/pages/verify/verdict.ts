// Judging a receipt in the browser: it is computed again from nothing but itself, line is compared with line, then the
// hash, then the signature on it. Nothing is sent anywhere.
import { parseExact, writeCarried } from '../../../src/core/ratio.ts'
import { hashOf, type ReceiptBody, type Signature } from '../../../src/core/receipt.ts'
import { Refusal } from '../../../src/core/refusal.ts'
import { type Difference, firstDifference, recompute } from '../../../src/core/replay.ts'
import { cutDecimals } from '../../../src/core/words.ts'

export interface WrittenReceipt {
  readonly hash: unknown
  readonly body: ReceiptBody
  readonly issuedAt: string | null
  readonly signature: Signature | null
}

export type Seal = 'none' | 'good' | 'bad' | 'unknown'

export interface Verdict {
  readonly receipt: WrittenReceipt
  readonly recomputed: ReceiptBody
  /** Of what was recomputed. */
  readonly hash: string
  /** The first line that differs. */
  readonly difference: Difference | null
  readonly isHashSame: boolean
  /** `unknown`: this browser cannot check an Ed25519 signature. */
  readonly seal: Seal
  readonly isSame: boolean
}

export function parseReceipt(text: string): WrittenReceipt {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new Refusal('invalid', 'it is not a receipt: it is not JSON')
  }
  if (typeof json !== 'object' || json === null) throw new Refusal('invalid', 'it is not a receipt')
  const { hash, body, issuedAt, signature } = json as Record<string, unknown>
  if (typeof body !== 'object' || body === null) throw new Refusal('invalid', 'it is not a receipt: it has no body')
  return {
    hash,
    body: body as ReceiptBody,
    issuedAt: typeof issuedAt === 'string' && !Number.isNaN(Date.parse(issuedAt)) ? issuedAt : null,
    signature: readSignature(signature),
  }
}

function readSignature(json: unknown): Signature | null {
  if (json === null || json === undefined) return null
  const { algorithm, publicKey, value } = json as Partial<Record<string, unknown>>
  if (algorithm !== 'Ed25519' || typeof publicKey !== 'string' || typeof value !== 'string')
    throw new Refusal('invalid', 'the receipt cannot be read: signature must have algorithm, publicKey and value')
  return { algorithm, publicKey, value }
}

export async function judge(receipt: WrittenReceipt): Promise<Verdict> {
  const recomputed = recompute(receipt.body)
  const difference = firstDifference(receipt.body, recomputed)
  const hash = hashOf(recomputed)
  const seal = receipt.signature === null ? 'none' : await checkSeal(hash, receipt.signature)
  const isHashSame = receipt.hash === hash
  return {
    receipt,
    recomputed,
    hash,
    difference,
    isHashSame,
    seal,
    isSame: difference === null && isHashSame && seal !== 'bad',
  }
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9_-]*$/.test(base64url) || base64url.length % 4 === 1) return null
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, character => character.charCodeAt(0))
}

async function checkSeal(hash: string, { publicKey, value }: Signature): Promise<Seal> {
  // There is no `subtle` on pages that are not served securely, and not every browser knows the algorithm.
  const subtle = globalThis.crypto?.subtle
  if (subtle === undefined) return 'unknown'
  const [rawKey, rawSignature] = [bytesOf(publicKey), bytesOf(value)]
  if (rawKey === null || rawSignature === null || rawKey.length !== 32) return 'bad'
  try {
    const key = await subtle.importKey('raw', rawKey, { name: 'Ed25519' }, false, ['verify'])
    return (await subtle.verify({ name: 'Ed25519' }, key, rawSignature, new TextEncoder().encode(hash)))
      ? 'good'
      : 'bad'
  } catch (error) {
    return error instanceof DOMException && error.name === 'NotSupportedError' ? 'unknown' : 'bad'
  }
}

/** Digits that are enough to see where two fractions part. */
const readDecimals = 14

/** Fractions as people read them; everything else as it is. */
export function readableFigure(figure: string): string {
  const number = figure.includes('/') ? parseExact(figure) : null
  return number === null ? figure : cutDecimals(writeCarried(number), readDecimals)
}

/** Both numbers so that they can be told apart: the whole of them where cutting made them the same. */
export function tellApart({ written, recomputed }: Difference): [written: string, recomputed: string] {
  const [a, b] = [readableFigure(written), readableFigure(recomputed)]
  return a === b ? [written, recomputed] : [a, b]
}

const lineNames: Readonly<Record<string, string>> = {
  adjustmentPct: 'the adjustment, %',
  cumulativePct: 'the adjustment since the start, %',
  price: 'the price',
  factor: 'the price factor',
  dataVersion: 'the tag of its figures',
  components: 'the contributions',
  controls: 'the controls',
  carriedIn: 'what it goes on from',
  observations: 'the published figures',
}

/** Where it differs, in words: `line ratio_steel`, `the price`. */
export function writeLine(line: string): string {
  return lineNames[line] ?? line.replace(/^step /, 'line ')
}
