// SHA-256 over bytes, in plain integers, so that a receipt is hashed and verified by the same code on a server, on the
// command line and in a browser page.

const roundConstants = computeConstants()

/** Fractional parts of the cube roots of the first 64 primes, found by whole-number roots. */
function computeConstants(): Int32Array {
  const constants = new Int32Array(64)
  for (let candidate = 2, found = 0; found < 64; candidate++) {
    if (!isPrime(candidate)) continue
    constants[found++] = Number.parseInt((rootOf(BigInt(candidate) << 96n, 3n) & 0xffffffffn).toString(), 10) | 0
  }
  return constants
}

const initialState = computeInitialState()

/** Fractional parts of the square roots of the first 8 primes. */
function computeInitialState(): Int32Array {
  const primes = [2n, 3n, 5n, 7n, 11n, 13n, 17n, 19n]
  return Int32Array.from(primes, prime => Number.parseInt((rootOf(prime << 64n, 2n) & 0xffffffffn).toString(), 10) | 0)
}

function isPrime(candidate: number): boolean {
  for (let divisor = 2; divisor * divisor <= candidate; divisor++) if (candidate % divisor === 0) return false
  return true
}

/** The whole part of the n-th root. */
function rootOf(value: bigint, degree: bigint): bigint {
  let low = 0n
  let high = value
  while (low < high) {
    const middle = (low + high + 1n) >> 1n
    if (middle ** degree <= value) low = middle
    else high = middle - 1n
  }
  return low
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}

function compress(state: Int32Array, block: DataView, at: number, schedule: Int32Array): void {
  for (let i = 0; i < 16; i++) schedule[i] = block.getInt32(at + i * 4)
  for (let i = 16; i < 64; i++) {
    const early = schedule[i - 15]!
    const late = schedule[i - 2]!
    const small = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)
    const large = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10)
    schedule[i] = (schedule[i - 16]! + small + schedule[i - 7]! + large) | 0
  }
  // Plain numbers, moved one by one: lists taken apart in this loop take ten times as long.
  let a = state[0]!
  let b = state[1]!
  let c = state[2]!
  let d = state[3]!
  let e = state[4]!
  let f = state[5]!
  let g = state[6]!
  let h = state[7]!
  for (let i = 0; i < 64; i++) {
    const choose = (e & f) ^ (~e & g)
    const first = (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choose + roundConstants[i]! + schedule[i]!) | 0
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const second = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority) | 0
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  state[0] = state[0]! + a
  state[1] = state[1]! + b
  state[2] = state[2]! + c
  state[3] = state[3]! + d
  state[4] = state[4]! + e
  state[5] = state[5]! + f
  state[6] = state[6]! + g
  state[7] = state[7]! + h
}

/** The digest as 64 hexadecimal digits. */
export function sha256(text: string): string {
  const bytes = new TextEncoder().encode(text)
  const padded = new Uint8Array((((bytes.length + 8) >> 6) + 1) << 6)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n)
  const state = Int32Array.from(initialState)
  const schedule = new Int32Array(64)
  for (let at = 0; at < padded.length; at += 64) compress(state, view, at, schedule)
  return Array.from(state, word => (word >>> 0).toString(16).padStart(8, '0')).join('')
}
