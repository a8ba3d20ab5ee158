// Rules for browsers on everything they show or fetch from this server: run and load nothing but its own files, never in a frame,
// no guessing of types.

const always: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()',
}

/** Headers of a page: scripts only from this server's files; a style only from them or with the nonce of this answer. */
export function pageHeaders(nonce: string): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return { ...always, 'content-security-policy': policy.join('; ') }
}

/** Headers of the pages' files. A worker follows the policy its own file came with. */
export const fileHeaders: Readonly<Record<string, string>> = {
  ...always,
  'content-security-policy': "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'",
}

/** Headers of data: opened directly, it runs nothing. */
export const dataHeaders: Readonly<Record<string, string>> = {
  ...always,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}
