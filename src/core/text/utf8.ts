// Bytes as text, with nothing replaced: otherwise a hash or a signature would cover something other than the received bytes.

/** The text; null where the bytes are not UTF-8. A byte order mark is a part of it. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  return decodeWith(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }), bytes)
}

/** The text of a file without the byte order mark with which files often begin. */
export function decodeUtf8File(bytes: Uint8Array): string | null {
  return decodeWith(new TextDecoder('utf-8', { fatal: true }), bytes)
}

function decodeWith(decoder: TextDecoder, bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}
