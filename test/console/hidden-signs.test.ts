// Texts of one line that people write come in without signs that nobody sees: whoever reads a name on a terminal, in a receipt or
// in a mail reads what was written. What was stored before that was checked goes on.
import { describe, expect, test } from 'vitest'
import { applyDocument } from '../../src/agreements/apply.ts'
import { writeDocument } from '../../src/agreements/write-version.ts'
import { checkDocument } from '../../src/core/formula/check/check.ts'
import { isOneLine } from '../../src/core/text/one-line.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { appending } from '../../src/storage/log/append.ts'
import { appendEntry } from '../../src/storage/log/entry-rows.ts'
import { renameCompany } from '../../src/storage/people/parties.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { consoleHouse } from '../support/houses/house.ts'

const house = consoleHouse()

/** A name with each of them would be read as something else. */
const signs = {
  'a line break': 'A\nB',
  'a return': 'A\rB',
  'an escape of a terminal': 'A\u001b[8mB',
  'an escape of the second kind': 'A\u009b8mB',
  'a separator of lines': 'A\u2028B',
  'a sign that turns the direction': 'A\u202eB',
  'an isolate': 'A\u2067B',
  'a space without a width': 'A\u200bB',
  'a joiner': 'A\u200dB',
  'a mark of byte order': 'A\ufeffB',
  'a filler': 'A\u3164B',
  'a soft hyphen': 'A\u00adB',
  'a letter of tags': 'A\u{e0041}B',
} as const

test('letters of all scripts, accents and signs of trade are one line; a sign that nobody sees is not', () => {
  for (const name of [
    'Ohio Forge Inc.',
    'Žilina Ø 葛\u{e0100}城',
    'שלום',
    'مصنع',
    'हिन्दी',
    'Nova™\ufe0f 🙂',
    'cafe\u0301',
  ])
    expect([name, isOneLine(name)]).toEqual([name, true])
  for (const [what, name] of Object.entries(signs)) expect([what, isOneLine(name)]).toEqual([what, false])
  expect(isOneLine('half \ud83d')).toBe(false)
})

describe.each(Object.entries(signs))('%s', (_, name) => {
  test('is in no name that comes in', async () => {
    const { as, tenant } = house
    const within = `x${name}x`
    const replies = [
      await as.owner.patch('/workspace', { name: within }),
      await as.owner.post('/parties', { slug: 'odd', name: within }),
      await as.owner.post('/people', { email: 'new@buyer.test', name: within, role: 'buyer' }),
      await as.owner.post('/people', { email: `n${within}w@buyer.test`, name: '', role: 'buyer' }),
      await as.owner.post('/keys', { name: within, expiresAt: null }),
      await as.owner.post('/feeds', { name: within }),
    ]
    expect(replies.map(({ status }) => status >= 400 && status < 500)).toEqual(replies.map(() => true))
    const upload = `series,period,value,name,unit,flag\nCUSTOM/odd,2024-01,1,"${within}","${within}",\n`
    const reply = await as.owner.upload('/series/upload?file=a.csv&mode=import', upload)
    expect(reply.text).toMatch(/one line without control characters/)
    const request = { workspaceId: tenant.id, text: documentNamed(within), by: 'x', today: parseDay('2024-12-01')! }
    await tenant.import(bracketsTable).catch(() => {})
    expect(await applyDocument(house.api.sql, request)).toMatchObject({
      outcome: 'refused',
      problems: [{ path: 'name' }, { path: 'contract.price.unit' }, { path: 'contract.references[0]' }],
    })
  })
})

function documentNamed(name: string): string {
  const text = JSON.stringify(name).replaceAll('\u007f', '\\u007f')
  return bracketsDocument({ slug: 'odd', name: text })
    .replace('unit: piece', `unit: ${text}`)
    .replace('frequency: QUARTERLY', `frequency: QUARTERLY\n  references: [${text}]`)
}

test('what had such a name before keeps it, works, and is changed in everything else', async () => {
  const { api, as, tenant } = house
  const old = signs['an escape of a terminal']
  await as.owner.post('/parties', { slug: 'older', name: 'Older Ltd' })
  await tenant.import(bracketsTable).catch(() => {})
  const text = documentNamed(old).replaceAll('slug: odd', 'slug: older')
  const { formula, document } = checkDocument(text)
  await appending(api.sql, tenant.id, async (tx, log) => {
    const [{ id }] = await tx<
      [{ id: string }]
    >`select id from party where workspace_id = ${tenant.id} and slug = 'older'`
    await appendEntry(tx, log, 'party', { subject: id, facts: { slug: 'older', name: old } })
    const judged = { formula: formula!, document }
    await writeDocument(tx, log, { kept: null, judged, text, by: 'eva@editor.test', proposal: null })
  })
  expect((await as.owner.get('/agreements/older')).status).toBe(200)
  const request = { workspaceId: tenant.id, by: 'eva@editor.test', today: parseDay('2024-12-01')! }
  const changed = text.replace('Quarterly adjustment', 'Another description')
  expect(await applyDocument(api.sql, { ...request, text: changed })).toMatchObject({ outcome: 'changed' })
  const by = { who: 'operator', fromAddress: null }
  expect(await renameCompany(api.sql, tenant.id, 'older', 'Older Ltd', by)).toMatchObject({ name: 'Older Ltd' })
})
