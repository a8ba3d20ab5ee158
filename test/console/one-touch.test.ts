// One touch of a passkey signs many agreements and corrections, what it lists and nothing else, and each receipt proves it by itself.
import { describe, expect, test } from 'vitest'
import { challengeOf, signedHashOf } from '../../src/core/receipt/party-signature.ts'
import type { Receipt } from '../../src/core/receipt/receipt.ts'
import type { SignerOrigin } from '../../src/core/receipt/signer-origin.ts'
import { decodeUtf8 as textOf } from '../../src/core/text/utf8.ts'
import { judgeCorrection } from '../../src/core/true-up/correction-verdict.ts'
import { checkPackage } from '../../src/formats/evidence/check.ts'
import { copyPath } from '../../src/formats/evidence/manifest.ts'
import { verifyChain } from '../../src/storage/upkeep/chain.ts'
import type { AdjustmentPage } from '../../src/views/shapes/agreements.ts'
import type { OpenedBatch } from '../../src/views/shapes/inbox.ts'
import type { SpliceOffer, TermsChangePage } from '../../src/views/shapes/index-changes.ts'
import type { Failure } from '../../src/views/shapes/session.ts'
import type { CorrectionPage, DueCorrections, ProposedMany } from '../../src/views/shapes/true-up.ts'
import { type Batch, makeBatch } from '../../web/components/signing/batch.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { judge } from '../support/agreements/judged.ts'
import { oldIndexDocument, twoIndices } from '../support/agreements/two-indices.ts'
import { unzip } from '../support/files/unzip.ts'
import { askUntilKnown, makeSeats, openConsole } from '../support/houses/console.ts'
import { ownHouse } from '../support/houses/house.ts'
import { passkeyPeople } from '../support/houses/passkey-people.ts'
import { finalMarch, firstPrints, trueUpDocument } from '../support/houses/true-up-house.ts'

const console = ownHouse(openConsole)
const { newcomer, register, origin } = passkeyPeople(() => console)
const errorOf = ({ json }: { json: unknown }) => (json as Failure).error

describe('one touch', () => {
  /** Three agreements and a correction that wait, and somebody who signs for the buyer with a passkey alone. */
  async function ready() {
    const seats = await makeSeats(console.api)
    const { tenant, as } = seats
    await tenant.import(bracketsTable)
    for (const slug of ['alpha', 'beta', 'gamma']) await tenant.apply(bracketsDocument({ slug }))
    await tenant.import(firstPrints)
    await tenant.apply(trueUpDocument())
    await tenant.signBoth('steel-brackets', '2024-Q2')
    await tenant.import(finalMarch)
    const proposed = await as.editor.post('/agreements/steel-brackets/corrections', { reason: null })
    const correction = (proposed.json as { id: string }).id
    const { browser } = await newcomer(seats, 'buyer')
    const authenticator = await register(browser)
    await browser.send('POST', '/passkey-only', { isWanted: true })
    await console.api.owner`update session set password_at = null`
    const shown = async (slug: string) => {
      const page = await browser.json<AdjustmentPage>(`/agreements/${slug}/periods/2024-Q4`)
      return page.signing.periods.map(({ period, hash }) => ({ period, hash }))
    }
    const touch = async ({ hash, entries }: Batch, by = browser) => {
      const signer = await browser.json<SignerOrigin>('/signer')
      const challenge = Buffer.from(challengeOf(hash, signer), 'hex').toString('base64url')
      const passkey = authenticator.assert({ challenge, origin: origin() })
      return { passkey, reply: await by.post('/sign-offs/batch', { entries, passkey }) }
    }
    return { ...seats, browser, correction, shown, touch }
  }

  const idOf = ({ json }: { json: unknown }) => (json as OpenedBatch).id

  test('signs several agreements and a correction, in pieces, and each receipt proves it by itself', async () => {
    const { browser, tenant, correction, shown, touch } = await ready()
    const [alpha, beta] = [await shown('alpha'), await shown('beta')]
    const { hash } = (await browser.json<CorrectionPage>(`/corrections/${correction}`)).correction
    const batch = makeBatch([signedHashOf(alpha), signedHashOf(beta), hash])
    const { reply, passkey } = await touch(batch)
    expect(reply.status, reply.text).toBe(200)
    const id = idOf(reply)
    for (const [slug, periods] of [
      ['alpha', alpha],
      ['beta', beta],
    ] as const) {
      const agreements = [{ slug, party: 'buyer', periods, salt: batch.saltOf(signedHashOf(periods)) }]
      const signed = await browser.post('/sign-offs/sign', { agreements, batch: id })
      const slips = expect.objectContaining({ count: 3, missing: null })
      expect([signed.status, signed.json]).toEqual([200, { signed: [{ slug, periods: 3 }], refused: [], slips }])
    }
    const place = { id, salt: batch.saltOf(hash) }
    const signed = await browser.post(`/corrections/${correction}/sign`, { party: 'buyer', hash, batch: place })
    expect(signed.status, signed.text).toBe(200)

    const receipts = await Promise.all(
      ['alpha', 'beta'].map(slug => tenant.json<Receipt>(`/pams/${slug}/adjustment/receipt?period=2024-Q3`)),
    )
    for (const receipt of receipts) {
      const { problems, signatures } = await judge(receipt)
      expect(problems).toEqual([])
      expect(signatures).toMatchObject([{ whose: 'registered-key', signature: { batch: { entries: batch.entries } } }])
    }
    // No receipt says what else was signed.
    expect(JSON.stringify(receipts[0])).not.toContain(signedHashOf(beta))
    const { text } = await browser.get(`/corrections/${correction}/receipt`)
    const verdict = await judgeCorrection(text, { subtle: crypto.subtle, trustedKeys: null })
    expect([verdict.problems, verdict.signatures.map(({ whose }) => whose)]).toEqual([[], ['registered-key']])
    expect(await verifyChain(console.api.sql, tenant.id)).toMatchObject({ problem: null })
    const zip = await browser.get('/agreements/alpha/evidence', { headers: { 'accept-encoding': 'identity' } })
    const files = [...unzip(zip.body)].map(([path, body]) => [path.slice(path.indexOf('/') + 1), body] as const)
    const texts = new Map(files.filter(([path]) => path !== copyPath).map(([path, body]) => [path, textOf(body)!]))
    const copy = textOf(files.find(([path]) => path === copyPath)![1])!
    const { isGood, parts } = await checkPackage(texts, crypto.subtle, { copy, unreadable: [] })
    expect([parts.flatMap(({ problems }) => problems), isGood]).toEqual([[], true])
    // The touch was used: sent again it opens nothing.
    expect((await browser.post('/sign-offs/batch', { entries: batch.entries, passkey })).status).toBe(403)
  })

  test('proposes and signs all corrections that are due, for somebody who has no password to give', async () => {
    const { browser, tenant, touch } = await ready()
    for (const slug of ['rails', 'tubes']) {
      await tenant.apply(trueUpDocument({ slug }))
      await tenant.signBoth(slug, '2024-Q2')
    }
    await tenant.import(finalMarch.replace('103.5', '103.0').replace('08-13', '08-21'))
    const { rows } = await askUntilKnown<DueCorrections>(browser, '/revisions/due?of=all')
    expect(rows.map(({ slug, as }) => [slug, as]).sort()).toEqual([
      ['rails', 'buyer'],
      ['steel-brackets', 'buyer'],
      ['tubes', 'buyer'],
    ])
    const batch = makeBatch(rows.slice(1).map(({ hash }) => hash))
    const agreements = rows.map(({ slug, hash, as: party }) => ({ slug, hash, party, salt: batch.saltOf(hash) }))
    expect(errorOf(await browser.post('/revisions/propose', { agreements }))).toContain('sign with your passkey')
    const id = idOf((await touch(batch)).reply)
    const { status, text, json } = await browser.post('/revisions/propose', { agreements, batch: id })
    expect(status, text).toBe(200)
    const { proposed, failed } = json as ProposedMany
    expect(proposed.map(({ state }) => state)).toEqual(['SIGNED_BY_BUYER', 'SIGNED_BY_BUYER'])
    // The touch does not list the first: it is neither signed nor left proposed without a signature.
    expect(failed).toEqual([
      { slug: rows[0]!.slug, why: expect.stringContaining('not among what you signed together') },
    ])
    for (const each of proposed) {
      const receipt = await browser.get(`/corrections/${each.id}/receipt`)
      const verdict = await judgeCorrection(receipt.text, { subtle: crypto.subtle, trustedKeys: null })
      expect([verdict.problems, verdict.signatures.map(({ whose }) => whose)]).toEqual([[], ['registered-key']])
    }
    expect(await verifyChain(console.api.sql, tenant.id)).toMatchObject({ problem: null })
  })

  test('signs changes of terms, one by its own hash and many by their list', async () => {
    const seats = await makeSeats(console.api)
    const { tenant, as } = seats
    await tenant.import(twoIndices)
    const slugs = ['alpha', 'beta', 'gamma', 'delta']
    for (const slug of slugs) await tenant.apply(oldIndexDocument({ slug }))
    const { browser } = await newcomer(seats, 'buyer')
    const authenticator = await register(browser)
    await browser.send('POST', '/passkey-only', { isWanted: true })
    await console.api.owner`update session set password_at = null`
    const assert = async (hash: string) => {
      const signer = await browser.json<SignerOrigin>('/signer')
      const challenge = Buffer.from(challengeOf(hash, signer), 'hex').toString('base64url')
      return authenticator.assert({ challenge, origin: origin() })
    }
    const ground = { kind: 'BY_HAND', sentence: 'The office stopped it.' }
    const wanted = { old: 'CUSTOM/old', successor: 'CUSTOM/new', method: 'OVERLAP', ground }
    const offered = (await as.editor.post('/splices/offer', wanted)).json as SpliceOffer
    const [single, ...others] = offered.proposed.map(({ id, hash }) => ({ id, hash, party: 'buyer' as const }))
    const { id, ...alone } = single!

    const signPath = `/terms-changes/${id}/sign`
    expect(errorOf(await browser.post(signPath, alone))).toContain('sign with your passkey')
    const foreign = await browser.post(signPath, { ...alone, passkey: await assert(others[0]!.hash) })
    expect(foreign.status).toBe(403)
    const signed = await browser.post(signPath, { ...alone, passkey: await assert(alone.hash) })
    expect([signed.status, (signed.json as TermsChangePage).signatures]).toEqual([
      200,
      { buyer: expect.objectContaining({ means: 'PASSKEY' }), supplier: null },
    ])

    const listed = others.slice(0, 2)
    const { hash, entries, saltOf } = makeBatch(listed.map(each => each.hash))
    const opened = await browser.post('/sign-offs/batch', { entries, passkey: await assert(hash) })
    const changes = others.map(each => ({ ...each, salt: saltOf(each.hash) }))
    const many = await browser.post('/terms-changes/sign', { changes, batch: idOf(opened) })
    expect([many.status, many.json]).toEqual([
      200,
      {
        slips: expect.objectContaining({ count: listed.length, missing: null }),
        signed: listed.map(each => expect.objectContaining({ id: each.id, version: null })),
        refused: [{ id: others[2]!.id, why: expect.stringContaining('not among what you signed together') }],
      },
    ])
    for (const each of listed) {
      const { signatures } = await browser.json<TermsChangePage>(`/terms-changes/${each.id}`)
      expect(signatures).toMatchObject({ buyer: { means: 'PASSKEY' }, supplier: null })
    }
    expect(await verifyChain(console.api.sql, tenant.id)).toMatchObject({ problem: null })
  })

  test('signs nothing that it does not list, for nobody else, out of order or later', async () => {
    const seats = await ready()
    const { browser, tenant, shown, touch } = seats
    const [alpha, beta] = [await shown('alpha'), await shown('beta')]
    const batch = makeBatch([signedHashOf(alpha)])
    const id = idOf((await touch(batch)).reply)
    const salt = batch.saltOf(signedHashOf(alpha))
    const send = (list: object, more: object = { batch: id }, by = browser) =>
      by.post('/sign-offs/sign', {
        agreements: [{ slug: 'alpha', party: 'buyer', periods: alpha, salt, ...list }],
        ...more,
      })
    const other = await newcomer(seats, 'buyer')
    const late = id.replace(/.$/, each => (each === '0' ? '1' : '0'))
    await console.api.owner`
      insert into signing_batch select workspace_id, ${late}, person_id, entries, passkey, origin, made_at - interval '16 minutes'
      from signing_batch where id = ${id}`
    const refused = {
      'another agreement': [await send({ slug: 'beta', periods: beta }), 403, 'beta is not among what you signed'],
      'fewer periods': [await send({ periods: alpha.slice(0, 1) }), 403, 'alpha is not among what you signed'],
      'another salt': [await send({ salt: '0'.repeat(32) }), 403, 'not among'],
      'no salt': [await send({ salt: undefined }), 403, 'not among'],
      'somebody else': [await send({}, { batch: id }, other.browser), 409, 'no longer kept here'],
      'a batch of long ago': [await send({}, { batch: late }), 409, 'no longer kept here'],
      'no batch': [await send({}, {}), 403, 'sign with your passkey'],
      'entries that do not ascend': [
        (await touch({ ...batch, entries: ['f'.repeat(64), '0'.repeat(64)] })).reply,
        422,
        'ascend',
      ],
      'other entries than were touched': [
        (await touch({ ...batch, entries: ['0'.repeat(64)] })).reply,
        403,
        'nothing was signed',
      ],
    } as const
    for (const [name, [reply, status, words]] of Object.entries(refused))
      expect([reply.status, errorOf(reply)], name).toEqual([status, expect.stringContaining(words)])
    expect(await console.api.owner`select from sign_off where workspace_id = ${tenant.id}`).toHaveLength(2)
    expect((await send({})).status).toBe(200)
  })
})
