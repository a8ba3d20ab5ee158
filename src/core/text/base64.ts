// Bytes as base64 with padding, one spelling for one sequence of bytes: any other spelling is refused.

/** The bytes; null for any other spelling: no padding, other letters, unused bits that are set. */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null
  const bytes = Uint8Array.from(atob(text), character => character.charCodeAt(0))
  return base64Of(bytes) === text ? bytes : null
}

export function base64Of(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}
