// The form of an API key and of the time it lives: pure rules. A mistyped key is recognised by its last six characters,
// without a query.
import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { type Instant, parseInstant } from '../../core/time/instant.ts'

const prefix = 'asz_live_'
const feedPrefix = 'asz_feed_'
const randomLength = 32
const checkLength = 6
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const keyLength = prefix.length + randomLength + checkLength

/** `pick` gives a number from 0 up to, not including, its argument. */
export function makeKey(pick: (below: number) => number = below => randomInt(below)): string {
  return withCheck(prefix + makeRandom(pick))
}

/** The secret in the address of a feed. Nobody types it, so it needs no checksum. */
export function makeFeedToken(): string {
  return feedPrefix + makeRandom(below => randomInt(below))
}

function makeRandom(pick: (below: number) => number): string {
  return Array.from({ length: randomLength }, () => alphabet[pick(alphabet.length)]).join('')
}

function withCheck(start: string): string {
  let rest = crc32(start)
  let check = ''
  for (let i = 0; i < checkLength; i++) {
    check = alphabet[rest % alphabet.length] + check
    rest = Math.floor(rest / alphabet.length)
  }
  return start + check
}

/**
 * Whether this could be a key of ours: its form and its checksum. Not a RegExp, because that remembers what it matched
 * last.
 */
export function isWellFormedKey(text: string): boolean {
  if (text.length !== keyLength || !text.startsWith(prefix)) return false
  for (let i = prefix.length; i < keyLength; i++) if (!alphabet.includes(text[i]!)) return false
  return withCheck(text.slice(0, -checkLength)) === text
}

const spanPattern = /^([1-9]\d{0,5})([smhd])$/
const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** `30s`, `15m`, `12h`, `90d`, or an instant after `now`; `null` for anything else. */
export function parseExpiry(text: string, now: Instant): Instant | null {
  const span = spanPattern.exec(text)
  if (span === null) {
    const instant = parseInstant(text)
    return instant !== null && instant > now ? instant : null
  }
  const end = Date.parse(now) + Number.parseInt(span[1]!, 10) * unitMs[span[2] as keyof typeof unitMs]
  return parseInstant(new Date(end).toISOString())
}
