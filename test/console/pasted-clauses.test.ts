// A clause that was pasted into the form is kept with its agreement, and no agreement comes into force while a sentence of it is
// neither in the form nor ticked off by hand.
import { describe, expect, test } from 'vitest'
import { verifyChain } from '../../src/storage/upkeep/chain.ts'
import type { SaveRequest } from '../../src/views/calls/agreement-calls.ts'
import type { AgreementPage } from '../../src/views/shapes/agreements.ts'
import type { ClauseView } from '../../src/views/shapes/versions.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { type Browser, makeSeats } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'

const console = consoleHouse()

const late = 'Late delivery carries a penalty of 0.2 % per day.'
const notice = 'The supplier informs the buyer four weeks before.'
const text = `0.40 fixed, 0.35 steel, 0.25 labour. ${late} Adjustments below 3 % are not made. ${notice}`
const draft = bracketsDocument({ status: 'DRAFT' })
const active = bracketsDocument()

async function ready() {
  const seats = await makeSeats(console.api)
  await seats.tenant.import(bracketsTable)
  return seats
}

const save = (browser: Browser, request: SaveRequest) => browser.post('/agreements', request)
const clauseOf = async (browser: Browser) => (await browser.json<ClauseView>('/agreements/brackets/clause')).clause

describe('a pasted clause', () => {
  test('is kept with the draft, and so is every tick', async () => {
    const { as } = await ready()
    const none = { text, checked: [] }
    expect((await save(as.editor, { text: draft, basedOn: 0, clause: none })).status).toBe(201)
    expect(await clauseOf(as.editor)).toEqual(none)
    const one = { text, checked: [late] }
    const ticked = await save(as.editor, { text: draft, basedOn: 1, clause: one })
    expect(ticked.json).toMatchObject({ outcome: 'changed', version: 1 })
    expect(await clauseOf(as.owner)).toEqual(one)
    expect((await save(as.editor, { text: draft, basedOn: 1, clause: one })).json).toMatchObject({
      outcome: 'unchanged',
    })
    const renamed = bracketsDocument({ status: 'DRAFT', name: 'Other name' })
    await save(as.editor, { text: renamed, basedOn: 1 })
    expect(await clauseOf(as.owner)).toEqual(one)
    expect((await as.editor.json<AgreementPage>('/agreements/brackets')).documentText).not.toContain(late)
  })

  test('keeps the agreement out of force until each sentence is understood or ticked off', async () => {
    const { as, tenant } = await ready()
    const refused = await save(as.editor, { text: active, basedOn: 0, clause: { text, checked: [late] } })
    expect(refused.status).toBe(422)
    expect(refused.json).toMatchObject({
      problems: [
        {
          path: 'status',
          message: `cannot be ACTIVE yet: one sentence of the clause is not understood and not ticked off: “${notice}”`,
        },
      ],
    })
    expect((await save(as.editor, { text: draft, basedOn: 0, clause: { text, checked: [] } })).status).toBe(201)
    // Neither on the page without the clause, nor by a command.
    expect((await save(as.editor, { text: active, basedOn: 1 })).status).toBe(422)
    await expect(tenant.apply(active)).rejects.toThrow(/2 sentences of the clause are not understood/)
    const all = { text, checked: [late, notice] }
    expect((await save(as.editor, { text: active, basedOn: 1, clause: all })).status).toBe(201)
    expect((await save(as.editor, { text: bracketsDocument({ name: 'Other' }), basedOn: 1 })).status).toBe(201)
    expect(await clauseOf(as.editor)).toEqual(all)
    expect((await verifyChain(console.api.sql, tenant.id)).problem).toBeNull()
  })

  test('is for those who may change the agreement', async () => {
    const { as } = await ready()
    await save(as.editor, { text: active, basedOn: 0, clause: { text, checked: [late, notice] } })
    const answers = [as.supplier, as.viewer, as.buyer].map(each => each.get('/agreements/brackets/clause'))
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([403, 403, 403])
    const seen = JSON.stringify(await as.supplier.json('/agreements/brackets'))
    expect(seen).not.toContain('penalty')
  })
})
