// Random histories through storage: every act is a real one, and the ledger of what is stored agrees with the clerk's, when it
// happens and asked for later as it was known then.
import { beforeAll, describe, expect, test } from 'vitest'
import { Chance, suiteSeed } from '../faults/chance.ts'
import type { Tenant } from '../support/houses/api.ts'
import { openOwnApi, ownHouse } from '../support/houses/house.ts'
import { roundsOf } from '../support/run/long-form.ts'
import { drawHistory } from '../true-up/history.ts'
import { livable, StoredHistory } from '../true-up/stored.ts'

const histories = roundsOf('properties', 'histories of the ledger, through storage', 2, 20)

let tenant: Tenant
const api = ownHouse(openOwnApi)
beforeAll(async () => {
  tenant = await api.tenant()
})

describe('the ledger of what is stored', () => {
  test(`agrees with the independent one on ${histories} random histories`, async () => {
    for (let i = 0; i < histories; i++) {
      const history = livable(drawHistory(new Chance(suiteSeed + i)))
      const found = await new StoredHistory(tenant, history, `drawn-${i}`).compare()
      expect(found, `seed ${suiteSeed + i}`).toBeNull()
    }
  })
})
