// `verify` of an evidence package in which the prices come from a price list that both sides signed: it holds, says what was agreed,
// and finds rows that are not those that were signed, and a list that was left out.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Seal } from '../../src/agreements/seal.ts'
import type { ChangeReceipt } from '../../src/core/index-changes/change-receipt.ts'
import type { TableResult } from '../../src/views/shapes/imports.ts'
import type { TermsChangePage } from '../../src/views/shapes/index-changes.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { packSealed, unpackEvidence } from '../support/files/evidence-package.ts'
import { runCommand } from '../support/houses/command-house.ts'
import { emails, linesOf } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'

const console = consoleHouse()
let folder: string
let archive: Buffer
let files: ReadonlyMap<string, string>
let path: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assize-packages-'))
  const { tenant, as } = console
  for (const browser of [as.buyer, as.supplier]) await browser.confirm()
  await tenant.import(bracketsTable)
  const parties = `parties: { buyer: [${emails.buyer}], supplier: [${emails.supplier}] }`
  await tenant.apply(
    bracketsDocument({ more: parties }).replace('frequency: QUARTERLY', 'frequency: QUARTERLY\n  change: BOTH'),
  )
  await tenant.signBoth('brackets', '2024-Q2')
  const query = 'file=a.csv&mode=import&kind=prices&agreement=brackets&from=2024-Q2'
  const reply = await as.editor.upload(`/import?${query}`, 'item,price,currency,unit\nA,5,EUR,piece\n')
  const id = linesOf<TableResult>(reply).at(-1)!.list!.proposal!
  for (const party of ['buyer', 'supplier'] as const) {
    const { change } = await as[party].json<TermsChangePage>(`/terms-changes/${id}`)
    expect((await as[party].post(`/terms-changes/${id}/sign`, { party, hash: change.hash })).status).toBe(200)
  }
  const taken = await as.owner.get('/agreements/brackets/evidence', { headers: { 'accept-encoding': 'identity' } })
  expect(taken.status, taken.text.slice(0, 200)).toBe(200)
  archive = taken.body
  files = unpackEvidence(archive).files
  path = `terms-changes/${id}.json`
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function verify(content: Buffer | string, name = 'package.zip') {
  const file = join(folder, name)
  await writeFile(file, content)
  return runCommand(['verify', file], {})
}

test('a price list that both signed is named with its price list version, and the package holds', async () => {
  const { status, out, err } = await verify(archive)
  expect([status, err]).toEqual([0, ''])
  expect(out).toContain('price list')
  expect(files.get('terms-changes.csv')).toContain('price list')
  const single = await verify(files.get(path)!, 'list.json')
  expect([single.status, single.err]).toEqual([0, ''])
  expect(single.out).toContain('agreed between')
})

test('other rows than were signed, and a list that was left out, are found', async () => {
  const seal = new Seal(console.api.ring)
  const receipt = JSON.parse(files.get(path)!) as ChangeReceipt
  const rows = receipt.document!.replace('"5"', '"6"')
  expect(rows).not.toBe(receipt.document)
  const other = `${JSON.stringify({ ...receipt, document: rows }, null, 2)}\n`
  const changed = await verify(packSealed(new Map([...files, [path, other]]), seal))
  expect([changed.status, changed.out]).toEqual([1, ''])
  expect(changed.err).toContain('the rows are not those whose hash was signed')
  const left = await verify(packSealed(new Map([...files].filter(([each]) => each !== path)), seal))
  expect([left.status, left.out]).toEqual([1, ''])
})
