// The contract's own words: kept with a version, signed by their hash in every receipt, changed by a version or a proposal, shown to
// those who see the version, and checked in evidence packages.
import { webcrypto } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type ContractWords, hashOfWords } from '../../src/core/formula/words/contract-words.ts'
import type { Receipt } from '../../src/core/receipt/receipt.ts'
import { judgeReceipt } from '../../src/core/receipt/verdict.ts'
import { decodeUtf8 } from '../../src/core/text/utf8.ts'
import { checkPackage } from '../../src/formats/evidence/check.ts'
import { copyPath } from '../../src/formats/evidence/manifest.ts'
import { wordsPath } from '../../src/formats/evidence/words-file.ts'
import { verifyChain } from '../../src/storage/upkeep/chain.ts'
import type { SaveRequest } from '../../src/views/calls/agreement-calls.ts'
import type { AdjustmentPage, AgreementPage, Saved } from '../../src/views/shapes/agreements.ts'
import type { TermsChangePage } from '../../src/views/shapes/index-changes.ts'
import type { VersionView, WordsView } from '../../src/views/shapes/versions.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { hasPython, secondVerdicts } from '../support/files/second-verifier.ts'
import { unzip } from '../support/files/unzip.ts'
import { type Browser, makeSeats } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'

const console = consoleHouse()
const subtle = webcrypto.subtle

const document = bracketsDocument({ clause: '{ fixed: 0.40 }' })
const forBoth = document.replace('frequency: QUARTERLY', 'frequency: QUARTERLY\n  change: BOTH')
const first = { sentences: ['The price follows steel and labour.', '40 % never move.'], links: [] }
const second = { sentences: ['The price follows steel and labour.', 'Two fifths never move.'], links: [] }

async function ready(text: string, words: SaveRequest['words']) {
  const seats = await makeSeats(console.api)
  await seats.tenant.import(bracketsTable)
  const reply = await seats.as.editor.post('/agreements', { text, basedOn: 0, words })
  expect(reply.status, reply.text).toBe(201)
  for (const browser of [seats.as.buyer, seats.as.supplier]) await browser.confirm()
  return seats
}

async function save(browser: Browser, request: Partial<SaveRequest>): Promise<Saved> {
  const reply = await browser.post('/agreements', { text: document, basedOn: 1, ...request })
  expect(reply.status, reply.text).toBe(201)
  return reply.json as Saved
}

const wordsOf = async (browser: Browser, version: number) =>
  (await browser.json<WordsView>(`/agreements/brackets/versions/${version}/words`)).words
const receiptOf = (browser: Browser, period: string) =>
  browser.json<Receipt>(`/agreements/brackets/periods/${period}/receipt`)
const hash = (words: Pick<ContractWords, 'sentences' | 'links'>) => hashOfWords(words)

async function sign(browser: Browser, party: 'buyer' | 'supplier', period = '2024-Q2') {
  const path = `/agreements/brackets/periods/${period}`
  const { entry } = await browser.json<AdjustmentPage>(path)
  const reply = await browser.post(`${path}/sign`, { party, periods: [{ period, hash: entry.hash }] })
  expect(reply.status, reply.text).toBe(200)
}

describe('the contract’s own words', () => {
  test('are kept with the version, and a version that says nothing of them keeps them', async () => {
    const { as, tenant } = await ready(document, first)
    expect(await wordsOf(as.viewer, 1)).toEqual({ ...first, file: null })
    expect(await save(as.editor, { words: first })).toMatchObject({ outcome: 'unchanged', version: 1 })
    expect(await save(as.editor, {})).toMatchObject({ outcome: 'unchanged', version: 1 })
    const capped = bracketsDocument({ clause: '{ fixed: 0.40, cap: { periodPct: 5 } }' })
    expect(await save(as.editor, { text: capped })).toMatchObject({ outcome: 'new version', version: 2 })
    expect(await wordsOf(as.viewer, 2)).toEqual({ ...first, file: null })
    const other = { text: capped, basedOn: 2, words: second }
    expect(await save(as.editor, other)).toMatchObject({ outcome: 'new version', version: 3 })
    expect(await wordsOf(as.viewer, 3)).toEqual({ ...second, file: null })
    expect(await wordsOf(as.viewer, 1)).toEqual({ ...first, file: null })
    const none = { text: capped, basedOn: 3, words: null }
    expect(await save(as.editor, none)).toMatchObject({ outcome: 'new version', version: 4 })
    expect(await wordsOf(as.viewer, 4)).toBeNull()
    const versions = await as.viewer.json<readonly VersionView[]>('/agreements/brackets/versions')
    expect(versions.map(({ hasWords, isReworded, changes }) => [hasWords, isReworded, changes.length])).toEqual([
      [false, true, 0],
      [true, true, 0],
      [true, false, 1],
      [true, false, 0],
    ])
    expect((await as.viewer.json<AgreementPage>('/agreements/brackets')).hasWords).toBe(false)
    expect((await verifyChain(console.api.owner, tenant.id)).problem).toBeNull()
  })

  test('are refused with everything else that is wrong, at once', async () => {
    const { as } = await ready(document, undefined)
    const words = { sentences: ['plain', 'two\nlines', 'hid\u202eden'], links: [{ sentence: 4, path: 'inputs.tin' }] }
    const problemsOf = async (text: string) => {
      const { status, json } = await as.editor.post('/agreements', { text, basedOn: 1, words })
      expect(status).toBe(422)
      return (json as { problems: { path: string; message: string }[] }).problems.map(({ path }) => path)
    }
    expect(await problemsOf(document)).toEqual(['words.sentences', 'words.links[0]'])
    expect(await problemsOf(document.replace('CUSTOM/steel', 'CUSTOM/tin'))).toEqual([
      'inputs.steel.series',
      'words.sentences',
      'words.links[0]',
    ])
    expect(await problemsOf(document.replace('fixed: 0.40', 'fixed: 0.50'))).toEqual([
      expect.any(String),
      'words.sentences',
      'words.links[0]',
    ])
  })

  test('name the fields they are about; a version without one of these is refused with its name', async () => {
    const links = [
      { sentence: 1, path: 'clause.fixed' },
      { sentence: 1, path: 'inputs.labour' },
      { sentence: 2, path: null },
    ]
    const { as } = await ready(document, { ...first, links })
    const renamed = document.replace('  labour:', '  wages:')
    const refused = await as.editor.post('/agreements', { text: renamed, basedOn: 1 })
    expect(refused.status).toBe(422)
    expect(refused.json).toMatchObject({
      problems: [{ path: 'words.links[1]', message: 'names "inputs.labour", which the document does not have' }],
    })
    const fewer = { ...first, links: [links[0]!, links[2]!] }
    expect(await save(as.editor, { text: renamed, words: fewer })).toMatchObject({ version: 2 })
    expect(await wordsOf(as.editor, 2)).toEqual({ ...fewer, file: null })
  })

  test('are signed by their hash with every number; other words are another number to sign', async () => {
    const { as, tenant } = await ready(document, first)
    for (const party of ['buyer', 'supplier'] as const) await sign(as[party], party)
    await sign(as.buyer, 'buyer', '2024-Q3')
    const signed = await receiptOf(as.viewer, '2024-Q2')
    expect(signed.body.words).toEqual({ sha256: hash(first) })
    await save(as.editor, { words: second })
    expect((await receiptOf(as.viewer, '2024-Q2')).hash).toBe(signed.hash)
    const open = await receiptOf(as.viewer, '2024-Q3')
    expect([open.body.formulaVersion, open.body.words, open.signatures]).toEqual([2, { sha256: hash(second) }, []])
    const judge = { subtle, trustedKeys: null, trustedIssuers: null }
    for (const receipt of [signed, open])
      expect((await judgeReceipt(JSON.stringify(receipt), judge)).problems).toEqual([])
    const forged = { ...open, body: { ...open.body, words: { sha256: hash(first) } } }
    expect((await judgeReceipt(JSON.stringify(forged), judge)).problems).not.toEqual([])
    const page = await as.buyer.json<AdjustmentPage>('/agreements/brackets/periods/2024-Q3')
    expect(JSON.stringify(page)).toContain('The contract’s own words are other ones now.')
    expect((await tenant.get('/pams/brackets/adjustment?period=2024-Q2')).status).toBe(200)
    await save(as.editor, { basedOn: 2, words: null })
    expect((await receiptOf(as.viewer, '2024-Q3')).body).not.toHaveProperty('words')
  })

  test('are seen by the supplier with the versions that it sees, and by nobody else', async () => {
    const { as } = await ready(bracketsDocument({ clause: '{ fixed: 0.40 }', status: 'DRAFT' }), first)
    const path = '/agreements/brackets/versions/1/words'
    expect((await as.supplier.get(path)).status).toBe(404)
    await save(as.editor, { text: document, words: second })
    expect((await as.supplier.get(path)).status).toBe(404)
    expect(await wordsOf(as.supplier, 2)).toEqual({ ...second, file: null })
    for (const version of ['3', '0', 'x', '02'])
      expect((await as.owner.get(`/agreements/brackets/versions/${version}/words`)).status).toBe(404)
  })

  test('that SQL changed are found', async () => {
    const { tenant } = await ready(document, first)
    const { owner } = console.api
    await owner`alter table formula disable trigger all`
    await owner`update formula set words = replace(words, '40', '50') where workspace_id = ${tenant.id}`
    await owner`alter table formula enable trigger all`
    expect((await verifyChain(owner, tenant.id)).problem?.message).toContain('(formula of')
  })
})

describe('under a contract that leaves its terms to both', () => {
  test('other words are a proposal that both sign, and nothing moves before', async () => {
    const { as, tenant } = await ready(forBoth, first)
    for (const party of ['buyer', 'supplier'] as const) await sign(as[party], party)
    const saved = await save(as.editor, { text: forBoth, words: second })
    expect(saved).toMatchObject({ outcome: 'proposed', version: 1 })
    expect(await save(as.editor, { text: forBoth, words: second })).toMatchObject({ proposal: saved.proposal })
    const path = `/terms-changes/${saved.proposal}`
    const shown = await as.supplier.json<TermsChangePage>(path)
    expect(shown.words).toEqual({ before: first.sentences, after: second.sentences })
    expect(shown.differences).toEqual([])
    expect(shown.body).toMatchObject({ words: { before: hash(first), after: { ...second, file: null } } })
    expect((await receiptOf(as.viewer, '2024-Q3')).body.words).toEqual({ sha256: hash(first) })
    for (const party of ['supplier', 'buyer'] as const) {
      const reply = await as[party].post(`${path}/sign`, { party, hash: shown.change.hash })
      expect(reply.status, reply.text).toBe(200)
    }
    expect(await wordsOf(as.supplier, 2)).toEqual({ ...second, file: null })
    expect((await receiptOf(as.viewer, '2024-Q2')).body.words).toEqual({ sha256: hash(first) })
    expect((await receiptOf(as.viewer, '2024-Q3')).body.words).toEqual({ sha256: hash(second) })
    // A change of the document alone leaves them as they are.
    const capped = forBoth.replace('{ fixed: 0.40 }', '{ fixed: 0.40, cap: { periodPct: 5 } }')
    const proposed = await as.buyer.post('/agreements/brackets/amendments', { text: capped, reason: 'a cap' })
    const next = `/terms-changes/${(proposed.json as { id: string }).id}`
    const { change, words } = await as.buyer.json<TermsChangePage>(next)
    expect(words).toBeNull()
    for (const party of ['supplier', 'buyer'] as const)
      await as[party].post(`${next}/sign`, { party, hash: change.hash })
    expect(await wordsOf(as.supplier, 3)).toEqual({ ...second, file: null })
    expect((await verifyChain(console.api.owner, tenant.id)).problem).toBeNull()
    for (const browser of [as.owner, as.supplier]) await expectVerified(browser)
  })

  test('one side proposes them alone, with the document as it is', async () => {
    const { as } = await ready(forBoth, first)
    for (const party of ['buyer', 'supplier'] as const) await sign(as[party], party)
    const propose = (words: unknown) =>
      as.supplier.post('/agreements/brackets/amendments', { text: forBoth, words, reason: 'clearer' })
    expect((await propose(first)).status).toBe(409)
    expect((await propose({ ...second, sentences: ['two\nlines'] })).text).toContain('sentence 1')
    const { json, status } = await propose(null)
    expect(status).toBe(201)
    const { words } = await as.buyer.json<TermsChangePage>(`/terms-changes/${(json as { id: string }).id}`)
    expect(words).toEqual({ before: first.sentences, after: [] })
  })
})

async function packageFor(browser: Browser) {
  const reply = await browser.get('/agreements/brackets/evidence', { headers: { 'accept-encoding': 'identity' } })
  expect(reply.status, reply.text.slice(0, 200)).toBe(200)
  const files = new Map<string, string>()
  for (const [path, bytes] of unzip(reply.body)) files.set(path.slice(path.indexOf('/') + 1), decodeUtf8(bytes)!)
  files.delete(copyPath)
  return { bytes: reply.body, files }
}

/** By both verifiers. */
async function expectVerified(browser: Browser) {
  const { bytes, files } = await packageFor(browser)
  const { parts, isGood } = await checkPackage(files, subtle)
  expect(parts.flatMap(({ problems }) => problems)).toEqual([])
  expect(isGood).toBe(true)
  if (!hasPython) return
  const folder = await mkdtemp(join(tmpdir(), 'assize-words-'))
  const path = join(folder, 'package.zip')
  await writeFile(path, bytes)
  const { status, lines } = secondVerdicts([{ path }])[0]!
  await rm(folder, { recursive: true })
  expect(lines.filter(line => line.startsWith('refused'))).toEqual([])
  expect(status).toBe(0)
}

describe('an evidence package', () => {
  test('has the words of its versions, checked against what receipts and the log name', async () => {
    const { as } = await ready(document, first)
    for (const party of ['buyer', 'supplier'] as const) await sign(as[party], party)
    await save(as.editor, { words: second })
    for (const browser of [as.owner, as.supplier]) await expectVerified(browser)
    const { files } = await packageFor(as.owner)
    const rows = JSON.parse(files.get(wordsPath)!) as (ContractWords & { versions: number[]; sha256: string })[]
    expect(rows.map(({ versions, sha256, sentences }) => [versions, sha256, sentences])).toEqual([
      [[1], hash(first), first.sentences],
      [[2], hash(second), second.sentences],
    ])
    const problemsWith = async (text: string | null) => {
      const changed = new Map(files)
      if (text === null) changed.delete(wordsPath)
      else changed.set(wordsPath, text)
      const { parts } = await checkPackage(changed, subtle)
      return parts.find(({ title }) => title === 'The contract’s own words')!.problems
    }
    const named = ['2024-Q2: the words of version 1 are not those that it names']
    const write = (changed: readonly object[]) => `${JSON.stringify(changed, null, 2)}\n`
    expect(await problemsWith(null)).toEqual(expect.arrayContaining(named))
    expect(await problemsWith(write([rows[1]!]))).toEqual(
      expect.arrayContaining([...named, 'the words of version 1 are not those that were published']),
    )
    expect(await problemsWith(write([{ ...rows[0], sentences: ['Other.'] }, rows[1]!]))).toEqual([
      `the words under ${hash(first)} do not have that hash`,
    ])
    expect(await problemsWith(write([...rows, { ...rows[0], versions: [2] }]))).toContain(
      'version 2 has more than one text',
    )
    expect(await problemsWith('[{}]')).toEqual([`${wordsPath} is not one`])
  })

  test('has no such file where no version has words', async () => {
    const { as } = await ready(document, undefined)
    const { files } = await packageFor(as.owner)
    expect(files.has(wordsPath)).toBe(false)
    expect((await checkPackage(files, subtle)).parts.map(({ title }) => title)).not.toContain(
      'The contract’s own words',
    )
    await expectVerified(as.owner)
  })
})
