// Transport headers of every answer: the browser must not guess the type, and if it came over TLS it must use TLS from
// now on.

export const nosniff = ['x-content-type-options', 'nosniff'] as const
const hsts = ['strict-transport-security', 'max-age=31536000'] as const

/** Headers as name, value, name, value. */
export function transportHeaders(isSecure: boolean): readonly string[] {
  return isSecure ? [...nosniff, ...hsts] : nosniff
}
