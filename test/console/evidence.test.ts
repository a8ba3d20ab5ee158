// Evidence packages: what is in one, that it verifies from its files alone, that a changed byte anywhere is found, and that a
// supplier gets its own and no records of others (T31).
import { webcrypto } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { decodeUtf8 as textOf } from '../../src/core/text/utf8.ts'
import { checkPackage } from '../../src/formats/evidence/check.ts'
import { copyPath, type Manifest, manifestPath } from '../../src/formats/evidence/manifest.ts'
import type { AdjustmentPage } from '../../src/views/shapes/agreements.ts'
import type { CompanyPage } from '../../src/views/shapes/company.ts'
import type { PersonRow } from '../../src/views/shapes/settings.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { unzip } from '../support/files/unzip.ts'
import { type Browser, emails, makeSeats, type Seats } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'
import { roundsOf, someOf } from '../support/run/long-form.ts'

let seats: Seats
const document = bracketsDocument({ clause: '{ fixed: 0.40 }' })
const revision = 'series,period,value,version,published\nCUSTOM/steel,2024-06,117.00,REVISED,2024-09-15\n'

const console = consoleHouse()
beforeAll(async () => {
  seats = await makeSeats(console.api)
  const { tenant, as } = seats
  await tenant.import(bracketsTable)
  await tenant.apply(document)
  for (const party of ['buyer', 'supplier'] as const) await tenant.sign('brackets', '2024-Q2', party)
  // Signed by one side, objected to by the other, and then revised.
  await tenant.sign('brackets', '2024-Q3', 'buyer')
  const { entry } = await as.supplier.json<AdjustmentPage>('/agreements/brackets/periods/2024-Q3')
  const said = { hash: entry.hash, about: { kind: 'number' }, reason: 'June is not final; "wait".', reading: null }
  expect((await as.supplier.post('/agreements/brackets/periods/2024-Q3/objections', said)).status).toBe(201)
  await tenant.import(revision)
})

const subtle = webcrypto.subtle

async function take(browser: Browser, query = '') {
  const reply = await browser.get(`/agreements/brackets/evidence${query}`, {
    headers: { 'accept-encoding': 'identity' },
  })
  expect(reply.status, reply.text.slice(0, 200)).toBe(200)
  expect(reply.headers['content-type']).toBe('application/zip')
  const all = unzip(reply.body)
  const content = all.values().reduce((sum, body) => sum + body.length, 0)
  expect(reply.body.length, 'its files are packed').toBeLessThan(content / 3)
  const folder = [...all.keys()][0]!.split('/')[0]!
  expect(reply.headers['content-disposition']).toBe(`attachment; filename="${folder}.zip"`)
  const bytes = new Map([...all].map(([path, body]) => [path.slice(folder.length + 1), body]))
  return { folder, bytes }
}

function check(bytes: ReadonlyMap<string, Uint8Array>) {
  const files = new Map<string, string>()
  const unreadable: string[] = []
  let copy = ''
  for (const [path, body] of bytes) {
    const text = textOf(body)
    if (text === null) unreadable.push(path)
    else if (path === copyPath) copy = text
    else files.set(path, text)
  }
  return checkPackage(files, subtle, { copy, unreadable })
}

const text = (bytes: ReadonlyMap<string, Uint8Array>, path: string) => Buffer.from(bytes.get(path)!).toString()

describe('an evidence package', () => {
  test('has everything about the periods and verifies from its files alone', async () => {
    const { folder, bytes } = await take(seats.as.viewer)
    expect(folder).toBe('evidence-brackets-2024-Q2-to-2024-Q4')
    const slips = [...bytes.keys()].filter(path => path.startsWith('slips/'))
    expect(slips).toHaveLength(3)
    const paths = [...bytes.keys()].filter(path => !slips.includes(path)).sort()
    const older = paths.find(path => path.startsWith('receipts/2024-Q3-before-'))!
    expect(paths).toEqual(
      [
        'README.txt',
        'activity.csv',
        'chain.json',
        'log.json',
        'manifest.json',
        'verify.html',
        'verify-data.js',
        'assize_verify.py',
        'objections.csv',
        'sign-offs.csv',
        'vintages.csv',
        'formulas/version-1.yaml',
        older,
        'settled.csv',
        'corrections.csv',
        'corrections.json',
        'terms-changes.csv',
        'terms-changes.json',
        older.replace('receipts/', 'pages/').replace('.json', '.html'),
        ...['2024-Q2', '2024-Q3', '2024-Q4'].flatMap(period => [`receipts/${period}.json`, `pages/${period}.html`]),
      ].sort(),
    )
    const checked = await check(bytes)
    // Whichever order a folder lists them in.
    expect((await check(new Map([...bytes].toReversed()))).isGood).toBe(true)
    expect(checked.parts.flatMap(({ problems }) => problems)).toEqual([])
    expect(checked.isGood).toBe(true)
    expect(checked.receipts).toHaveLength(4)
    const { body } = JSON.parse(text(bytes, manifestPath)) as Manifest
    expect(body).toMatchObject({
      agreement: { slug: 'brackets' },
      from: '2024-Q2',
      to: '2024-Q4',
      madeBy: emails.viewer,
    })
    // Both clocks, and the figure that counted before it was revised.
    const vintages = text(bytes, 'vintages.csv')
    expect(vintages).toMatch(/^series,name,period,value,version,flag,published,recorded,origin,used by\r\n/)
    expect(vintages).toMatch(/CUSTOM\/steel,Steel billets,2024-06,117\.00,REVISED,,2024-09-15T[^,]+Z,\d{4}-[^,]+Z,/)
    expect(
      text(bytes, 'sign-offs.csv')
        .split('\r\n')
        .filter(line => line !== ''),
    ).toHaveLength(4)
    expect(text(bytes, 'objections.csv')).toContain('"June is not final; ""wait""."')
    expect(text(bytes, 'activity.csv')).toContain('objected to as supplier,brackets 2024-Q3')
    expect(text(bytes, 'formulas/version-1.yaml')).toBe(document)
    expect(text(bytes, 'pages/2024-Q2.html')).toContain('Steel brackets, 2024-Q2')
  })

  test('covers the requested periods', async () => {
    const { folder, bytes } = await take(seats.as.buyer, '?from=2024-07-01&to=2024-07-01')
    expect(folder).toBe('evidence-brackets-2024-Q3')
    expect([...bytes.keys()].filter(path => path.startsWith('receipts/'))).toHaveLength(2)
    expect((await check(bytes)).isGood).toBe(true)
    const ask = (query: string) => seats.as.buyer.get(`/agreements/brackets/evidence?${query}`)
    expect((await ask('from=2030-01-01')).status).toBe(404)
    expect((await ask('from=2024-07-01&to=2024-01-01')).json).toEqual({ error: 'from must not be after to' })
    expect((await ask('from=2024-02-31')).status).toBe(422)
    expect((await seats.as.buyer.get('/agreements/nothing/evidence')).status).toBe(404)
  })

  test('is rejected when one byte of any file is changed, or a file is missing or added', async () => {
    const { bytes } = await take(seats.as.owner)
    let seed = 20_240_401
    const next = (most: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed % most
    }
    for (const [path, body] of bytes) {
      for (let turn = 0; turn < roundsOf('packages', 'changed bytes of each file', 1, 10); turn++) {
        const changed = Buffer.from(body)
        const place = next(changed.length)
        changed[place] = changed[place]! ^ (1 << next(7))
        const { isGood } = await check(new Map([...bytes, [path, changed]]))
        expect(isGood, `${path} at ${place}`).toBe(false)
      }
    }
    for (const path of someOf('packages', 'files that are missing', [...bytes.keys()], { oneIn: 3 })) {
      const { isGood } = await check(new Map([...bytes].filter(([each]) => each !== path)))
      expect(isGood, `without ${path}`).toBe(false)
    }
    const more = await check(new Map([...bytes, ['receipts/2025-Q1.json', bytes.get('receipts/2024-Q2.json')!]]))
    expect(more.isGood).toBe(false)
  })

  test('gives a supplier only its own, without records of others', async () => {
    const { bytes } = await take(seats.as.supplier)
    const paths = [...bytes.keys()]
    expect(paths).not.toContain('activity.csv')
    expect(paths).not.toContain('chain.json')
    expect((await check(bytes)).isGood).toBe(true)
    const everything = paths.map(path => text(bytes, path)).join('\n')
    for (const canary of [emails.owner, emails.viewer, emails.editor]) expect(everything).not.toContain(canary)
    await seats.tenant.apply(
      bracketsDocument({ slug: 'others', name: 'Of somebody else', more: 'parties: { supplier: [else@where.test] }' }),
    )
    expect((await seats.as.supplier.get('/agreements/others/evidence')).status).toBe(404)
    expect((await seats.as.viewer.get('/agreements/others/evidence')).status).toBe(200)
  })

  test('says who let each signer in, and has the lists of their people that companies confirmed', async () => {
    const house = await makeSeats(console.api, 'listed-')
    const { as, tenant } = house
    await tenant.import(bracketsTable)
    for (const [slug, role] of [
      ['ohio-forge', 'supplier'],
      ['acme', 'buyer'],
    ] as const) {
      await as.owner.post('/parties', { slug, name: slug })
      const people = await as.owner.json<readonly PersonRow[]>('/people')
      const { id } = people.find(each => each.email === `listed-${emails[role]}`)!
      expect((await as.owner.patch(`/people/${id}`, { party: slug })).status).toBe(200)
    }
    await tenant.apply(bracketsDocument({ more: 'parties: { buyer: acme, supplier: ohio-forge }' }))
    await as.supplier.confirm()
    const { hash } = (await as.supplier.json<CompanyPage>('/company')).company!
    expect((await as.supplier.post('/company/confirm', { hash })).status).toBe(200)
    const { signing } = await as.supplier.json<AdjustmentPage>('/agreements/brackets/periods/2024-Q2')
    const periods = signing.periods.map(({ period, hash: of }) => ({ period, hash: of }))
    const signed = await as.supplier.post('/agreements/brackets/periods/2024-Q2/sign', { party: 'supplier', periods })
    expect(signed.status).toBe(200)

    const { bytes } = await take(as.viewer)
    const checked = await check(bytes)
    expect(checked.parts.flatMap(({ problems }) => problems)).toEqual([])
    expect(checked.parts.map(({ title }) => title)).toContain('The people of the companies')
    const told = 'ohio-forge confirmed its people on'
    for (const path of ['pages/2024-Q2.html', 'sign-offs.csv']) {
      expect(text(bytes, path), path).toContain(told)
      expect(text(bytes, path), path).toContain(
        `put into ohio-forge by listed-${emails.owner} (owner of the workspace)`,
      )
    }
    expect(text(bytes, 'people.csv')).toMatch(/,ohio-forge,listed-sam@supplier\.test,CONFIRMED,/)
    expect(text(bytes, 'companies/ohio-forge.json')).toContain(hash)
    // A list that is not the confirmed one is found even under a manifest of its own.
    const other = Buffer.from(text(bytes, 'companies/ohio-forge.json').replaceAll(hash, 'a'.repeat(64)))
    const { parts } = await check(new Map([...bytes, ['companies/ohio-forge.json', other]]))
    expect(parts.find(({ title }) => title === 'The people of the companies')!.problems.join('; ')).toMatch(
      /is not the one that was confirmed.*that a signature names is not in the chain/,
    )
    const own = (await take(as.supplier)).bytes
    expect([...own.keys()].filter(path => path.startsWith('companies/'))).toEqual(['companies/ohio-forge.json'])
    expect((await check(own)).isGood).toBe(true)
  })
})
