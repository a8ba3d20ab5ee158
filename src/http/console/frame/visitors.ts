// Visitors of the console. Signed-in people have their own places while their session is looked up: requests of strangers, however
// slow, never block them. The session is looked up for each request; that it was valid a moment ago only decides which places the
// look-up uses. A stranger keeps a place until the answer.

import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Refusal } from '../../../core/refusal.ts'
import { limits } from '../../../limits.ts'
import { findSession, type SessionHolder } from '../../../storage/people/sessions.ts'
import type { Queryable } from '../../../storage/postgres/database.ts'
import { markKnown } from '../../traffic/connections.ts'
import { groupOf } from '../../traffic/failed-attempts.ts'
import type { Patience } from '../../traffic/patience.ts'
import { placeLimits } from '../../traffic/place-limits.ts'
import { type WorkPlace, WorkPlaces } from './places.ts'
import { readSessionToken } from './session-cookie.ts'

export interface Visit {
  /** `null` where nobody is signed in. */
  readonly holder: SessionHolder | null
  /** Place of a stranger. */
  readonly place: WorkPlace | null
}

interface VisitorsContext {
  readonly sql: Queryable
  readonly clientAddress: (req: IncomingMessage) => string
  readonly patience: Patience
  readonly monotonicMs: () => number
}

export class Visitors {
  readonly #ground: VisitorsContext
  readonly #people = new WorkPlaces(placeLimits.consolePlaces)
  readonly #strangers = new WorkPlaces(limits.strangersPlaces)
  /** Places for look-ups of unseen cookies, held briefly: slow requests without a session do not wait here. */
  readonly #lookUps = new WorkPlaces(limits.strangersPlaces)
  /** Persons by the hash of a token that was valid when last checked; the oldest first. */
  readonly #known = new Map<string, string>()

  constructor(ground: VisitorsContext) {
    this.#ground = ground
  }

  /** Finds the session's owner and, if a workspace is named, their membership of it. */
  async receive(req: IncomingMessage, slug: string | null): Promise<Visit> {
    const token = readSessionToken(req)
    if (token === null) return { holder: null, place: this.#strangersPlace(req) }
    const fingerprint = createHash('sha256').update(token).digest('base64url')
    const personId = this.#known.get(fingerprint)
    const place = personId === undefined ? this.#lookUpPlace(req) : this.#peoplesPlace(personId)
    try {
      const holder = await findSession(this.#ground.sql, token, slug)
      if (holder === null) {
        this.#known.delete(fingerprint)
        return { holder, place: this.#strangersPlace(req) }
      }
      this.#remember(fingerprint, holder.person.id)
      markKnown(req)
      return { holder, place: null }
    } finally {
      place.leave()
    }
  }

  #lookUpPlace(req: IncomingMessage): WorkPlace {
    return orBusy(this.#lookUps.take(this.#addressOf(req), this.#ground.monotonicMs()))
  }

  #strangersPlace(req: IncomingMessage): WorkPlace {
    const { patience, monotonicMs } = this.#ground
    return orBusy(this.#strangers.take(this.#addressOf(req), monotonicMs(), () => patience.end(req)))
  }

  #addressOf(req: IncomingMessage): string {
    return groupOf(this.#ground.clientAddress(req))
  }

  #peoplesPlace(personId: string): WorkPlace {
    return orBusy(this.#people.take(personId, this.#ground.monotonicMs()))
  }

  #remember(fingerprint: string, personId: string): void {
    this.#known.delete(fingerprint)
    for (const oldest of this.#known.keys()) {
      if (this.#known.size < limits.sessionsRemembered) break
      this.#known.delete(oldest)
    }
    this.#known.set(fingerprint, personId)
  }
}

function orBusy(place: WorkPlace | null): WorkPlace {
  if (place === null) throw new Refusal('unavailable', 'too many requests at once; try again', 1)
  return place
}
