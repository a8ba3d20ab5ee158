// What is suspected about indices is kept: the figures of a series are looked at again only when there is something new about it.
import { expect, test } from 'vitest'
import { Seal } from '../../src/agreements/seal.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { Library } from '../../src/read/library.ts'
import { oldIndexDocument, twoIndices } from '../support/agreements/two-indices.ts'
import { house } from '../support/houses/house.ts'
import { firstPrints, trueUpDocument } from '../support/houses/true-up-house.ts'

const { api, tenant } = house()

test('suspects are computed once, and again for what has changed: one series, the day, or what it is compared with', async () => {
  await tenant.import(twoIndices)
  await tenant.import(firstPrints)
  await tenant.apply(oldIndexDocument({ slug: 'old' }))
  await tenant.apply(trueUpDocument({ slug: 'metal' }))
  const library = new Library(api.sql, 2 ** 26, { seals: new Seal(api.ring).rows, report: () => {} })
  const { series } = await library.index(tenant.id)
  const days = { sooner: parseDay('2026-11-17')!, today: parseDay('2026-11-18')! }
  const computed = async (wanted: Partial<Parameters<typeof library.suspects.list>[1]> = {}) => {
    const before = library.suspects.computed
    const listed = await library.suspects.list(tenant.id, { today: days.today, ...wanted })
    return { work: library.suspects.computed - before, listed }
  }
  const first = await computed()
  expect(first.work).toBe(2)
  expect(first.listed.map(each => [each.series, each.kind, each.pams])).toEqual([
    ['CUSTOM/metal', 'ENDED', ['metal']],
    ['CUSTOM/old', 'ENDED', ['old']],
  ])
  expect(await computed()).toEqual({ work: 0, listed: first.listed })

  await tenant.importValues('CUSTOM/old', { '2026-10': '120.0' }, '2026-11-10')
  const subject = await tenant.seriesId('CUSTOM/old')
  const [{ seq } = { seq: 0 }] = await api.owner<{ seq: number }[]>`
    select max(seq) as seq from publication where scope = ${tenant.id} and subject = ${subject}`
  library.changes.entered({ scope: tenant.id, kind: 'observations', subject, seq })
  const after = await computed()
  expect(after.work).toBe(1)
  expect(after.listed.map(each => each.series)).toEqual(['CUSTOM/metal'])

  // Whoever sees other series beside them has their own answer, and both are kept.
  const among = series.filter(({ code }) => code === 'old')
  expect((await computed({ among })).work).toBe(2)
  expect([(await computed()).work, (await computed({ among })).work]).toEqual([0, 0])
  expect((await computed({ today: days.sooner })).work).toBe(2)
})
