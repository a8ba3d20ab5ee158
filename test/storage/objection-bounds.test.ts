// How often one side may object and answer about one agreement within a day.
import { beforeAll, describe, expect, test } from 'vitest'
import { answerObjection, objectToPeriod } from '../../src/agreements/object.ts'
import { Seal } from '../../src/agreements/seal.ts'
import { limits } from '../../src/limits.ts'
import { buyer, supplier, type Tenant } from '../support/houses/api.ts'
import { openOwnApi, ownHouse } from '../support/houses/house.ts'
import { firstPrints, trueUpDocument } from '../support/houses/true-up-house.ts'

let tenant: Tenant
let seal: Seal
const api = ownHouse(openOwnApi)
beforeAll(async () => {
  tenant = await api.tenant()
  seal = new Seal(api.ring)
  await tenant.import(firstPrints)
  for (const slug of ['flooded', 'quiet'])
    await tenant.apply(trueUpDocument({ slug, parties: `{ buyer: [${buyer}], supplier: [${supplier}] }` }))
})

const statement = (agreement: string, party: 'buyer' | 'supplier') => ({
  workspaceId: tenant.id,
  agreement,
  party,
  email: party === 'buyer' ? buyer : supplier,
  means: 'SESSION' as const,
  fromAddress: null,
})
const object = (agreement: string, party: 'buyer' | 'supplier', period: string) =>
  objectToPeriod(api.sql, seal, {
    ...statement(agreement, party),
    period,
    hash: null,
    about: { kind: 'number' } as const,
    reason: 'No.',
    reading: null,
  })

describe('one side', () => {
  test('objects to an agreement so often a day and no more; the other side and other agreements do not notice', async () => {
    const { ofPeriod, ofSidePerDay, answers, answersOfSidePerDay } = limits.objections
    const periods = ['2024-Q2', '2024-Q3', '2024-Q4']
    const ids: string[] = []
    for (let i = 0; i < ofSidePerDay; i++)
      ids.push((await object('flooded', 'buyer', periods[Math.floor(i / ofPeriod)]!)).id)
    await expect(object('flooded', 'buyer', '2024-Q4')).rejects.toThrow(
      `the buyer has made ${ofSidePerDay} objections to flooded within 24 hours, the most there can be`,
    )
    await object('quiet', 'buyer', '2024-Q4')
    await object('flooded', 'supplier', '2024-Q2')
    const answer = (i: number, party: 'buyer' | 'supplier') =>
      answerObjection(api.sql, { ...statement('flooded', party), objectionId: ids[i]!, words: 'Still no.' })
    for (let i = 0; i < answersOfSidePerDay; i++) await answer(Math.floor(i / answers), 'buyer')
    await expect(answer(2, 'buyer')).rejects.toThrow(`the buyer has given ${answersOfSidePerDay} answers about flooded`)
    await answer(2, 'supplier')
  })
})
