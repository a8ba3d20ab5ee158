// Erasing a person: nothing in the database names them afterwards, and everything verifies as before.

import { webcrypto } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { applyDocument } from '../../src/agreements/apply.ts'
import { proposeCorrection, signCorrection } from '../../src/agreements/correct.ts'
import { importLines } from '../../src/agreements/invoices.ts'
import { objectToPeriod } from '../../src/agreements/object.ts'
import { Seal } from '../../src/agreements/seal.ts'
import { readLine } from '../../src/core/invoices/invoice-line.ts'
import { formatSigner } from '../../src/core/receipt/party-signature.ts'
import type { Receipt } from '../../src/core/receipt/receipt.ts'
import { judgeReceipt } from '../../src/core/receipt/verdict.ts'
import { decodeUtf8 as textOf } from '../../src/core/text/utf8.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { type ChainPart, chainProblems } from '../../src/formats/evidence/chain-part.ts'
import { checkPackage } from '../../src/formats/evidence/check.ts'
import { copyPath } from '../../src/formats/evidence/manifest.ts'
import { importTable } from '../../src/import/table.ts'
import { Library } from '../../src/read/library.ts'
import { keepBillingDetails, loadBillingDetails } from '../../src/storage/agreements/billing-details.ts'
import { setUnits } from '../../src/storage/agreements/units.ts'
import { KeyedDigests } from '../../src/storage/keys/key-ring.ts'
import { beginAppending } from '../../src/storage/log/append.ts'
import { findChangedEntries } from '../../src/storage/log/changed-entries.ts'
import { appendEntries } from '../../src/storage/log/entry-rows.ts'
import { confirmPeople, loadCompanyPeople } from '../../src/storage/people/company-list.ts'
import { createFeed } from '../../src/storage/people/feeds.ts'
import { invite } from '../../src/storage/people/invitations.ts'
import { changeMailChoice } from '../../src/storage/people/mail.ts'
import { removeMember } from '../../src/storage/people/member-changes.ts'
import { createCompany } from '../../src/storage/people/parties.ts'
import { createMember, findMember, setFirstPassword } from '../../src/storage/people/people.ts'
import { logWriterOf, openOwner, type Transaction, withWorkspace } from '../../src/storage/postgres/database.ts'
import { addIndexEvent } from '../../src/storage/series/index-events.ts'
import { createBackup } from '../../src/storage/upkeep/backup.ts'
import { verifyAllChains, verifyChain, verifyWithin, wordsOfProblem } from '../../src/storage/upkeep/chain.ts'
import { erasePerson } from '../../src/storage/upkeep/erasure.ts'
import { restoreBackup } from '../../src/storage/upkeep/restore.ts'
import { createApiKey } from '../../src/storage/workspaces/api-keys.ts'
import type { ProposalHistory } from '../../src/views/shapes/history.ts'
import type { VersionView } from '../../src/views/shapes/versions.ts'
import { findText } from '../support/database-text.ts'
import { unzip } from '../support/files/unzip.ts'
import { makeTestRing, textSource, uploadOf } from '../support/houses/api.ts'
import { emails, openConsole } from '../support/houses/console.ts'
import { ownHouse } from '../support/houses/house.ts'
import { finalMarch, firstPrints, trueUpDocument } from '../support/houses/true-up-house.ts'
import { openBareDatabase } from '../support/run/postgres.ts'

const house = ownHouse(() => openConsole())
const zoe = 'zoe.miller@leaver.test'
const words = [zoe, 'Zoe Miller']
const slug = 'steel-brackets'
const later = '2999-01-01T00:00:00.000000Z'
const today = parseDay('2026-11-16')!
const operator = { who: 'operator', fromAddress: null }
const request = { email: zoe, reason: 'asked for it under Article 17', by: 'operator', isTrial: false }
const erase = (changes: Partial<typeof request> = {}) => erasePerson(house.api.owner, { ...request, ...changes })

let workspaceId: string
let personId: string
beforeAll(async () => {
  const { api, tenant } = house
  const { sql } = api
  workspaceId = tenant.id
  const seal = new Seal(api.ring)
  const library = new Library(sql, 64 * 1024 * 1024, { seals: seal.rows, report: () => {} })
  await createCompany(sql, workspaceId, { slug: 'nova', name: 'Nova' }, operator)
  const newcomer = { email: zoe, name: 'Zoe Miller', role: 'owner', company: 'nova' } as const
  const { id } = await createMember(sql, workspaceId, newcomer, operator)
  personId = await setFirstPassword(sql, workspaceId, id, 'correct horse battery')
  const by = { who: zoe, personId, fromAddress: '10.0.0.1' }

  const contact = { 'contact.name': 'Zoe Miller', 'contact.email': zoe, country: 'AT' }
  await keepBillingDetails(sql, workspaceId, 'nova', () => contact, by)

  await tenant.import(firstPrints)
  const other = 'series,period,value,name\nCUSTOM/wood,2024-01,1,Wood\n'
  const upload = { ...uploadOf(other), uploadedBy: zoe }
  await importTable(sql, workspaceId, textSource(other), { dryRun: false, upload, onProgress: () => {} })
  const parties = `{ buyer: nova, supplier: [${emails.supplier}] }`
  await tenant.apply(trueUpDocument({ parties, corrections: '{ when: EACH }' }))
  await applyDocument(sql, { workspaceId, text: trueUpDocument({ slug: 'second', parties }), by: zoe, today })
  const asZoe = { email: zoe }
  await tenant.sign(slug, '2024-Q2', 'buyer', asZoe)
  await tenant.sign(slug, '2024-Q2', 'supplier')
  await tenant.sign(slug, '2024-Q3', 'buyer', asZoe)
  const objection = {
    workspaceId,
    agreement: 'second',
    party: 'buyer',
    email: zoe,
    means: 'SESSION',
    fromAddress: null,
  } as const
  await objectToPeriod(sql, seal, {
    ...objection,
    period: '2024-Q2',
    hash: null,
    about: { kind: 'number' },
    reading: null,
    reason: `Zoe Miller (${zoe}) has a sample.`,
  })
  const line = { invoice: '4711', line: '1', date: '2024-05-10', quantity: '100', unitPrice: '106.00', agreement: slug }
  await importLines(sql, library, { workspaceId, lines: [readLine(2, line)], today, by, source: 'x' })
  await setUnits(sql, workspaceId, [{ unit: 'kg', other: 't', factor: '0.001' }], zoe, async () => {})
  await tenant.import(finalMarch)
  const { correction } = await proposeCorrection(sql, seal, { workspaceId, agreement: slug, reason: null, by })
  await signCorrection(sql, seal, {
    workspaceId,
    id: correction.id,
    party: 'buyer',
    email: zoe,
    hash: null,
    proof: { means: 'PASSWORD' },
    fromAddress: null,
  })

  await createApiKey(sql, new KeyedDigests(makeTestRing(), 'api-key digests'), {
    workspaceId,
    name: 'erp',
    expiresAt: null,
    by,
  })
  await createFeed(sql, new KeyedDigests(makeTestRing(), 'feed digests'), {
    workspaceId,
    name: 'dates',
    personId: null,
    shows: 'ALL',
    agreementIds: null,
    by,
  })
  await invite(sql, workspaceId, { email: 'pat@nova.test', role: 'buyer', company: 'nova' }, later, by)
  await withWorkspace(sql, workspaceId, async tx => {
    await changeMailChoice(tx, workspaceId, zoe, { isDigest: true })
  })
  const { hash } = await withWorkspace(sql, workspaceId, tx => loadCompanyPeople(tx, workspaceId, 'nova'))
  await confirmPeople(sql, workspaceId, { by, hash, proof: { means: 'PASSWORD', passkey: null, origin: {} as never } })
  await addIndexEvent(
    sql,
    {
      id: 'wood-ends',
      provider: null,
      codes: null,
      kind: 'ENDED',
      day: '2025-01-01',
      sentence: 'It ends.',
      successor: null,
      coefficient: null,
      source: 'https://example.test',
    } as never,
    zoe,
  )
})

describe('a person who can still get in', () => {
  test('is not erased, and the sentence says what to do first', async () => {
    await expect(erase()).rejects.toThrow(
      `${zoe} is in ${house.slug} and can sign in; run assize user remove for each first`,
    )
    await expect(erase({ email: 'pat@nova.test' })).rejects.toThrow(`pat@nova.test is invited to ${house.slug}`)
    await expect(erase({ email: 'nobody@nova.test' })).rejects.toThrow('is named nowhere here')
  })
})

describe('somebody who has left', () => {
  beforeAll(async () => {
    await removeMember(house.api.sql, workspaceId, personId, operator)
  })

  test('needs a reason that does not name them', async () => {
    await expect(erase({ reason: ' ' })).rejects.toThrow('a reason of one line and 1 to 500 characters')
    await expect(erase({ reason: 'Zoe Miller asked' })).rejects.toThrow('must not name the person')
  })

  test('stays as they are in a trial, which says what would happen', async () => {
    const report = await erase({ isTrial: true })
    expect(report).toMatchObject({ instead: 'erased-1', kept: {} })
    expect(report.entries).toBeGreaterThan(10)
    expect((await findText(house.api.owner, words)).length).toBeGreaterThan(20)
  })

  test('is named nowhere afterwards, in no column of any table', async () => {
    const report = await erase()
    expect(report).toMatchObject({ instead: 'erased-1', names: ['Zoe Miller'], kept: {} })
    const kept = await withWorkspace(house.api.sql, workspaceId, tx => loadBillingDetails(tx, workspaceId))
    expect(kept.get('nova')?.details).toEqual({
      'contact.name': 'erased-1',
      'contact.email': 'erased-1',
      country: 'AT',
    })
    expect(await findText(house.api.owner, words)).toEqual([])
  })

  test('leaves chains, trees, seals and the access log as they verify', async () => {
    expect((await verifyAllChains(house.api.owner)).map(({ problem }) => problem)).toEqual([null, null, null])
    expect(await findChangedEntries(house.api.owner, workspaceId)).toEqual([])
    expect((await verifyChain(house.api.owner, workspaceId)).redacted).toBeGreaterThan(10)
  })

  test('does not come back with a backup made since, which verifies with its redactions', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'assize-erased-'))
    const file = join(folder, 'backup')
    const { tables } = await createBackup(house.api.owner, file, null)
    const bare = await openBareDatabase()
    const owner = openOwner(bare.target)
    const restored = await restoreBackup(owner, file, house.api.ring)
    expect(restored.tables).toEqual(tables)
    expect(await findText(owner, words)).toEqual([])
    expect((await verifyAllChains(owner)).map(({ problem }) => problem)).toEqual([null, null, null])
    const [before, after] = await Promise.all([house.api.owner, owner].map(each => verifyChain(each, workspaceId)))
    expect(after!.redacted).toBe(before!.redacted)
    // What says that somebody was erased is kept as strictly as before.
    await expect(owner`delete from redaction`).rejects.toThrow('append-only')
    await owner.end()
    await bare.close()
    await rm(folder, { recursive: true })
  })

  test('has still signed what they signed', async () => {
    for (const period of ['2024-Q2', '2024-Q3']) {
      const { text } = await house.tenant.get(`/pams/${slug}/adjustment?period=${period}`)
      expect(text, period).toMatch(/"buyer":"\d{4}-/)
    }
  })

  test('is replaced in what is served since, which verifies and says so', async () => {
    const reply = await house.as.owner.json<Receipt>(`/agreements/${slug}/periods/2024-Q2/receipt`)
    const [given] = reply.signatures
    const at = expect.any(String)
    expect(given).toMatchObject({ signedBy: 'erased-1', name: 'erased-1', redacted: { at, by: 'operator' } })
    const verdict = await judgeReceipt(JSON.stringify(reply), { subtle: webcrypto.subtle, trustedKeys: null })
    expect(verdict.problems).toEqual([])
    expect(formatSigner(given!, reply.body.parties)[0]).toMatch(
      /^who signed was redacted on \d{4}-\d\d-\d\d by the operator: asked for it under Article 17$/,
    )
    const { events } = await house.as.owner.json<ProposalHistory>(`/agreements/${slug}/periods/2024-Q2/history`)
    expect(events).toContainEqual(
      expect.objectContaining({
        kind: 'setting',
        words: expect.stringMatching(/^erased-1, for the buyer, was redacted on/),
      }),
    )
    const [version] = await house.as.owner.json<VersionView[]>('/agreements/second/versions')
    expect(version).toMatchObject({ createdBy: 'erased-1', redacted: expect.stringMatching(/^redacted on/) })
  })

  test('is replaced in evidence packages made since, which verify and say so', async () => {
    const reply = await house.as.owner.get(`/agreements/${slug}/evidence`, {
      headers: { 'accept-encoding': 'identity' },
    })
    const all = [...unzip(reply.body)].map(
      ([path, body]) => [path.slice(path.indexOf('/') + 1), textOf(body)!] as const,
    )
    const files = new Map(all.filter(([path]) => path !== copyPath))
    const copy = all.find(([path]) => path === copyPath)![1]
    const checked = await checkPackage(files, webcrypto.subtle, { copy, unreadable: [] })
    expect(checked.parts.flatMap(({ problems }) => problems)).toEqual([])
    expect(checked.parts.map(each => each.words).join(' ')).toMatch(
      /erased-1 was redacted on \d{4}-\d\d-\d\d by the operator/,
    )
    expect([...files.values()].filter(text => words.some(word => text.includes(word)))).toEqual([])
    // Without the redactions nothing excuses what was replaced.
    const part = JSON.parse(files.get('chain.json')!) as ChainPart
    const without = { ...part, entries: part.entries.filter(({ kind }) => kind !== 'redaction') }
    expect(chainProblems(without).filter(each => each.includes('is not what its hash covers')).length).toBeGreaterThan(
      2,
    )
    const forged = part.entries.map(each =>
      each.kind === 'redaction' ? { ...each, content: { ...(each.content as object), was: '0'.repeat(64) } } : each,
    ) as ChainPart['entries']
    expect(chainProblems({ ...part, entries: forged }).join('\n')).toContain('does not go on from what was published')
  })

  test('is erased under another number when the address comes back, and others in the same entries too', async () => {
    const { sql, owner } = house.api
    const pat = await findMember(sql, workspaceId, 'pat@nova.test')
    await removeMember(sql, workspaceId, pat!.id, operator)
    expect(await erase({ email: 'pat@nova.test' })).toMatchObject({ instead: 'erased-2' })
    const { id } = await createMember(sql, workspaceId, { email: zoe, name: 'Zoe Miller', role: 'viewer' }, operator)
    await removeMember(sql, workspaceId, id, operator)
    expect(await erase()).toMatchObject({ instead: 'erased-3' })
    expect(await findText(owner, [...words, 'pat@nova.test'])).toEqual([])
    expect((await verifyAllChains(owner)).map(({ problem }) => problem)).toEqual([null, null, null])
  })

  test('stays named in what both parties signed, which is counted and still verifies', async () => {
    const { sql, owner } = house.api
    const sam = await findMember(sql, workspaceId, emails.supplier)
    await removeMember(sql, workspaceId, sam!.id, operator)
    const { kept } = await erase({ email: emails.supplier })
    const places = await findText(owner, [emails.supplier])
    expect(Object.keys(kept).sort()).toEqual(places)
    expect(places).toEqual(
      [
        'correction.body',
        'correction.receipts',
        'formula.document_text',
        'agreement_state.parties',
        'signed_receipt.receipt',
      ].sort(),
    )
    const receipt = await house.as.owner.json<Receipt>(`/agreements/${slug}/periods/2024-Q2/receipt`)
    const verdict = await judgeReceipt(JSON.stringify(receipt), { subtle: webcrypto.subtle, trustedKeys: null })
    expect(verdict.problems).toEqual([])
    expect((await verifyAllChains(owner)).map(({ problem }) => problem)).toEqual([null, null, null])
  })

  test('would be found in a column that was forgotten', async () => {
    const { owner } = house.api
    await owner`create table assize.forgotten (note jsonb)`
    await owner`insert into assize.forgotten values (${owner.json({ by: [zoe] })})`
    expect(await findText(owner, words)).toEqual(['forgotten.note'])
    await owner`drop table assize.forgotten`
  })
})

describe('a redaction that is misused', () => {
  const undone = new Error('undone')
  /** What the check of the chain says after `work`, which is undone then. */
  async function said(work: (tx: Transaction) => Promise<unknown>): Promise<string | null> {
    const { owner } = house.api
    let found: string | null = null
    const trying = owner.begin(async tx => {
      await tx`select set_config('assize.workspace', ${workspaceId}, true)`
      await work(tx)
      const { problem } = await verifyWithin(tx, workspaceId)
      found = problem === null ? null : wordsOfProblem(problem)
      throw undone
    })
    await trying.catch(error => {
      if (error !== undone) throw error
    })
    return found
  }
  const byHand = (tx: Transaction, table: string) => tx`alter table ${tx(table)} disable trigger user`
  /** Recorded with the server's own key. */
  const recorded = async (tx: Transaction, kind: string, was: string | null) => {
    const [target] = await tx<{ seq: number; subject: string; hash: string }[]>`
      select seq, subject, encode(content_hash, 'hex') as hash from publication
      where scope = ${workspaceId} and kind = ${kind} and not exists (
        select 1 from redaction r where r.scope = publication.scope and r.entry = publication.seq) order by seq limit 1`
    const { seq, subject, hash } = target!
    const log = await beginAppending(tx, workspaceId, logWriterOf(house.api.owner))
    const facts = {
      entry: seq,
      kind,
      was: was ?? hash,
      is: '0'.repeat(64),
      instead: 'erased-9',
      reason: 'x',
      by: 'operator',
    }
    await appendEntries(tx, log, 'redaction', [{ subject, facts }])
    await log.seal()
  }

  test('is found: rows that were changed again, with no redaction', async () => {
    expect(await said(async () => {})).toBeNull()
    const changed = await said(async tx => {
      await byHand(tx, 'sign_off')
      await tx`update sign_off set signed_by = 'erased-9' where workspace_id = ${workspaceId} and signed_by = 'erased-1'`
    })
    expect(changed).toMatch(/the rows of this publication \(signature of pam_\w+\) were changed/)
  })

  test('is found: an old hash that is not that of the entry, and an entry that names nobody', async () => {
    expect(await said(tx => recorded(tx, 'agreement', '1'.repeat(64)))).toMatch(
      /does not go on from what was published/,
    )
    expect(await said(tx => recorded(tx, 'metadata', null))).toMatch(/names nobody/)
    // One that goes on from the right hash excuses nothing but what it says.
    expect(await said(tx => recorded(tx, 'agreement', null))).toMatch(
      /the rows of this publication \(agreement of .*\) were changed/,
    )
  })

  test('is found: an entry of the access log that was changed without one, or with one that says something else', async () => {
    const change = (tx: Transaction) => tx`
      update access_entry set content = content || '{"by":"erased-9"}' where scope = ${workspaceId} and number = (
        select min(number) from access_entry where scope = ${workspaceId} and kind = 'redaction')`
    const changed = async (tx: Transaction) => {
      await byHand(tx, 'access_entry')
      await change(tx)
    }
    expect(await said(changed)).toMatch(/access entry \d+ \(a redaction\) was changed/)
  })

  test('is refused by the database itself: a row that changes without one', async () => {
    const { owner } = house.api
    const where = owner`workspace_id = ${workspaceId} and signed_by = 'erased-1'`
    await expect(owner`update sign_off set signed_by = 'erased-9' where ${where}`).rejects.toThrow('is append-only')
    const [row] = await owner<{ seq: number }[]>`select seq from sign_off where ${where} limit 1`
    const key = JSON.stringify({ workspace_id: workspaceId, seq: row!.seq })
    await expect(
      owner`select redact_row('sign_off', ${key}::text::jsonb, '{"signed_by": "erased-9"}'::jsonb)`,
    ).rejects.toThrow('changed without a redaction')
    await expect(
      house.api.sql`select redact_row('sign_off', ${key}::text::jsonb, '{"signed_by": "erased-9"}'::jsonb)`,
    ).rejects.toThrow('permission denied')
  })

  test('cannot give a seal to what was changed by hand: nobody is erased then', async () => {
    const { owner } = house.api
    const forge = (name: string, was: string) =>
      owner.begin(async tx => {
        await tx`alter table signing disable trigger user`
        await tx`update signing set name = ${name} where workspace_id = ${workspaceId} and name = ${was}`
        await tx`alter table signing enable trigger user`
      })
    await forge('Somebody Else', 'erased-1')
    const { id } = await createMember(house.api.sql, workspaceId, { email: 'kim@nova.test', role: 'viewer' }, operator)
    await removeMember(house.api.sql, workspaceId, id, operator)
    await expect(erase({ email: 'kim@nova.test' })).rejects.toThrow(
      'nobody is erased while the history does not verify',
    )
    await forge('erased-1', 'Somebody Else')
    expect(await erase({ email: 'kim@nova.test', isTrial: true })).toMatchObject({ instead: 'erased-5' })
  })
})
