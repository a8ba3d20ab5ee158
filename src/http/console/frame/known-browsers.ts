// Browsers in which somebody has signed in before, by a cookie that stays when the session ends. It opens nothing: it only exempts
// its person from failed attempts of others, so that attempts from the same address or for the same account keep nobody from
// getting in (decision 0464). It is sealed under a server key, and nothing is stored.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { KeyRing } from '../../../storage/keys/key-ring.ts'
import { accountLimits } from '../../../storage/people/account-limits.ts'
import { formatCookie, readCookie } from './session-cookie.ts'

const name = '__Host-assize-known'
const purpose = 'known browsers'

/** The cookie as sent; `null` where there is none. */
export function readKnownBrowser(req: IncomingMessage): string | null {
  return readCookie(req, name)
}

export class KnownBrowsers {
  readonly #ring: KeyRing

  constructor(ring: KeyRing) {
    this.#ring = ring
  }

  /** The cookie of a browser in which this account was signed in to. */
  write(personId: string): string {
    const mark = `${personId}.${randomBytes(16).toString('base64url')}`
    return formatCookie(
      name,
      `${mark}.${this.#ring.mac(purpose, mark).toString('base64url')}`,
      accountLimits.knownBrowserDays,
    )
  }

  /** Person of the browser; `null` where the cookie is missing or was not made here. */
  personOf(sent: string | null): string | null {
    const [, mark, given] = /^(usr_[0-9a-z]{26}\.[\w-]{22})\.([\w-]{48})$/.exec(sent ?? '') ?? []
    if (mark === undefined || given === undefined) return null
    const isOurs = this.#ring.holds(purpose, mark, Buffer.from(given, 'base64url'))
    return isOurs ? mark.slice(0, mark.indexOf('.')) : null
  }
}
