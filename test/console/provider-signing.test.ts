// Signing by the identity provider of one's company: to the provider and back, exactly what was asked, once, with a proof that
// anybody can check, and nothing of the token before it has expired.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Seal } from '../../src/agreements/seal.ts'
import type { ProviderProof } from '../../src/core/identity/provider-signature.ts'
import type { Receipt } from '../../src/core/receipt/receipt.ts'
import { judgeCorrection } from '../../src/core/true-up/correction-verdict.ts'
import type { ExtWire } from '../../src/http/ext/description/schemas.ts'
import { clientSecrets } from '../../src/identity/identity-connections.ts'
import { addLink } from '../../src/storage/identity/links.ts'
import { type IdentityProvider, setProvider } from '../../src/storage/identity/providers.ts'
import { appending } from '../../src/storage/log/append.ts'
import { verifyChain } from '../../src/storage/upkeep/chain.ts'
import type { AdjustmentPage } from '../../src/views/shapes/agreements.ts'
import type { VisitOutcome } from '../../src/views/shapes/inbox.ts'
import type { TermsChangePage, TermsProposed } from '../../src/views/shapes/index-changes.ts'
import type { CorrectionPage, DueCorrections } from '../../src/views/shapes/true-up.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { judge } from '../support/agreements/judged.ts'
import { oldIndexDocument, twoIndices } from '../support/agreements/two-indices.ts'
import { unzip } from '../support/files/unzip.ts'
import { askUntilKnown, type Browser, type ConsoleReply, makeSeats, type Seats } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'
import { passkeyPeople } from '../support/houses/passkey-people.ts'
import { finalMarch, firstPrints, trueUpDocument } from '../support/houses/true-up-house.ts'
import { type Asked, type Claims, HostileProvider, makeKey, mint } from '../support/identity/hostile-provider.ts'

const console = consoleHouse()
const { newcomer } = passkeyPeople(() => console)
const errorOf = ({ json }: ConsoleReply) => (json as { error?: string } | undefined)?.error ?? ''
let provider: HostileProvider
beforeAll(async () => {
  provider = await HostileProvider.open()
})
afterAll(() => provider.close())

const later = () => '2100-01-01T00:00:00.000000Z'

interface Ready extends Seats {
  readonly browser: Browser
  readonly person: { readonly id: string; readonly email: string }
  readonly settings: IdentityProvider
}

/** A buyer whose account is linked to `u-17` at the provider. */
async function ready(more: Parameters<typeof bracketsDocument>[0] = {}): Promise<Ready> {
  const seats = await makeSeats(console.api)
  await seats.tenant.import(bracketsTable)
  await seats.tenant.apply(bracketsDocument({ slug: 'frames', ...more }))
  const { browser, ...person } = await newcomer(seats, 'buyer')
  const { sql, ring } = console.api
  const wanted = {
    party: null,
    issuer: provider.issuer,
    clientId: 'assize',
    clientSecret: 'a secret',
    isRequired: false,
    except: null,
    groupsClaim: null,
    groups: [],
    joining: null,
  }
  const by = { who: 'operator', fromAddress: null }
  const set = await setProvider(sql, seats.tenant.id, wanted, clientSecrets(ring), by)
  await appending(sql, seats.tenant.id, (tx, log) => addLink(tx, log, set.provider, 'u-17', person.id))
  return { ...seats, browser, person, settings: set.provider }
}

async function shown({ browser }: Ready, slug = 'frames', period = '2024-Q3') {
  const page = await browser.json<AdjustmentPage>(`/agreements/${slug}/periods/${period}`)
  return page.signing.periods.map(({ period: label, hash }) => ({ period: label, hash }))
}

/** Begins: the browser keeps its session beside the cookie of the visit. */
async function begin({ browser, slug }: Ready, asked: object) {
  const session = browser.cookie
  const reply = await browser.post('/sign-offs/visits', { ...asked, returnTo: `/w/${slug}/sign-offs?of=all` })
  const visit = browser.cookie!
  browser.cookie = session
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)])
  return { visit, at: provider.asked((reply.json as { url: string }).url) }
}

/** Comes back with a token, by default a good one of the person. */
async function comeBack(
  { browser }: Ready,
  { visit, at }: { readonly visit: string; readonly at: Asked },
  token: (at: Asked) => string = each => mint(provider.key, provider.claims(each, 'u-17')),
) {
  const session = browser.cookie
  browser.cookie = visit
  const query = provider.comeBack(at, token(at)).toString()
  const reply = await browser.send('POST', '/sso/answer', { query })
  browser.cookie = session
  return reply
}

const idIn = ({ json }: ConsoleReply) => (json as { signing: string }).signing
const claimed = (more: Claims) => (at: Asked) => mint(provider.key, provider.claims(at, 'u-17', more))

describe('a signature by the provider', () => {
  test('signs exactly what was asked, and its receipt proves it once the token has expired', async () => {
    const house = await ready()
    const { browser, tenant } = house
    const periods = await shown(house)
    const begun = await begin(house, { agreements: [{ slug: 'frames', party: 'buyer', periods }] })
    expect(Object.fromEntries(begun.at.url.searchParams)).toMatchObject({
      prompt: 'login',
      max_age: '0',
      scope: 'openid',
    })
    const back = await comeBack(house, begun)
    expect([back.status, back.json]).toEqual([
      200,
      { returnTo: `/w/${house.slug}/sign-offs?of=all`, session: null, signing: expect.stringMatching(/^asg_/) },
    ])
    const signed = await browser.post(`/sign-offs/visits/${idIn(back)}/sign`)
    expect([signed.status, signed.json]).toEqual([200, { signed: 1, refused: [] }])

    const receipt = await tenant.json<Receipt>('/pams/frames/adjustment/receipt?period=2024-Q3')
    expect(receipt.signatures).toMatchObject([
      { means: 'PROVIDER', passkey: null, provider: { issuer: provider.issuer, subject: 'u-17', proof: 'FOLLOWS' } },
    ])
    const early = await judge(receipt)
    expect([early.problems, early.signatures[0]!.whose]).toEqual([[], 'operators-word'])

    // What is answered once the token has expired.
    const [row] = await console.api.owner<{ provider: ProviderProof }[]>`
      select provider from signing where workspace_id = ${tenant.id} and means = 'PROVIDER'`
    const signatures = receipt.signatures.map(each => ({ ...each, provider: row!.provider }))
    const whole = new Seal(console.api.ring, later).issue({ ...receipt, signatures })
    const verdict = await judge(whole)
    expect([verdict.problems, verdict.signatures[0]!.whose]).toEqual([[], 'providers-token'])
    // And before that nowhere.
    const { token } = row!.provider
    const evidence = await browser.get('/agreements/frames/evidence', {
      headers: { 'accept-encoding': 'identity' },
    })
    const pages = await Promise.all(
      ['/agreements/frames/periods/2024-Q3', '/sign-offs', '/activity', '/signer'].map(path => browser.get(path)),
    )
    expect(evidence.status).toBe(200)
    const packed = [...unzip(evidence.body).values()].map(each => Buffer.from(each).toString('latin1')).join('\n')
    for (const text of [packed, JSON.stringify(receipt), ...pages.map(each => each.text)])
      expect(text.includes(token) || text.includes(token.split('.')[2]!)).toBe(false)
    expect(packed).toContain('"FOLLOWS"')
    expect(await verifyChain(console.api.sql, tenant.id)).toMatchObject({ problem: null })
  })

  test('signs a list of agreements and a correction by one sign-in, and refuses by itself what has moved', async () => {
    const house = await ready({ slug: 'alpha' })
    const { browser, tenant, as } = house
    await tenant.apply(bracketsDocument({ slug: 'beta' }))
    await tenant.import(firstPrints)
    await tenant.apply(trueUpDocument())
    await tenant.signBoth('steel-brackets', '2024-Q2')
    await tenant.import(finalMarch)
    const proposed = await as.editor.post('/agreements/steel-brackets/corrections', { reason: null })
    const { id } = proposed.json as { id: string }
    const { hash } = (await browser.json<CorrectionPage>(`/corrections/${id}`)).correction
    const moved = (await shown(house, 'beta')).map(each => ({ ...each, hash: 'f'.repeat(64) }))
    const begun = await begin(house, {
      agreements: [
        { slug: 'alpha', party: 'buyer', periods: await shown(house, 'alpha') },
        { slug: 'beta', party: 'buyer', periods: moved },
      ],
      corrections: [{ id, party: 'buyer', hash }],
    })
    const signed = await browser.post(`/sign-offs/visits/${idIn(await comeBack(house, begun))}/sign`)
    expect((signed.json as VisitOutcome).signed).toBe(2)
    expect((signed.json as VisitOutcome).refused).toHaveLength(1)
    const [alpha, beta] = await Promise.all(
      ['alpha', 'beta'].map(slug => tenant.json<Receipt>(`/pams/${slug}/adjustment/receipt?period=2024-Q3`)),
    )
    expect([alpha!.signatures.length, beta!.signatures.length]).toEqual([1, 0])
    const { text } = await browser.get(`/corrections/${id}/receipt`)
    const verdict = await judgeCorrection(text, { subtle: crypto.subtle, trustedKeys: null })
    expect(verdict.problems).toEqual([])
    expect(verdict.correction.signatures).toMatchObject([{ means: 'PROVIDER', batch: { entries: { length: 3 } } }])
  })

  test('signs a splice, an amendment and a correction that it proposes, where the contract takes nothing weaker', async () => {
    const house = await ready()
    const { browser, tenant, as } = house
    const parties = '{ supplier: [sam@supplier.test], signWith: [provider] }'
    await tenant.import(twoIndices)
    for (const slug of ['spliced', 'amended']) await tenant.apply(oldIndexDocument({ slug, parties }))
    await tenant.import(firstPrints)
    await tenant.apply(trueUpDocument())
    await tenant.signBoth('steel-brackets', '2024-Q2')
    // Only the ways to sign are others, and that is a change.
    expect((await tenant.apply(trueUpDocument({ parties }))).outcome).toBe('changed')
    await tenant.import(finalMarch)
    const splice = {
      old: 'CUSTOM/old',
      successor: 'CUSTOM/new',
      method: 'OVERLAP',
      ground: { kind: 'BY_HAND', sentence: 'The office stopped it.' },
    }
    const text = oldIndexDocument({ slug: 'amended', parties, clause: '{ cap: { periodPct: 3 } }' })
    const proposed = [
      await as.editor.post('/agreements/spliced/splices', splice),
      await as.editor.post('/agreements/amended/amendments', { text, reason: 'A cap.' }),
    ]
    const changes = await Promise.all(
      proposed.map(async ({ json, text: why }) => {
        const { id } = json as TermsProposed
        expect(id, why).toBeDefined()
        const { change } = await browser.json<TermsChangePage>(`/terms-changes/${id}`)
        return { id, party: 'buyer', hash: change.hash }
      }),
    )
    const { rows } = await askUntilKnown<DueCorrections>(browser, '/revisions/due?of=all')
    const proposals = rows.map(({ slug, hash }) => ({ slug, hash, party: 'buyer' }))
    expect(proposals.map(({ slug }) => slug)).toEqual(['steel-brackets'])

    await browser.confirm()
    const weaker = expect.stringContaining('a password does not')
    expect((await browser.post('/terms-changes/sign', { changes })).json).toMatchObject({
      signed: [],
      refused: [{ why: weaker }, { why: weaker }],
    })
    const byPassword = await browser.post('/revisions/propose', { agreements: proposals })
    expect(byPassword.json).toMatchObject({ proposed: [], failed: [{ why: weaker }] })

    const back = await comeBack(house, await begin(house, { changes, proposals }))
    expect((await browser.post(`/sign-offs/visits/${idIn(back)}/sign`)).json).toEqual({ signed: 3, refused: [] })
    const judged = { subtle: crypto.subtle, trustedKeys: null }
    for (const { id } of changes) {
      const { data } = await tenant.extJson<ExtWire<'SpliceList'>>('/splices')
      expect(data.find(each => each.id === id)!.signatures).toMatchObject([{ party: 'buyer', means: 'PROVIDER' }])
    }
    const [{ id } = { id: '' }] = (await tenant.extJson<ExtWire<'CorrectionList'>>('/pams/steel-brackets/corrections'))
      .data
    expect((await browser.json<CorrectionPage>(`/corrections/${id}`)).signing).toMatchObject({ signWith: ['provider'] })
    const verdict = await judgeCorrection((await browser.get(`/corrections/${id}/receipt`)).text, judged)
    expect([verdict.problems, verdict.correction.signatures.map(({ means }) => means)]).toEqual([[], ['PROVIDER']])
    expect(await verifyChain(console.api.sql, tenant.id)).toMatchObject({ problem: null })
  })

  test('is none with a token of another subject, request, client, key or time', async () => {
    const house = await ready()
    const periods = await shown(house)
    const asked = { agreements: [{ slug: 'frames', party: 'buyer', periods }] }
    const now = Math.floor(Date.now() / 1000)
    const stranger = makeKey('ES256', 'key-1')
    const first = await begin(house, asked)
    const forgeries: readonly [(at: Asked) => string, string][] = [
      [each => mint(provider.key, provider.claims(each, 'u-18')), 'as somebody else'],
      [claimed({ nonce: first.at.nonce }), 'another request'],
      [claimed({ nonce: 'n' }), 'another request'],
      [claimed({ aud: 'wiki' }), 'not for assize'],
      [claimed({ auth_time: now - 400 }), 'more than 300 seconds ago'],
      [claimed({ auth_time: undefined }), 'auth_time'],
      [claimed({ iat: now - 900, exp: now - 600 }), 'expired'],
      [claimed({ exp: now + 200_000 }), 'more than a day'],
      [each => mint(stranger, provider.claims(each, 'u-17')), 'not signed by the key'],
    ]
    for (const [token, problem] of forgeries) {
      const begun = await begin(house, asked)
      const reply = await comeBack(house, begun, token)
      expect([problem, reply.status < 500 && reply.status >= 400, errorOf(reply)]).toEqual([
        problem,
        true,
        expect.stringContaining(problem),
      ])
    }
    const [count] = await console.api.owner<{ n: number }[]>`
      select count(*)::int as n from signing where workspace_id = ${house.tenant.id}`
    expect(count!.n).toBe(0)
    // However often somebody begins, only the newest are kept.
    const [kept] = await console.api.owner<{ n: number }[]>`
      select count(*)::int as n from awaited_signing where workspace_id = ${house.tenant.id}`
    expect(kept!.n).toBe(5)
  })

  test('is given once, by the person who asked, and only after the provider has answered', async () => {
    const house = await ready()
    const { browser } = house
    const periods = await shown(house)
    const asked = { agreements: [{ slug: 'frames', party: 'buyer', periods }] }
    const begun = await begin(house, asked)
    const [{ id: waiting } = { id: '' }] = await console.api.owner<{ id: string }[]>`
      select id from awaited_signing where workspace_id = ${house.tenant.id}`
    expect(errorOf(await browser.post(`/sign-offs/visits/${waiting}/sign`))).toContain('no longer kept')
    const id = idIn(await comeBack(house, begun))
    expect(id).toBe(waiting)
    expect(errorOf(await comeBack(house, begun))).toContain('used before')
    const other = await newcomer(house, 'buyer')
    expect(errorOf(await other.browser.post(`/sign-offs/visits/${id}/sign`))).toContain('no longer kept')
    expect((await browser.post(`/sign-offs/visits/${id}/sign`)).json).toEqual({ signed: 1, refused: [] })
    expect(errorOf(await browser.post(`/sign-offs/visits/${id}/sign`))).toContain('no longer kept')
    // Somebody without a link has nowhere to go.
    const nowhere = await other.browser.post('/sign-offs/visits', { ...asked, returnTo: '/' })
    expect([nowhere.status, errorOf(nowhere)]).toEqual([409, expect.stringContaining('not linked')])
  })
})

describe('a contract that says how it is signed', () => {
  test('refuses a weaker way with the reason, and says in what is signed which it accepts', async () => {
    const house = await ready({ more: 'parties: { signWith: [provider, passkey] }\n' })
    const { browser, tenant, person } = house
    const periods = await shown(house)
    await browser.confirm()
    const path = '/agreements/frames/periods/2024-Q3/sign'
    const byPassword = await browser.post(path, { party: 'buyer', periods })
    const why =
      'signed with a passkey or by the identity provider of the company (parties.signWith), so a password does not'
    expect([byPassword.status, errorOf(byPassword)]).toEqual([409, expect.stringContaining(why)])
    const agreements = [{ slug: 'frames', party: 'buyer', periods }]
    const inList = await browser.post('/sign-offs/sign', { agreements })
    expect(inList.json).toMatchObject({
      signed: [],
      refused: [{ why: expect.stringContaining('a password does not') }],
    })
    await expect(
      tenant.sign('frames', '2024-Q3', 'buyer', { email: person.email, proof: { means: 'OPERATOR' } }),
    ).rejects.toThrow('the operator does not')
    const back = await comeBack(house, await begin(house, { agreements }))
    expect((await browser.post(`/sign-offs/visits/${idIn(back)}/sign`)).json).toEqual({ signed: 1, refused: [] })
    const receipt = await tenant.json<Receipt>('/pams/frames/adjustment/receipt?period=2024-Q3')
    expect(receipt.body.parties).toMatchObject({ signWith: ['passkey', 'provider'] })
    // A signature of another kind under it is found offline.
    const [{ provider: _provider, ...signature }] = receipt.signatures as [Receipt['signatures'][number]]
    const { batch: _batch, ...plain } = signature
    const forged = new Seal(console.api.ring).issue({ ...receipt, signatures: [{ ...plain, means: 'PASSWORD' }] })
    expect((await judge(forged)).problems).toEqual([expect.stringContaining('to be signed with a passkey or by')])
  })
})
