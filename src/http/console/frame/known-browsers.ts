// Browsers in which somebody has signed in before, by a cookie that stays when the session ends. It opens nothing: it only
// says whose failed attempts these are not, so that what others try, from the same address or for the same account, keeps
// nobody from getting in (decision 0464). It is under our key, and nothing is stored.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { deriveKey } from '../../../storage/log/secret.ts'
import { accountLimits } from '../../../storage/people/account-limits.ts'
import { readCookie, writeCookie } from './session-cookie.ts'

const name = '__Host-assize-known'

/** As it was sent; `null` where there is none. */
export function readKnownBrowser(req: IncomingMessage): string | null {
  return readCookie(req, name)
}

export class KnownBrowsers {
  readonly #key: Buffer

  constructor(secret: string) {
    this.#key = deriveKey(secret, 'known browsers')
  }

  /** The cookie of a browser in which this account was signed in to. */
  write(personId: string): string {
    const mark = `${personId}.${randomBytes(16).toString('base64url')}`
    return writeCookie(name, `${mark}.${this.#sign(mark)}`, accountLimits.knownBrowserDays)
  }

  /** Whose browser it is; `null` where the cookie is missing or not ours. */
  personOf(sent: string | null): string | null {
    const [, mark, given] = /^(usr_[0-9a-z]{26}\.[\w-]{22})\.([\w-]{43})$/.exec(sent ?? '') ?? []
    if (mark === undefined || given === undefined) return null
    const isOurs = timingSafeEqual(Buffer.from(given), Buffer.from(this.#sign(mark)))
    return isOurs ? mark.slice(0, mark.indexOf('.')) : null
  }

  #sign(mark: string): string {
    return createHmac('sha256', this.#key).update(mark).digest('base64url')
  }
}
