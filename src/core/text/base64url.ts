// Bytes as base64url without padding, one spelling for one sequence of bytes: any other spelling is refused.

/** The bytes; null for any other spelling: padding, other letters, unused bits that are set. */
export function bytesOfBase64url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return null
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = Uint8Array.from(binary, character => character.charCodeAt(0))
  return base64urlOf(bytes) === text ? bytes : null
}

export function base64urlOf(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}
