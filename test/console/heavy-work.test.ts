// Documents that are written to be slow, previewed, saved and stored: each ends with a sentence, in a worker, and the
// server keeps answering others meanwhile.
import { beforeAll, describe, expect, test } from 'vitest'
import { calculatingPart } from '../../src/core/formula/canonical.ts'
import { checkDocument } from '../../src/core/formula/check/check.ts'
import { usualWork } from '../../src/core/numbers/work-budget.ts'
import { formatDay } from '../../src/core/time/day.ts'
import {
  insertAgreement,
  insertAgreementStates,
  insertFormulaVersions,
} from '../../src/storage/agreements/agreements.ts'
import { appending } from '../../src/storage/log/append.ts'
import type { Preview } from '../../src/views/shapes/agreements.ts'
import type { Failure } from '../../src/views/shapes/session.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { slowDocuments } from '../support/agreements/slow-documents.ts'
import { mostWorkInOneTurn } from '../support/counted-work.ts'
import { eventually } from '../support/houses/api.ts'
import { consoleHouse } from '../support/houses/house.ts'
import { someOf } from '../support/run/long-form.ts'

/** What one request may take of the main thread, where others wait. */
const mostUnits = 2 * usualWork.units
const tooMuch = /more work than the 30 million operations that one formula may take/

const console = consoleHouse()
beforeAll(async () => {
  await console.tenant.import(bracketsTable)
  await console.tenant.apply(bracketsDocument())
  // The first one starts a worker.
  await console.as.editor.post('/agreements/preview', { text: bracketsDocument(), against: null })
})

/** Stored by a server that had no budget yet. */
async function keepUnchecked(text: string): Promise<void> {
  const { formula, document } = checkDocument(text)
  await appending(console.api.sql, console.tenant.id, async (tx, log) => {
    const id = await insertAgreement(tx, log, formula!.slug)
    const written = { document: calculatingPart(document), documentText: text, createdBy: 'eva@editor.test' }
    const effectiveFrom = formatDay(formula!.effectiveFrom)
    await insertFormulaVersions(tx, log, [
      { agreementId: id, version: 1, ...written, effectiveFrom, proposal: null, words: null },
    ])
    await insertAgreementStates(tx, log, [{ ...formula!, agreementId: id }])
  })
  const heard = await eventually(
    () => console.tenant.get(`/pams/${formula!.slug}`),
    ({ status }) => status === 200,
  )
  expect(heard.status).toBe(200)
}

describe('a document that is written to be slow', () => {
  const small = slowDocuments({ steps: 25, start: '2024-01-01' }).filter(({ name }) => !name.includes('carried on'))
  const few = someOf('slow-documents', 'kinds of slow document', small, { oneIn: 3, from: 1 })
  test.each(few.map(({ name, text }) => [name, text]))(
    'with %s is previewed as blocked, and holds nobody up',
    async (_name, text) => {
      const { count, value } = await mostWorkInOneTurn(() =>
        console.as.supplier.post('/agreements/preview', { text, against: null }),
      )
      expect(value.status).toBe(200)
      const { blocked } = value.json as Preview
      expect(blocked.at(-1)?.reason).toMatch(tooMuch)
      expect(count).toBeLessThan(mostUnits)
    },
  )

  test('is refused when it is saved, with the reason', async () => {
    const [document] = slowDocuments({ steps: 40, slug: 'slow-saved' })
    const { count, value } = await mostWorkInOneTurn(() =>
      console.as.editor.post('/agreements', { text: document!.text, basedOn: 0 }),
    )
    expect(value.status).toBe(422)
    expect((value.json as Failure).problems?.[0]?.message).toMatch(tooMuch)
    expect(count).toBeLessThan(mostUnits)
  })

  test('is answered as blocked if it is already stored, by the API and on every page', async () => {
    await keepUnchecked(slowDocuments({ steps: 40, slug: 'slow-kept' })[0]!.text)
    const { tenant, as } = console
    const { count } = await mostWorkInOneTurn(async () => {
      const adjustment = await tenant.get('/pams/slow-kept/adjustment')
      expect([adjustment.status, adjustment.text]).toEqual([404, expect.stringMatching(tooMuch)])
      expect(await tenant.json('/pams/slow-kept/values')).toEqual({ data: [] })
      expect((await tenant.get('/pams/slow-kept')).status).toBe(200)
      const page = await as.viewer.ask(`/w/${console.slug}/agreements/slow-kept`)
      expect([page.status, page.text]).toEqual([200, expect.stringMatching(tooMuch)])
      const list = await as.viewer.ask(`/w/${console.slug}/agreements`)
      expect([list.status, list.text]).toEqual([200, expect.stringContaining('slow-kept')])
    })
    expect(count).toBeLessThan(mostUnits)
  })
})

test('what one worker changes is seen on the next page', async () => {
  const saved = await console.as.editor.post('/agreements', { text: bracketsDocument({ slug: 'seen' }), basedOn: 0 })
  expect(saved.status).toBe(201)
  expect((await console.as.viewer.ask(`/w/${console.slug}/agreements/seen`)).status).toBe(200)
})
