// `verify` of an evidence package with changes of terms: a splice that both signed in one list with another, an amendment that was
// refused, what is said about them, and what is found if one is left out or changed.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Seal } from '../../src/agreements/seal.ts'
import type { ChangeReceipt } from '../../src/core/index-changes/change-receipt.ts'
import { hashOf, type Receipt } from '../../src/core/receipt/receipt.ts'
import { checkPackageFile } from '../../src/formats/evidence/package-file.ts'
import type { TermsChangePage, TermsProposed, TermsSigned } from '../../src/views/shapes/index-changes.ts'
import { oldIndexDocument, twoIndices } from '../support/agreements/two-indices.ts'
import { packSealed, unpackEvidence } from '../support/files/evidence-package.ts'
import { runCommand } from '../support/houses/command-house.ts'
import { type Browser, emails } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'

const console = consoleHouse()
const slug = 'steel-brackets'
let seal: Seal
let folder: string
let archive: Buffer
let files: ReadonlyMap<string, string>
let agreed: string
let refused: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assize-packages-'))
  seal = new Seal(console.api.ring)
  const { tenant, as } = console
  for (const browser of [as.buyer, as.supplier]) await browser.confirm()
  await tenant.import(twoIndices)
  const parties = `{ buyer: [${emails.buyer}], supplier: [${emails.supplier}] }`
  for (const each of [slug, 'hinges']) await tenant.apply(oldIndexDocument({ slug: each, parties }))
  await tenant.signBoth(slug, '2024-Q2')
  const propose = async (path: string, wish: object) => {
    const { status, text, json } = await as.editor.post(path, wish)
    expect(status, text).toBe(201)
    return json as TermsProposed
  }
  const splice = {
    old: 'CUSTOM/old',
    successor: 'CUSTOM/new',
    method: 'OVERLAP',
    ground: { kind: 'BY_HAND', sentence: 'The office stopped it.' },
  }
  const proposed = [
    await propose(`/agreements/${slug}/splices`, splice),
    await propose('/agreements/hinges/splices', splice),
  ]
  agreed = proposed[0]!.id
  const pages = await Promise.all(proposed.map(({ id }) => as.viewer.json<TermsChangePage>(`/terms-changes/${id}`)))
  for (const party of ['buyer', 'supplier'] as const) {
    const changes = pages.map(({ change: { id, hash } }) => ({ id, hash, party }))
    const { json } = await as[party].post('/terms-changes/sign', { changes })
    expect((json as TermsSigned).refused).toEqual([])
  }
  const capped = pages[0]!.document.replace('clause: {}', 'clause: { cap: { periodPct: 3 } }')
  refused = (await propose(`/agreements/${slug}/amendments`, { text: capped, reason: 'A cap.' })).id
  expect((await as.supplier.post(`/terms-changes/${refused}/refuse`, { hash: null, reason: 'No cap.' })).status).toBe(
    200,
  )
  archive = await take(as.owner)
  files = unpackEvidence(archive).files
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function take(browser: Browser, query = ''): Promise<Buffer> {
  const reply = await browser.get(`/agreements/${slug}/evidence${query}`, {
    headers: { 'accept-encoding': 'identity' },
  })
  expect(reply.status, reply.text.slice(0, 200)).toBe(200)
  return reply.body
}

async function verify(content: Buffer, ...words: string[]) {
  const path = join(folder, 'package.zip')
  await writeFile(path, content)
  return runCommand(['verify', path, ...words], {})
}

const withFile = (path: string, change: (text: string) => string) =>
  new Map([...files, [path, change(files.get(path)!)]])

/** The receipt of a change, altered and sealed again, in a package that is sealed again. */
function withChange(id: string, alter: (receipt: ChangeReceipt) => Partial<ChangeReceipt>): Buffer {
  const rewrite = (text: string) => {
    const receipt = JSON.parse(text) as ChangeReceipt
    return `${JSON.stringify(seal.issueChange({ ...receipt, ...alter(receipt) }), null, 2)}\n`
  }
  return packSealed(withFile(`terms-changes/${id}.json`, rewrite), seal)
}

const withoutTerms = (all: ReadonlyMap<string, string>) =>
  new Map([...all].filter(([path]) => !path.startsWith('terms-changes')))

describe('an evidence package with changes of terms', () => {
  test('says which formula both agreed to, by whom, and what was refused', async () => {
    const { status, out, err } = await verify(archive, '--trust', `ed25519:${seal.publicKey}`)
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(out).toContain('Every change of terms: 2 with the figures, the document and the version that follow.\n')
    expect(out).toMatch(
      new RegExp(
        `${agreed}: formula 2 agreed by both on \\d{4}-\\d\\d-\\d\\d: in place of CUSTOM/old comes CUSTOM/new \\(OVERLAP, coefficient 0\\.500000\\), from 2024-07-01 on\n${agreed}: agreed between the buyer [^\n]+ and the supplier ${emails.supplier}\n${agreed}: signed for the buyer by `,
      ),
    )
    expect(out).toContain(`${agreed}:   signed in one list together with 1 other\n`)
    expect(out).toContain(
      `${refused}: change of formula 2, refused: other clause.cap, from 2024-07-01 on\n${refused}: proposed between the buyer ${emails.buyer} and the supplier ${emails.supplier}\n${refused}: signed by nobody\n`,
    )
    expect(out).toContain("on the operator's word: how the change of 2024-Q3 is shared among its parts, which add up")
    expect(out).toContain("on the operator's word: that the figures in changes of terms")
    expect(files.get('terms-changes.csv')).toMatch(
      new RegExp(`\r\n${refused},REFUSED,,,,,[^,]+Z,${emails.supplier},supplier: No cap\\.,`),
    )
    const { out: json } = await verify(archive, '--json')
    expect(JSON.parse(json)).toMatchObject({
      changes: [
        {
          id: agreed,
          state: 'AGREED',
          version: 2,
          parties: { supplier: [emails.supplier] },
          signatures: [{ party: 'buyer' }, { party: 'supplier' }],
        },
        { id: refused, state: 'REFUSED', version: null, signatures: [] },
      ],
    })
  })

  test('has them for a supplier too, and of its periods alone those that begin by then or made a version in it', async () => {
    const own = await take(console.as.supplier)
    expect((await verify(own)).out).toContain(`${agreed}: formula 2 agreed by both on `)
    const first = await take(console.as.owner, '?to=2024-04-01')
    const paths = [...unpackEvidence(first).files.keys()].filter(path => path.startsWith('terms-changes/'))
    expect(paths).toEqual([`terms-changes/${agreed}.json`])
    expect((await verify(first)).status).toBe(0)
    expect((await verify(await take(console.as.supplier, '?to=2024-04-01'))).status).toBe(0)
  })

  test('is refused if a change was left out, although the installation’s own key sealed it again', async () => {
    const left = (id: string) => {
      const records = JSON.parse(files.get('terms-changes.json')!) as { readonly id: string }[]
      const rows = files.get('terms-changes.csv')!.split('\r\n')
      return new Map([
        ...[...files].filter(([path]) => path !== `terms-changes/${id}.json`),
        [
          'terms-changes.json',
          `${JSON.stringify(
            records.filter(each => each.id !== id),
            null,
            2,
          )}\n`,
        ],
        ['terms-changes.csv', rows.filter(row => !row.startsWith(id)).join('\r\n')],
      ])
    }
    for (const [id, words] of [
      [agreed, `formula 2 that the change of terms ${agreed} made is in the chain, but not in the package`],
      [refused, `the refusal of the change of terms ${refused} by ${emails.supplier} for the supplier is in the chain`],
    ] as const) {
      const { status, out, err } = await verify(packSealed(left(id), seal))
      expect([status, out]).toEqual([1, ''])
      expect(err).toContain(words)
    }
  })

  test('is refused if a change, its signatures, its version or what happened to it was altered and sealed again', async () => {
    const body = (more: object) => (receipt: ChangeReceipt) => {
      const own = { ...receipt.body, ...more } as ChangeReceipt['body']
      return { body: own, hash: hashOf(own) }
    }
    const { body: before } = JSON.parse(files.get(`terms-changes/${agreed}.json`)!) as ChangeReceipt
    const coefficient = { ...(before as { readonly coefficient?: object }).coefficient, written: '0.600000' }
    const signatures = (change: (each: ChangeReceipt['signatures'][number]) => object) => (receipt: ChangeReceipt) => ({
      signatures: receipt.signatures.map(each => ({ ...each, ...change(each) })),
    })
    const shared = (text: string) => {
      const receipt = JSON.parse(text) as Receipt
      const components = receipt.body.result.components.map(each => ({ ...each, contribution: '7.6923' }))
      const own = { ...receipt.body, result: { ...receipt.body.result, components } }
      return `${JSON.stringify(seal.issue({ ...receipt, body: own, hash: hashOf(own) }), null, 2)}\n`
    }
    for (const [how, forged, words] of [
      [
        'how a change is shared',
        packSealed(withFile('receipts/2024-Q3.json', shared), seal),
        '2024-Q3: components and controls does not follow',
      ],
      ['the coefficient', withChange(agreed, body({ coefficient })), 'not the ratio of the means of the evidence'],
      ['its hash', withChange(agreed, () => ({ body: { ...before, name: 'Other' } })), 'hash: the change says'],
      ['the document', withChange(refused, () => ({ document: 'slug: other\n' })), 'not the one whose hash was signed'],
      [
        'the list',
        withChange(
          agreed,
          signatures(({ batch }) => ({ batch: { ...batch!, salt: 'b'.repeat(32) } })),
        ),
        'it is not in the list that was signed',
      ],
      [
        'the means',
        withChange(
          agreed,
          signatures(() => ({ means: 'PASSKEY' })),
        ),
        'a signature by passkey is said',
      ],
      [
        'who signed',
        withChange(agreed, ({ signatures: both }) => ({ signatures: both.slice(0, 1) })),
        'it is said to be AGREED, and 1 have signed it',
      ],
      [
        'the version',
        packSealed(
          withFile('formulas/version-2.yaml', text => `${text}# more\n`),
          seal,
        ),
        `${agreed}: formula 2 is not the document that was agreed`,
      ],
      [
        'which version',
        packSealed(
          withFile('terms-changes.json', text => text.replace('"version": 2', '"version": 3')),
          seal,
        ),
        `${agreed}: formula 3 does not follow formula 1`,
      ],
      [
        'a plan',
        packSealed(
          withFile('terms-changes.json', text => text.replace('"plannedBy": null', '"plannedBy": 1')),
          seal,
        ),
        `${agreed}: formula 1 does not plan it without further signatures`,
      ],
    ] as const) {
      const { status, err } = await verify(forged)
      expect(status, how).toBe(1)
      expect(err, how).toContain(words)
    }
  })

  test('without its list of them, sealed again, says so, and which its chain names', async () => {
    const archive = new Uint8Array(packSealed(withoutTerms(files), seal))
    const { parts, isGood } = await checkPackageFile(archive, { subtle: crypto.subtle, trustedKeys: null })
    expect(isGood).toBe(false)
    const problems = parts.flatMap(each => each.problems)
    expect(problems).toContain('terms-changes.json is missing')
    for (const id of [agreed, refused])
      expect(problems).toContain(`the change of terms ${id} is in the chain, but not in the package`)
  })
})
