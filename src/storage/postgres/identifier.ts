// Opaque, type-prefixed identifiers that sort by the time they were made: a UUIDv7 in Crockford's base 32, lower case.
// They carry no other meaning and are compared as bytes.
import { randomUUIDv7 } from 'node:crypto'

const identifierPrefixes = [
  'wsp',
  'usr',
  'key',
  'ser',
  'pam',
  'act',
  'ses',
  'ins',
  'upl',
  'sgn',
  'sgb',
  'asg',
  'pty',
  'inv',
  'inl',
  'obj',
  'ntc',
  'mai',
  'cor',
  'rel',
  'fed',
  'spl',
  'amd',
  'off',
  'alm',
  'iev',
  'idp',
  'idl',
  'whk',
  'evt',
  'aud',
] as const
type IdentifierPrefix = (typeof identifierPrefixes)[number]

/** No i, l, o, u; in ascending order of bytes, so that the text sorts as the number does. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const length = 26

/** `uuid` is for tests: any UUID, with or without hyphens. */
export function makeIdentifier(prefix: IdentifierPrefix, uuid: string = randomUUIDv7()): string {
  let number = BigInt(`0x${uuid.replaceAll('-', '')}`)
  let text = ''
  for (let i = 0; i < length; i++) {
    text = alphabet[Number(number & 31n)] + text
    number >>= 5n
  }
  return `${prefix}_${text}`
}

const pattern = /^([a-z]{3})_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$/

/** Whether the text has the form of an identifier of this kind; it need not exist. */
export function isIdentifier(prefix: IdentifierPrefix, text: string): boolean {
  return pattern.exec(text)?.[1] === prefix
}
