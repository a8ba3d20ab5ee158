// F1, F2, F3 and F4 for corrections and changes of terms: killed while they are proposed and signed, asked again as they were known,
// read page by page while others are proposed, and signed by both at once while everything moves.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proposeCorrection, refuseCorrection } from '../../src/agreements/correct.ts'
import { Seal } from '../../src/agreements/seal.ts'
import type { ExtWire } from '../../src/http/ext/description/schemas.ts'
import { type Api, buyer, openApi, supplier } from '../support/houses/api.ts'
import { finalMarch, firstPrints, trueUpDocument } from '../support/houses/true-up-house.ts'
import { scenario } from '../support/run/long-test.ts'
import { openTestDatabase } from '../support/run/postgres.ts'
import { correctionKillKinds, killAtCorrections } from './correction-kills.ts'
import { raceCorrections } from './correction-races.ts'
import { type FolderGround, openFolderGround } from './grounds.ts'
import { killAtSplices } from './splice-kills.ts'
import { raceSplices } from './splice-races.ts'

describe('over an installation in a folder of its own', () => {
  let ground: FolderGround
  beforeAll(async () => {
    ground = await openFolderGround()
  })
  afterAll(() => ground.close())

  scenario(
    'correction-kills',
    'F1: kills while corrections are proposed and signed leave nothing lost, doubled or half done',
    { short: correctionKillKinds, long: 100 },
    async run => {
      const { failures, done, undone } = await killAtCorrections(ground, run)
      expect(done + undone).toBe(run.rounds)
      return { summary: `${done} times it was done by then, ${undone} times not`, failures }
    },
  )

  scenario(
    'splice-kills',
    'F1: a kill at the second signature of a change of terms leaves signature and version, or neither',
    { short: 1, long: 100 },
    async run => {
      const { failures, done, undone } = await killAtSplices(ground, run)
      expect(done + undone).toBe(run.rounds)
      return { summary: `${done} times it was done by then, ${undone} times not`, failures }
    },
  )
})

describe('over one database', () => {
  let api: Api
  beforeAll(async () => {
    api = await openApi(await openTestDatabase())
  })
  afterAll(() => api.close())

  scenario(
    'correction-races',
    'F4: both sign at once while figures are revised, others propose and one refuses',
    { short: 5, long: 500 },
    async run => {
      const { accepted, refused, agreed } = await raceCorrections(api, run)
      expect(accepted).toBeGreaterThan(run.rounds)
      expect(refused).toBeGreaterThan(0)
      expect(agreed).toBeGreaterThan(0)
      return { summary: `${accepted} acts taken, ${refused} refused, ${agreed} corrections agreed`, failures: [] }
    },
  )

  scenario(
    'splice-races',
    'F4: both sign a splice at once while its window is revised and others counter: one version, as signed',
    { short: 5, long: 1_000 },
    async run => {
      const { accepted, refused, agreed } = await raceSplices(api, run)
      expect(accepted).toBeGreaterThan(run.rounds)
      expect(refused).toBeGreaterThan(0)
      expect(agreed).toBeGreaterThan(0)
      return { summary: `${accepted} acts taken, ${refused} refused, ${agreed} splices agreed`, failures: [] }
    },
  )

  test('F2, F3: pages of corrections contain what existed throughout once, and give the same answers later', async () => {
    const tenant = await api.tenant()
    const seal = new Seal(api.ring)
    await tenant.import(firstPrints)
    await tenant.apply(trueUpDocument({ corrections: '{ when: EACH }' }))
    await tenant.signBoth('steel-brackets', '2024-Q2')
    await tenant.import(finalMarch)
    const by = { who: buyer, fromAddress: null }
    const add = async () => {
      const request = { workspaceId: tenant.id, agreement: 'steel-brackets', reason: null, by }
      const { correction } = await proposeCorrection(api.sql, seal, request)
      await refuseCorrection(api.sql, seal, {
        workspaceId: tenant.id,
        id: correction.id,
        hash: null,
        party: 'supplier',
        email: supplier,
        reason: 'no',
        means: 'OPERATOR',
        fromAddress: null,
      })
      return correction.id
    }
    const there: string[] = []
    for (let i = 0; i < 7; i++) there.push(await add())
    type List = ExtWire<'CorrectionList'>
    const path = '/pams/steel-brackets/corrections'
    const at = new Date().toISOString()
    const then = (await tenant.ext(`${path}?knownAt=${at}`)).text
    const seen: string[] = []
    let cursor = ''
    do {
      const { data, pagination } = await tenant.extJson<List>(`${path}?limit=2${cursor}`)
      seen.push(...data.map(({ id }) => id))
      await add()
      cursor = pagination.nextCursor === null ? '' : `&cursor=${pagination.nextCursor}`
    } while (cursor !== '')
    expect(new Set(seen).size).toBe(seen.length)
    expect(there.filter(id => !seen.includes(id))).toEqual([])
    expect((await tenant.ext(`${path}?knownAt=${at}`)).text).toBe(then)
  })
})
