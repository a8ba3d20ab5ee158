// Agreements read many at a time: each as it is when it is read alone.
import { beforeAll, expect, test } from 'vitest'
import { loadAgreementHistories, loadAgreementHistory } from '../../src/storage/agreements/agreements.ts'
import { withWorkspace } from '../../src/storage/postgres/database.ts'
import { ownHouse } from '../support/houses/house.ts'
import { billedInQ2, finalMarch, openTrueUpHouse, trueUpDocument } from '../support/houses/true-up-house.ts'

const ground = ownHouse(openTrueUpHouse)
beforeAll(async () => {
  await ground.importLines(billedInQ2)
  await ground.importFigures(finalMarch)
  await ground.json('correction', 'propose', 'steel-brackets')
  await ground.apply(trueUpDocument({ slug: 'copper-bars', corrections: null }))
  await ground.signBoth('copper-bars', '2024-Q2')
  await ground.apply(trueUpDocument({ slug: 'nickel-plates', status: 'DRAFT' }))
})

test('agreements read together are the same as read alone, in the requested order', async () => {
  const slugs = ['nickel-plates', 'steel-brackets', 'copper-bars']
  const { id: workspaceId } = ground.workspace
  const [alone, together, none] = await withWorkspace(ground.house.installation.sql, workspaceId, async tx => {
    const alone = await Promise.all(slugs.map(slug => loadAgreementHistory(tx, workspaceId, slug)))
    const ids = alone.map(kept => kept!.id)
    return [
      alone,
      await loadAgreementHistories(tx, workspaceId, [...ids, 'pam_that_is_not_there']),
      await loadAgreementHistories(tx, workspaceId, []),
    ]
  })
  expect(together).toEqual(alone)
  expect(together.map(({ slug, signOffs }) => [slug, signOffs.length])).toEqual([
    ['nickel-plates', 0],
    ['steel-brackets', 4],
    ['copper-bars', 2],
  ])
  expect(together.map(({ corrections }) => corrections.length)).toEqual([0, 1, 0])
  expect(none).toEqual([])
})
