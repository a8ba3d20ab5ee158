// The cookie with a session's token: for this host alone, not readable by scripts, not sent by requests from other
// sites.
import type { IncomingMessage } from 'node:http'
import { limits } from '../../../limits.ts'

/** Browsers accept a name with this prefix only from the host itself, for all its paths, over TLS or on loopback. */
const name = '__Host-assize'
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax'

/** Value of a cookie; `null` where there is none of this name, or more than one: then it is ambiguous. */
export function readCookie({ headers }: IncomingMessage, wanted: string): string | null {
  const found = (headers.cookie ?? '')
    .split(';')
    .map(part => part.trim())
    .filter(part => part.startsWith(`${wanted}=`))
  return found.length === 1 ? found[0]!.slice(wanted.length + 1) : null
}

export function formatCookie(ofName: string, value: string, days: number): string {
  return `${ofName}=${value}; ${attributes}; Max-Age=${days * 86_400}`
}

/**
 * Cookie of an act that begins here and goes on elsewhere. Only a page of this server sends it, also after another site led there.
 */
export function formatRequestCookie(
  { name: ofName, value }: { readonly name: string; readonly value: string },
  seconds: number,
): string {
  return `${ofName}=${value}; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=${seconds}`
}

export function readSessionToken(req: IncomingMessage): string | null {
  return readCookie(req, name)
}

export function formatSessionCookie(token: string): string {
  return formatCookie(name, token, limits.sessionDays)
}

export function endSessionCookie(): string {
  return `${name}=; ${attributes}; Max-Age=0`
}
