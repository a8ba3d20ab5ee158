// Console routes about calendar feeds. Everybody makes and ends their own, and nobody else's. An address is in exactly one answer,
// and nowhere else.
import { feedAddress } from '../../../core/people/feed-address.ts'
import { Refusal } from '../../../core/refusal.ts'
import { KeyedDigests } from '../../../storage/keys/key-ring.ts'
import { createFeed, listFeeds, revokeFeed } from '../../../storage/people/feeds.ts'
import { actorOf, type Seat } from '../../../views/sight/seat.ts'
import { isVisible } from '../../../views/sight/visibility.ts'
import { type ConsoleParts, type ConsoleRoute, created, route } from '../frame/route.ts'

export function feedRoutes(parts: ConsoleParts): readonly ConsoleRoute[] {
  const { sql, ring } = parts.installation
  const digests = new KeyedDigests(ring, 'feed digests')
  return [
    route('GET /feeds', {
      async answer({ seat }) {
        const { workspace, person } = seat
        const index = await parts.library.index(workspace.id)
        const feeds = await listFeeds(sql, workspace.id, person.id)
        return feeds.map(({ id, name, shows, agreementIds, lastFour, createdAt, revokedAt, lastUsedAt }) => {
          const agreements = agreementIds?.flatMap(each => index.findAgreement(each)?.slug ?? []) ?? null
          return { id, name, shows, agreements, lastFour, createdAt, revokedAt, lastUsedAt }
        })
      },
    }),
    route('POST /feeds', {
      async answer({ seat, body, origin }) {
        const { id, name, token } = await createFeed(sql, digests, {
          workspaceId: seat.workspace.id,
          personId: seat.person.id,
          name: body.name.trim(),
          shows: body.shows ?? 'ALL',
          agreementIds: body.agreements === undefined ? null : await idsOf(parts, seat, body.agreements),
          by: actorOf(seat),
        })
        return created({ id, name, address: feedAddress(origin, token) })
      },
    }),
    route('DELETE /feeds/:id', {
      answer: ({ seat, params }) =>
        revokeFeed(sql, seat.workspace.id, params.id, { of: seat.person.id, by: actorOf(seat) }),
    }),
  ]
}

/** Ids of agreements. Refuses an invisible one like a missing one. */
async function idsOf({ library }: ConsoleParts, seat: Seat, slugs: readonly string[]): Promise<readonly string[]> {
  const index = await library.index(seat.workspace.id)
  const ids = slugs.map(slug => {
    const agreement = index.findAgreement(slug)
    if (agreement === undefined || !isVisible(seat, agreement))
      throw new Refusal('not-found', `there is no agreement "${slug}"`)
    return agreement.id
  })
  return [...new Set(ids)]
}
