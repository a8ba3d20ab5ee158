// `node test/golden/write-entries.ts`: writes the golden entries again, a backup with at least one entry of every kind. Until 0.1.0 for each
// change of the baseline; from then on entries verify for ever, and kinds that are new are added.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { IndexEvent } from '../../src/core/index-changes/index-event.ts'
import type { PasskeyAssertion } from '../../src/core/receipt/party-signature.ts'
import type { SignerOrigin } from '../../src/core/receipt/signer-origin.ts'
import { parsePeriod } from '../../src/core/time/period.ts'
import { insertLines } from '../../src/storage/agreements/invoices.ts'
import { keepPriceList } from '../../src/storage/agreements/price-lists.ts'
import { insertSignings } from '../../src/storage/agreements/signed-rows.ts'
import type { Signing } from '../../src/storage/agreements/signing.ts'
import { appending, type OpenLog } from '../../src/storage/log/append.ts'
import { hashText } from '../../src/storage/log/content.ts'
import type { EntryKind, FactsOf } from '../../src/storage/log/entry-kinds.ts'
import { appendEntry } from '../../src/storage/log/entry-rows.ts'
import { nameInstallation } from '../../src/storage/people/issuer-names.ts'
import { createCompany, putIntoCompany } from '../../src/storage/people/parties.ts'
import { publicScope, type Transaction } from '../../src/storage/postgres/database.ts'
import { makeIdentifier } from '../../src/storage/postgres/identifier.ts'
import { publishReleases, saveSeriesReleases } from '../../src/storage/series/calendar.ts'
import { followSeries } from '../../src/storage/series/follows.ts'
import { addIndexEvent } from '../../src/storage/series/index-events.ts'
import { createBackup } from '../../src/storage/upkeep/backup.ts'
import { erasePerson } from '../../src/storage/upkeep/erasure.ts'
import { Installation } from '../../src/storage/upkeep/installation.ts'
import { createWorkspace, renameWorkspace } from '../../src/storage/workspaces/workspaces.ts'
import { makeSeries, publishRows } from '../support/houses/workspace.ts'
import { testSecret } from '../support/run/postgres.ts'
import { backupFile, entriesFile, readEntries, readReports, reportsFile } from './entry-files.ts'

const january = parsePeriod('2024-01')!.ordinal
const ann = 'ann@buyer.test'
const sam = 'sam@supplier.test'

const origin: SignerOrigin = {
  role: 'supplier',
  invited: { by: ann, at: '2024-01-02T03:04:05.000006Z', from: 'WORKSPACE', role: 'owner', company: null },
  joinedAt: '2024-01-03T03:04:05.000006Z',
  renewed: null,
  company: null,
  passkeys: [{ id: 'AQ', registeredAt: '2024-01-04T03:04:05.000006Z' }],
}
const passkey: PasskeyAssertion = {
  credentialId: 'AQ',
  publicKey: 'Ag',
  algorithm: 'ES256',
  rpId: 'assize.test',
  authenticatorData: 'Aw',
  clientDataJSON: 'BA',
  signature: 'BQ',
}

/** An act by a passkey, and one by the operator in the name of somebody who is no member. */
function actsOf(period: string, hash: string): readonly [Signing, Signing] {
  const common = { together: [{ period, hash }], provider: null, batch: null }
  const byPasskey = { personId: makeIdentifier('usr'), name: 'Säm', fromAddress: '2001:db8::1', origin, passkey }
  const byOperator = { personId: null, name: '', fromAddress: null, origin: null, passkey: null }
  return [
    { ...common, ...byPasskey, means: 'PASSKEY' },
    { ...common, ...byOperator, means: 'OPERATOR' },
  ]
}

const speaker = {
  party: 'supplier',
  by: sam,
  personId: null,
  name: 'Säm',
  fromAddress: '192.0.2.8',
  means: 'SESSION',
}

/** Entries of an agreement, one after the other in one transaction. */
class AgreementEntries {
  readonly #tx: Transaction
  readonly #log: OpenLog
  readonly #id = makeIdentifier('pam')

  constructor(tx: Transaction, log: OpenLog) {
    this.#tx = tx
    this.#log = log
  }

  async append(): Promise<void> {
    const { scope, recordedAt } = this.#log
    await this.#tx`
      insert into agreement (workspace_id, id, slug, created_at) values (${scope}, ${this.#id}, 'brackets', ${recordedAt})`
    await this.#appendTerms()
    await this.#appendSigned()
    await this.#appendBilled()
    await this.#appendCorrections()
    await this.#appendChanges()
  }

  #entry<K extends EntryKind>(kind: K, facts: FactsOf<K>, beside?: object): Promise<number> {
    return appendEntry(this.#tx, this.#log, kind, { subject: this.#id, facts, beside } as never)
  }

  async #appendTerms(): Promise<void> {
    const billing = { references: ['PO-1', 'PO-2'], priceDate: 'INVOICE', prorate: 'DAYS' }
    const state = { slug: 'brackets', name: 'Brackets ⌀4', description: 'line\nline', status: 'ACTIVE' }
    await this.#entry('agreement', { ...state, parties: { buyer: [ann], supplier: 'steelworks' }, billing })
    await this.#entry('formula', {
      version: 1,
      document: { price: { base: '100.00' }, list: [1, true, null] },
      documentText: 'price: …\n',
      words: null,
      wordsFile: null,
      effectiveFrom: '2024-01-01',
      createdBy: ann,
      proposal: null,
    })
  }

  async #appendSigned(): Promise<void> {
    const period = '2024-Q1'
    const place = { period, adjustmentDate: '2024-04-01', receiptHash: hashText('receipt') }
    await this.#entry('receipt', { ...place, receipt: '{"adjustmentPct":"7.50"}', carried: [{ period: '2023-Q4' }] })
    const acts = actsOf(period, place.receiptHash)
    const ids = await insertSignings(this.#tx, this.#log, acts)
    const parties = ['supplier', 'buyer'] as const
    for (const [i, given] of acts.entries())
      await this.#entry(
        'signature',
        { ...place, party: parties[i]!, signedBy: i === 0 ? sam : ann, ...given },
        { signing_id: ids[i] },
      )
    const id = makeIdentifier('obj')
    const about = { kind: 'figure', series: 'CUSTOM/steel', input: 'steel', period: '2024-02' } as const
    const reading = { id: 'r1', title: 't', words: 'w', adjustmentPct: null, cumulativePct: '2.5', price: '102.50' }
    const { period: _period, ...receipt } = { period, receiptHash: place.receiptHash }
    await this.#entry('objection', { ...speaker, ...receipt, id, period, about, reason: 'nö', reading })
    await this.#entry('objection-answer', { ...speaker, objectionId: id, kind: 'WITHDRAWAL', words: '' })
  }

  async #appendBilled(): Promise<void> {
    const { scope, recordedAt } = this.#log
    await keepPriceList(this.#tx, this.#log, this.#id, {
      fromPeriod: 'start',
      fromDate: '2024-01-01',
      ownPriceUntil: '2024-04-01',
      proposal: null,
      rows: [],
      keys: ['B-4', 'b-4'],
      items: 1,
      createdBy: ann,
    })
    const seq = await this.#log.append('quantity', this.#id, { lines: 'B-4\t2024-Q1\t12.5', declaredBy: ann })
    await this.#tx`
      insert into quantity (workspace_id, agreement_id, item, period, seq, quantity, declared_by, recorded_at)
      values (${scope}, ${this.#id}, 'B-4', '2024-Q1', ${seq}, '12.5', ${ann}, ${recordedAt})`
    const fields = { date: '2024-05-02', kind: 'INVOICE', item: 'B-4', quantity: '3', unitPrice: '107.50' }
    const line = { supplier: 'steelworks', number: 'R-4711', line: '1', agreementId: this.#id, reverses: null }
    await insertLines(this.#tx, this.#log, [{ ...line, fields: fields as never }], ann)
  }

  async #appendCorrections(): Promise<void> {
    const [agreed, refused] = [makeIdentifier('cor'), makeIdentifier('cor')]
    const [body, receipts] = ['{"net":"-12.50"}', '[]']
    const facts = { hash: hashText(body), receiptsHash: hashText(receipts), periods: ['2024-Q1'], proposedBy: ann }
    const lines = { lineIds: [null], waived: false, waives: null }
    await this.#entry('correction', { ...facts, ...lines, id: agreed }, { body, receipts })
    const acts = actsOf(agreed, facts.hash)
    const ids = await insertSignings(this.#tx, this.#log, acts)
    for (const [i, given] of acts.entries()) {
      const side = i === 0 ? { party: 'supplier', signedBy: sam } : { party: 'buyer', signedBy: ann }
      const signed = { correctionId: agreed, hash: facts.hash, ...side, ...given }
      await this.#entry('correction-signature', signed, { signing_id: ids[i] })
    }
    const note = { number: 'CN-1', date: '2024-06-01', amount: '-12.50', fileHash: hashText('note'), issuedBy: ann }
    const said = { supplier: { iban: 'DE02' }, buyer: {}, document: {} } as never
    await this.#entry('correction-note', { ...note, correctionId: agreed, part: 1, said: null })
    await this.#entry('correction-note', { ...note, number: 'CN-2', correctionId: agreed, part: 2, said })
    const waived = { lineIds: [null], waived: true, waives: agreed }
    await this.#entry('correction', { ...facts, ...waived, id: refused }, { body, receipts })
    await this.#entry('correction-refusal', { ...speaker, correctionId: refused, reason: 'no' })
  }

  async #appendChanges(): Promise<void> {
    const [agreed, refused] = [makeIdentifier('spl'), makeIdentifier('amd')]
    const [body, document] = ['{"ratio":"1.25"}', 'price: …\n# later\n']
    const facts = {
      hash: hashText(body),
      documentHash: hashText(document),
      ground: 'EVENT',
      basis: 1,
      effectiveFrom: '2024-07-01',
      supersedes: null,
      plannedBy: null,
      proposedBy: ann,
    }
    const splice = { ...facts, id: agreed, kind: 'SPLICE', series: ['CUSTOM/steel'], offer: makeIdentifier('off') }
    await this.#entry('terms-change', splice, { body, document })
    const acts = actsOf(agreed, facts.hash)
    const ids = await insertSignings(this.#tx, this.#log, acts)
    for (const [i, given] of acts.entries()) {
      const side = i === 0 ? { party: 'supplier', signedBy: sam } : { party: 'buyer', signedBy: ann }
      const signed = { changeId: agreed, hash: facts.hash, ...side, ...given }
      await this.#entry('terms-signature', signed, { signing_id: ids[i] })
    }
    await this.#entry('formula', {
      version: 2,
      document: { price: { base: '100.00' } },
      documentText: document,
      words: '{"links":[],"sentences":["Steel counts."]}',
      wordsFile: null,
      effectiveFrom: '2024-07-01',
      createdBy: sam,
      proposal: agreed,
    })
    const amendment = { ...facts, id: refused, kind: 'AMENDMENT', series: [], offer: null }
    await this.#entry('terms-change', amendment, { body, document })
    await this.#entry('terms-refusal', { ...speaker, changeId: refused, reason: 'no' })
  }
}

async function publishPublic({ sql, owner }: Installation): Promise<string> {
  const figures = await makeSeries(sql, publicScope, 'SR0000001', 'BLS')
  await publishRows(sql, publicScope, figures, [{ period: january, value: '100.0', flag: 'p' }])
  await nameInstallation(owner, 'Gölden & Sons')
  await publishReleases(sql, [
    {
      provider: 'BLS',
      release: 'CPI',
      title: 'Prices',
      period: '2024-02',
      at: '2024-03-12',
      zone: 'UTC',
      status: 'DATE_ONLY',
      sourceId: 'cpi-2024-02',
    },
  ])
  await saveSeriesReleases(sql, publicScope, [{ seriesId: figures, release: 'CPI' }])
  const event: IndexEvent = {
    id: 'bls-rebased',
    provider: 'BLS',
    codes: 'SR*',
    kind: 'REBASED',
    day: '2024-01-01',
    sentence: 'Now 2020 = 100.',
    successor: null,
    coefficient: { digits: '1.25', direction: 'OLD_TO_NEW' },
    source: 'a page',
  }
  await addIndexEvent(sql, event, 'operator')
  return figures
}

async function publishScope({ sql, owner }: Installation, followed: string): Promise<string> {
  const { id: scope } = await createWorkspace(owner, { slug: 'golden' })
  const by = { who: 'operator', fromAddress: null }
  await followSeries(sql, scope, { id: followed, provider: 'BLS', code: 'SR0000001' } as never)
  const steel = await makeSeries(sql, scope, 'steel')
  await publishRows(sql, scope, steel, [{ period: january, value: '110.00' }])
  const company = await createCompany(sql, scope, { slug: 'steelworks', name: 'Stählwerke “A” GmbH' }, by)
  await renameWorkspace(sql, scope, 'Golden name', by)
  await appending(owner, scope, async (tx, log) => {
    const put = { subject: company.id }
    await putIntoCompany(tx, log, sam, 'steelworks')
    const done = { by: ann, from: 'COMPANY', role: 'editor', company: 'steelworks' }
    const facts = { kind: 'INVITED', email: sam, personId: null, ...done, facts: { role: 'supplier', n: [1, null] } }
    await appendEntry(tx, log, 'people', { ...put, facts, beside: { party_id: company.id } })
    const details = { details: { name: 'Stählwerke', city: 'Linz' } as never, setBy: ann }
    await appendEntry(tx, log, 'party-billing', { ...put, facts: details, beside: { party_id: company.id } })
    const unit = { unit: 'crate', other: 'piece', factor: '48.5' }
    await appendEntry(tx, log, 'unit', { subject: scope, facts: { ...unit, setBy: 'gone@buyer.test' } })
    const file = { fileName: 'März "x".csv', sha256: hashText('file'), size: 4_000_000_123 }
    await appendEntry(tx, log, 'upload', {
      subject: makeIdentifier('upl'),
      facts: { ...file, uploadedBy: ann, via: 'web' },
    })
    await new AgreementEntries(tx, log).append()
  })
  await appending(owner, scope, (tx, log) => {
    const facts = { firstSeq: log.lastSeq + 1, lastSeq: log.lastSeq, countsAs: log.recordedAt }
    return appendEntry(tx, log, 'clock', { subject: scope, facts })
  })
  await erasePerson(owner, { email: 'gone@buyer.test', reason: 'asked for it', by: 'operator', isTrial: false })
  return scope
}

const folder = await mkdtemp(join(tmpdir(), 'assize-golden-'))
const options = { dataFolder: join(folder, 'data'), databaseUrl: null, secrets: [testSecret], connections: 2 }
const installation = await Installation.open(options)
try {
  await publishScope(installation, await publishPublic(installation))
  await rm(backupFile, { force: true })
  await createBackup(installation.owner, backupFile, null)
  const entries = await readEntries(installation.owner)
  await writeFile(entriesFile, `${entries.map(entry => JSON.stringify(entry)).join('\n')}\n`)
  await writeFile(reportsFile, `${JSON.stringify(await readReports(installation.owner), null, 2)}\n`)
  process.stdout.write(`${entries.length} golden entries written\n`)
} finally {
  await installation.close()
  await rm(folder, { recursive: true })
}
