// Random histories through storage: every act is a real one, and the ledger of what is stored agrees with the clerk's, when it
// happens and asked for later as it was known then.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Chance, suiteSeed } from '../faults/chance.ts'
import { type Api, openApi, type Tenant } from '../support/houses/api.ts'
import { draws } from '../support/run/long-form.ts'
import { openTestDatabase } from '../support/run/postgres.ts'
import { drawHistory } from '../true-up/history.ts'
import { livable, StoredHistory } from '../true-up/stored.ts'

const histories = draws(3)

let api: Api
let tenant: Tenant
beforeAll(async () => {
  api = await openApi(await openTestDatabase())
  tenant = await api.tenant()
})
afterAll(() => api?.close())

describe('the ledger of what is stored', () => {
  test(`agrees with the independent one on ${histories} random histories`, async () => {
    for (let i = 0; i < histories; i++) {
      const history = livable(drawHistory(new Chance(suiteSeed + i)))
      const found = await new StoredHistory(tenant, history, `drawn-${i}`).compare()
      expect(found, `seed ${suiteSeed + i}`).toBeNull()
    }
  })
})
