// `feed list`: the calendar feeds of a workspace and its people by name and last four characters; the addresses themselves are not
// stored.

import { type Feed, listFeeds } from '../../storage/people/feeds.ts'
import { alignRows } from '../frame/aligned-rows.ts'
import { toTheSecond } from '../frame/clock.ts'
import { workspaceCommand } from '../frame/workspace-command.ts'

export const feedListCommand = workspaceCommand({
  name: 'feed list',
  usage: '--workspace W',
  summary: 'Lists the calendar feeds of a workspace and of its people.',
  async work({ sql, workspace }) {
    const feeds = await listFeeds(sql, workspace.id)
    const rows = feeds.map(feed => [
      feed.id,
      feed.name,
      feed.email ?? workspace.slug,
      showsWords(feed),
      `…${feed.lastFour}`,
      feed.revokedAt === null ? 'live' : `revoked ${toTheSecond(feed.revokedAt)}`,
      feed.lastUsedAt === null ? 'never used' : `last used ${toTheSecond(feed.lastUsedAt)}`,
    ])
    return { json: feeds, words: rows.length === 0 ? `${workspace.slug} has no calendar feeds\n` : alignRows(rows) }
  },
})

function showsWords({ shows, agreementIds }: Feed): string {
  const what = { ALL: 'releases and dates', RELEASES: 'releases', DATES: 'dates' }[shows]
  if (agreementIds === null) return what
  return `${what} of ${agreementIds.length} ${agreementIds.length === 1 ? 'agreement' : 'agreements'}`
}
