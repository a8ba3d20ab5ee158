// The rules for browsers on everything they show or fetch from us: run and load nothing but our own, never in a frame,
// no guessing of types.

const always: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()',
}

/** Scripts only from our own files; a style only from them or with the nonce of this answer. */
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

/** For the files of the pages. A worker follows the policy its own file came with. */
export const fileHeaders: Readonly<Record<string, string>> = {
  ...always,
  'content-security-policy': "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'",
}

/** For data: opened directly, it runs nothing. */
export const dataHeaders: Readonly<Record<string, string>> = {
  ...always,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}
