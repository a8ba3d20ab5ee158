// Changes of terms over HTTP: who proposes, sees and signs them on the pages, what a version says about how it came about, and
// what an API key reads.
import { beforeAll, describe, expect, test } from 'vitest'
import type { ExtWire } from '../../src/http/ext/description/schemas.ts'
import type {
  TermsChangeList,
  TermsChangePage,
  TermsProposed,
  TermsSigned,
} from '../../src/views/shapes/index-changes.ts'
import type { VersionView } from '../../src/views/shapes/versions.ts'
import { oldIndexDocument, twoIndices } from '../support/agreements/two-indices.ts'
import { emails } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'

const console = consoleHouse()
const slug = 'steel-brackets'
const parties = `{ buyer: [${emails.buyer}], supplier: [${emails.supplier}] }`

beforeAll(async () => {
  const { tenant, as } = console
  for (const browser of [as.buyer, as.supplier]) await browser.confirm()
  await tenant.import(twoIndices)
  await tenant.apply(oldIndexDocument({ parties }))
  await tenant.apply(oldIndexDocument({ slug: 'hidden', parties: '{ supplier: [fay@fennel.test] }' }))
  await tenant.signBoth(slug, '2024-Q2')
})

const splice = {
  old: 'CUSTOM/old',
  successor: 'CUSTOM/new',
  method: 'OVERLAP',
  ground: { kind: 'BY_HAND', sentence: 'The office stopped it.' },
}

const published = { direction: 'OLD_TO_NEW', digits: '0.5', source: 'The office' } as const
const refused: readonly (readonly [what: string, wish: object, sentence: string])[] = [
  ['an empty reason', { ground: { kind: 'BY_HAND', sentence: ' ' } }, 'the reason is missing'],
  [
    'PUBLISHED with an empty source',
    { method: 'PUBLISHED', published: { ...published, source: ' ' } },
    'the source of the coefficient is missing',
  ],
  ...(['OVERLAP', 'POINT', 'SAME_LEVEL', 'RELEVEL'] as const).map(
    method =>
      [
        `a coefficient with ${method}`,
        { method, published, ...(method === 'POINT' ? { point: '2024-06' } : {}) },
        `${method} takes no coefficient; leave it out, or choose PUBLISHED`,
      ] as const,
  ),
  ...(['OVERLAP', 'PUBLISHED', 'SAME_LEVEL', 'RELEVEL'] as const).map(
    method =>
      [
        `a point with ${method}`,
        { method, point: '2024-06', ...(method === 'PUBLISHED' ? { published } : {}) },
        `${method} takes no point; leave it out, or choose POINT`,
      ] as const,
  ),
]

describe('a splice with what nobody would read', () => {
  test.each(refused)('%s is refused with a sentence, shown, proposed and offered', async (_what, wrong, sentence) => {
    const { as } = console
    const wish = { ...splice, ...wrong }
    for (const path of [`/agreements/${slug}/splices/preview`, `/agreements/${slug}/splices`]) {
      const { status, text } = await as.supplier.post(path, wish)
      expect([path, status, text]).toEqual([path, 422, expect.stringContaining(sentence)])
    }
    for (const path of ['/splices/offer/preview', '/splices/offer']) {
      const { json, text } = await as.editor.post(path, { ...wish, agreements: [slug] })
      expect([path, json, text]).toEqual([
        path,
        expect.objectContaining(path.endsWith('preview') ? { slug: null, preview: null } : { proposed: [] }),
        expect.stringContaining(sentence),
      ])
    }
    expect((await as.viewer.json<TermsChangeList>('/terms-changes')).rows).toEqual([])
  })
})

test('an amendment with an empty reason is refused with a sentence', async () => {
  const text = oldIndexDocument({ parties, clause: '{ cap: { periodPct: 3 } }' })
  const { status, text: answer } = await console.as.supplier.post(`/agreements/${slug}/amendments`, {
    text,
    reason: ' ',
  })
  expect([status, answer]).toEqual([422, expect.stringContaining('the reason is missing')])
})

test('RELEVEL, which has no coefficient, warns of a ratio that varies without a period', async () => {
  const { as, tenant } = console
  await tenant.importValues('CUSTOM/wild', { '2024-03': '52', '2024-04': '58', '2024-05': '50', '2024-06': '61' })
  const wish = { ...splice, successor: 'CUSTOM/wild', method: 'RELEVEL', base: '2024-03' }
  const { json, text } = await as.supplier.post(`/agreements/${slug}/splices/preview`, wish)
  expect(text).not.toMatch(/is null|undefined/)
  const { warnings, body } = json as { warnings: readonly string[]; body: { evidence: { worst: string | null } } }
  expect(body.evidence.worst).toBeNull()
  expect(warnings).toContainEqual(
    expect.stringMatching(/^the ratio of the two series varies by [\d.]+ % in the window$/),
  )
})

describe('a change of terms', () => {
  test('is proposed by a supplier, seen by the parties and the auditor, and signed by both into a version', async () => {
    const { as, tenant } = console
    expect((await as.viewer.post(`/agreements/${slug}/splices`, splice)).status).toBe(403)
    expect((await as.supplier.post('/agreements/hidden/splices', splice)).status).toBe(404)
    const preview = await as.supplier.post(`/agreements/${slug}/splices/preview`, splice)
    expect(preview.json).toMatchObject({ body: { coefficient: { written: '0.500000' } } })
    const { json, status } = await as.supplier.post(`/agreements/${slug}/splices`, splice)
    expect(status).toBe(201)
    const { id } = json as TermsProposed
    expect((await as.viewer.json<TermsChangePage>(`/terms-changes/${id}`)).signing.as).toBeNull()
    for (const party of ['buyer', 'supplier'] as const) {
      const { change } = await as[party].json<TermsChangePage>(`/terms-changes/${id}`)
      expect(change.as).toBe(party)
      expect((await as[party].post(`/terms-changes/${id}/sign`, { party, hash: '0'.repeat(64) })).status).toBe(409)
      const signed = await as[party].post(`/terms-changes/${id}/sign`, { party, hash: change.hash })
      expect(signed.status, signed.text).toBe(200)
    }
    const [newest, first] = await as.viewer.json<VersionView[]>(`/agreements/${slug}/versions`)
    expect([newest!.origin, first!.origin]).toMatchObject([
      { kind: 'BOTH', proposal: id, agreedBy: [{ party: 'buyer' }, { party: 'supplier' }] },
      { kind: 'FIRST' },
    ])
    const { data } = await tenant.extJson<ExtWire<'SpliceList'>>(`/splices?pam=${slug}&state=AGREED&series=CUSTOM/OLD`)
    expect(data.map(each => [each.id, each.version, each.signatures.length])).toEqual([[id, 2, 2]])
    expect((await tenant.extJson<ExtWire<'SpliceList'>>('/splices?state=REFUSED')).data).toEqual([])
    expect(await tenant.extJson<ExtWire<'Splice'>>(`/splices/${id}`)).toMatchObject({
      ...data[0],
      body: { join: '2024-06' },
    })
    for (const parameter of ['knownAt=2024-06-30', 'unheardOf=1']) {
      const { status: odd, text } = await tenant.ext(`/splices/${id}?${parameter}`)
      expect([odd, text]).toEqual([400, expect.stringContaining(parameter.split('=')[0]!)])
    }
    const changes = (await tenant.extJson<ExtWire<'ChangeList'>>('/changes?from=start&kinds=splice,amendment,formula'))
      .data
    expect(changes.slice(-4).map(({ kind, subject }) => [kind, subject])).toEqual([
      ...[1, 2, 3].map(() => ['splice', id]),
      ['formula', changes.at(-1)!.subject],
    ])
  })

  test('of another agreement does not exist for a supplier, and many are signed in one call', async () => {
    const { as } = console
    const amendment = (name: string, sides: string) => ({
      text: oldIndexDocument({ slug: name, parties: sides, clause: '{ cap: { periodPct: 3 } }' }),
      reason: 'A cap.',
    })
    const hidden = await as.editor.post(
      '/agreements/hidden/amendments',
      amendment('hidden', '{ supplier: [fay@fennel.test] }'),
    )
    expect(hidden.status, hidden.text).toBe(201)
    const { id } = hidden.json as TermsProposed
    expect((await as.supplier.get(`/terms-changes/${id}`)).status).toBe(404)
    const seen = await as.supplier.json<TermsChangeList>('/terms-changes')
    expect(seen.rows.map(row => row.slug)).toEqual([slug])
    const all = await as.buyer.json<TermsChangeList>('/terms-changes?kind=AMENDMENT')
    const changes = all.rows.map(row => ({ id: row.id, hash: row.hash, party: 'buyer' }))
    const other = { id: `amd_${'0'.repeat(26)}`, hash: '0'.repeat(64), party: 'buyer' }
    const { json } = await as.buyer.post('/terms-changes/sign', { changes: [...changes, other] })
    expect(json as TermsSigned).toMatchObject({ signed: [{ id, version: null }], refused: [{ id: other.id }] })
    const refusal = { hash: null, reason: 'No cap.' }
    expect((await as.viewer.post(`/terms-changes/${id}/refuse`, refusal)).status).toBe(403)
    expect((await as.buyer.post(`/terms-changes/${id}/refuse`, refusal)).status).toBe(409)
  })

  test('is in the feed by its kind alone, and what was not asked for takes no room on a page', async () => {
    const { tenant } = console
    const kindsIn = async (kinds: string, more = '') =>
      (await tenant.extJson<ExtWire<'ChangeList'>>(`/changes?from=start&kinds=${kinds}${more}`)).data.map(
        ({ kind, subject }) => `${kind} ${subject.slice(0, 4)}`,
      )
    const splices = await kindsIn('splice')
    expect(splices).toEqual(Array.from({ length: 3 }, () => 'splice spl_'))
    expect(await kindsIn('amendment')).toEqual(['amendment amd_', 'amendment amd_'])
    // The three entries of the splice come before it.
    expect(await kindsIn('amendment', '&limit=1')).toEqual(['amendment amd_'])
    expect(await kindsIn('splice', '&limit=3')).toEqual(splices)
    expect(await kindsIn('splice,amendment')).toHaveLength(5)
  })
})
