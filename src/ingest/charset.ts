// Decodes the bytes of an answer: as UTF-8 if they are valid UTF-8, else by the charset that the header or the XML
// declaration names, else by the provider's usual one. A character that cannot be decoded stays visible to the readers.
import { decodeUtf8File } from '../core/text/utf8.ts'
import type { Provider } from '../providers/provider.ts'

type Charset = 'utf-8' | 'utf-16le' | 'utf-16be' | 'shift_jis' | 'windows-1252'

const names: Readonly<Record<string, Charset>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'us-ascii': 'utf-8',
  ascii: 'utf-8',
  'utf-16': 'utf-16le',
  'utf-16le': 'utf-16le',
  'utf-16be': 'utf-16be',
  shift_jis: 'shift_jis',
  'shift-jis': 'shift_jis',
  sjis: 'shift_jis',
  'x-sjis': 'shift_jis',
  'windows-31j': 'shift_jis',
  cp932: 'shift_jis',
  ms932: 'shift_jis',
  'iso-8859-1': 'windows-1252',
  'iso8859-1': 'windows-1252',
  latin1: 'windows-1252',
  'windows-1252': 'windows-1252',
  cp1252: 'windows-1252',
}

export function decodeBody(
  bytes: Uint8Array,
  contentType: string | null,
  { charset = 'windows-1252' }: Pick<Provider, 'charset'>,
): string {
  const marked = markOf(bytes)
  if (marked !== null) return decode(bytes, marked)
  // UTF-8 is tried before the header: a header that says latin1 over UTF-8 is more common than bytes that fit by accident.
  return decodeUtf8File(bytes) ?? decode(bytes, named(bytes, contentType) ?? charset)
}

function markOf(bytes: Uint8Array): Charset | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null
}

/** `charset=` of the header, else `encoding=` of an XML declaration; UTF-8 was tried before. */
function named(bytes: Uint8Array, contentType: string | null): Charset | null {
  const header = /charset\s*=\s*"?([\w:.-]+)/i.exec(contentType ?? '')?.[1]
  const start = new TextDecoder('windows-1252').decode(bytes.subarray(0, 200))
  const declared = /^\s*<\?xml[^>]*encoding\s*=\s*["']([\w:.-]+)/i.exec(start)?.[1]
  const known = [header, declared].map(name => (name === undefined ? undefined : names[name.toLowerCase()]))
  return known.find(charset => charset !== undefined && charset !== 'utf-8') ?? null
}

function decode(bytes: Uint8Array, charset: Charset): string {
  return new TextDecoder(charset).decode(bytes)
}
