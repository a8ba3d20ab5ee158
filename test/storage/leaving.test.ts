// Who leaves a workspace is out at once, with every secret that they know.
import { beforeAll, describe, expect, test } from 'vitest'
import { KeyedDigests } from '../../src/storage/keys/key-ring.ts'
import { createFeed, findFeed } from '../../src/storage/people/feeds.ts'
import { invite, inviteAgain } from '../../src/storage/people/invitations.ts'
import { removeMember } from '../../src/storage/people/member-changes.ts'
import { createMember, findSetUpLink, setFirstPassword } from '../../src/storage/people/people.ts'
import { verifyAllChains } from '../../src/storage/upkeep/chain.ts'
import { listActivity } from '../../src/storage/workspaces/activity.ts'
import { createApiKey, findApiKey, listApiKeys } from '../../src/storage/workspaces/api-keys.ts'
import type { Workspace } from '../../src/storage/workspaces/workspaces.ts'
import { ownHouse } from '../support/houses/house.ts'
import { makeWorkspace } from '../support/houses/workspace.ts'
import { makeTestRing, openTestDatabase } from '../support/run/postgres.ts'

const keyDigests = new KeyedDigests(makeTestRing(), 'api-key digests')
const feedDigests = new KeyedDigests(makeTestRing(), 'feed digests')
const later = '2999-01-01T00:00:00.000000Z'
const now = '2026-01-01T00:00:00.000000Z'

let workspace: Workspace
const db = ownHouse(openTestDatabase)
beforeAll(async () => {
  workspace = await makeWorkspace(db)
})

async function join(email: string, role: 'owner' | 'editor' = 'owner') {
  const { id } = await createMember(db.sql, workspace.id, { email, role })
  await setFirstPassword(db.sql, workspace.id, id, 'correct horse battery')
  return { who: email, personId: id, fromAddress: '10.0.0.1' }
}

const makeKey = (by: { readonly who: string; readonly fromAddress: string | null }) =>
  createApiKey(db.sql, keyDigests, { workspaceId: workspace.id, name: `of ${by.who}`, expiresAt: null, by })
const makeFeed = (by: { readonly who: string; readonly fromAddress: string | null }, personId: string | null) => {
  const shown = { shows: 'ALL', agreementIds: null } as const
  return createFeed(db.sql, feedDigests, { workspaceId: workspace.id, name: 'dates', personId, ...shown, by })
}
const isRevoked = async (key: string) => (await findApiKey(db.sql, keyDigests, key))!.revokedAt !== null

describe('whoever leaves a workspace', () => {
  test('takes no key, feed or link along that they made, and ends nobody else’s', async () => {
    const olga = await join('olga@owner.test')
    const ines = await join('ines@owner.test')
    const [hers, others] = [await makeKey(ines), await makeKey(olga)]
    const feeds = [await makeFeed(ines, ines.personId), await makeFeed(ines, null), await makeFeed(olga, null)]
    const invited = { email: 'pat@buyer.test', role: 'buyer' } as const
    const { token, member } = await invite(db.sql, workspace.id, invited, later, ines)
    const kept = await invite(db.sql, workspace.id, { email: 'kim@buyer.test', role: 'buyer' }, later, olga)

    expect(await removeMember(db.sql, workspace.id, ines.personId, olga)).toEqual({ keys: 1, feeds: 1, links: 1 })

    expect([await isRevoked(hers.key), await isRevoked(others.key)]).toEqual([true, false])
    const opened = await Promise.all(feeds.map(feed => findFeed(db.sql, feedDigests, feed.token)))
    expect(opened.map(feed => feed !== null)).toEqual([false, false, true])
    expect(await findSetUpLink(db.sql, token, now)).toBeNull()
    expect(await findSetUpLink(db.sql, kept.token, now)).toMatchObject({ email: 'kim@buyer.test' })
    // The invitation itself stays: somebody else gives another link.
    const again = await inviteAgain(db.sql, workspace.id, member.id, later, olga)
    expect(await findSetUpLink(db.sql, again.token, now)).toMatchObject({ email: 'pat@buyer.test' })

    const noted = await listActivity(db.sql, workspace.id, { before: null, most: 4, filter: { words: 'left' } })
    expect(noted.map(({ who, what }) => `${who}: ${what}`).sort()).toEqual([
      'olga@owner.test: calendar feed revoked: the person who made it left',
      'olga@owner.test: key revoked: the person who made it left',
      'olga@owner.test: set-up link ended: the person who gave it left',
    ])
  })

  test('is named as the maker in the list of keys', async () => {
    const keys = await listApiKeys(db.sql, workspace.id)
    expect(keys.map(({ madeBy }) => madeBy)).toContain('ines@owner.test')
    expect((await verifyAllChains(db.owner)).map(({ problem }) => problem)).toEqual([null, null, null])
  })
})
