// The greatest common divisor of long numbers (Lehmer): Euclid's quotients are found from the leading bits with small
// whole numbers, many at a time, and the long numbers are touched once for all of them.

/** The number of leading bits in use: few enough that every product below stays an exact whole number. */
const leadingBits = 50
/** Below this size Euclid's own steps are as fast. */
const shortBits = 64
const short = 1n << BigInt(shortBits)

/** The divisor of the absolute values; for 0 and a number, the number. */
export function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let x = a < 0n ? -a : a
  let y = b < 0n ? -b : b
  if (x < y) [x, y] = [y, x]
  let length = y < short ? 0 : x.toString(16).length * 4
  while (y >= short) {
    length = bitLength(x, length)
    const cut = BigInt(length - leadingBits)
    const [p, q, r, s] = cofactors(small(x >> cut), small(y >> cut))
    if (q === 0) [x, y] = [y, x % y]
    else [x, y] = [BigInt(p) * x + BigInt(q) * y, BigInt(r) * x + BigInt(s) * y]
  }
  while (y !== 0n) [x, y] = [y, x % y]
  return x
}

/** The number of bits of a number that has at most `most`. */
function bitLength(x: bigint, most: number): number {
  for (let below = Math.max(most - leadingBits, 0); ; below = Math.max(below - leadingBits, 0)) {
    const lead = x >> BigInt(below)
    if (lead > 0n) return below + lead.toString(2).length
  }
}

/** Converts a number of at most `leadingBits`. */
function small(x: bigint): number {
  return Number.parseInt(x.toString(), 10)
}

/**
 * Euclid's steps, as many as the leading parts determine with certainty (Collins): x becomes p·x + q·y, y becomes r·x + s·y.
 * `q` is 0 if not even one step is certain.
 */
function cofactors(leadX: number, leadY: number): readonly [p: number, q: number, r: number, s: number] {
  let [x, y] = [leadX, leadY]
  let [p, q, r, s] = [1, 0, 0, 1]
  while (y + r !== 0 && y + s !== 0) {
    const quotient = Math.floor((x + p) / (y + r))
    if (quotient !== Math.floor((x + q) / (y + s))) break
    ;[p, r] = [r, p - quotient * r]
    ;[q, s] = [s, q - quotient * s]
    ;[x, y] = [y, x - quotient * y]
  }
  return [p, q, r, s]
}
