// Bytes as text, with nothing replaced: a hash or a signature would then cover something other than what came.

/** Null where they are not UTF-8. A byte order mark is a part of the text. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  return decodeWith(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }), bytes)
}

/** The same without a byte order mark, which files often begin with. */
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
