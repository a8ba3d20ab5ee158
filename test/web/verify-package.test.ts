import { describe, expect, test } from 'vitest'
import { Seal } from '../../src/agreements/seal.ts'
import type { PartySignature } from '../../src/core/receipt/party-signature.ts'
import { hashOf, type Receipt } from '../../src/core/receipt/receipt.ts'
import { formatManifest } from '../../src/formats/evidence/check.ts'
import { correctionsPath, correctionsTable, correctionsTablePath } from '../../src/formats/evidence/corrections.ts'
import {
  copyPath,
  evidenceFormat,
  formatCopy,
  hashOfManifest,
  listFiles,
  type ManifestBody,
  manifestPath,
  printedPath,
  receiptPath,
  sealedText,
  tablePaths,
} from '../../src/formats/evidence/manifest.ts'
import { checkPackageFile } from '../../src/formats/evidence/package-file.ts'
import { packageHeading, problemsToShow, signedWords } from '../../src/formats/evidence/package-words.ts'
import { printedPage } from '../../src/formats/evidence/printed-page.ts'
import { formatRecords } from '../../src/formats/evidence/proposals.ts'
import { settledPath, settledPeriods, settledTable } from '../../src/formats/evidence/settled-periods.ts'
import { objectionsTable, signOffsTable, vintagesTable } from '../../src/formats/evidence/tables.ts'
import { changesPath, changesTable, changesTablePath } from '../../src/formats/evidence/terms-changes.ts'
import { makeZip } from '../../src/formats/zip.ts'
import { examples } from '../../src/http/v1/examples.ts'
import { KeyRing } from '../../src/storage/keys/key-ring.ts'
import { describePackage } from '../../web/pages/verify/package-answers.ts'
import { judgeFile } from '../../web/pages/verify/verdict.ts'

const { body } = examples.Receipt as unknown as Receipt
const seal = new Seal(KeyRing.of(['the secret of an installation']))
const receipt = seal.issue({ hash: hashOf(body), body, signatures: [] })
const own = {
  installation: { id: body.installation!.id, name: 'Ours' },
  keys: [{ algorithm: 'Ed25519', publicKey: seal.publicKey }],
} as const

/** A package of one receipt, with other files than usual. */
function packed(change: (files: Map<string, string>) => void = () => {}): Uint8Array<ArrayBuffer> {
  const named = [{ name: body.period, receipt }]
  const settled = settledPeriods(named, [])
  const files = new Map([
    [receiptPath(body.period), `${JSON.stringify(receipt, null, 2)}\n`],
    [printedPath(body.period), printedPage(named[0]!, settled)],
    [tablePaths.vintages, vintagesTable(named)],
    [tablePaths.signOffs, signOffsTable(named)],
    [tablePaths.objections, objectionsTable(named)],
    [settledPath, settledTable(settled)],
    [correctionsPath, formatRecords([])],
    [correctionsTablePath, correctionsTable([], new Map())],
    [changesPath, formatRecords([])],
    [changesTablePath, changesTable([], new Map())],
  ])
  change(files)
  const manifest: ManifestBody = {
    format: evidenceFormat,
    installation: body.installation!,
    workspace: body.workspace!,
    agreement: { slug: body.pam, name: body.name! },
    from: body.period,
    to: body.period,
    madeAt: '2024-08-20T09:14:02.511000Z',
    madeBy: 'ann@buyer.test',
    files: listFiles(files),
  }
  const hash = hashOfManifest(manifest)
  files.set(manifestPath, formatManifest({ body: manifest, hash, seal: seal.sign(sealedText(hash)) }))
  const all = [...files, [copyPath, formatCopy(files)] as const]
  return makeZip(Object.fromEntries(all.map(([path, text]) => [`evidence/${path}`, text])))
}

async function checkedPackage(bytes: Uint8Array<ArrayBuffer>) {
  const judged = await judgeFile(bytes)
  if (judged.of !== 'package') throw new Error(`it is taken for one of a ${judged.of}`)
  return judged.checked
}

const signature: PartySignature = {
  party: 'supplier',
  signedBy: 'sam@supplier.test',
  name: 'Sam',
  signedAt: '2025-01-01T00:00:00Z',
  hash: '0'.repeat(64),
  means: 'PASSKEY',
  together: [],
  passkey: null,
}

describe('the words about signatures in a package', () => {
  const parties = { buyer: 'works', supplier: 'forge' }

  test('say that a passkey signed and what is recorded about its owner, never whose it is', () => {
    const judged = { signature, whose: 'registered-key', problem: null } as const
    expect(signedWords([judged], parties)).toEqual([
      'supplier, sam@supplier.test: with a passkey; who invited the signer and when they joined was not recorded',
    ])
  })

  test('say nothing about the signer of one that does not hold', () => {
    const judged = { signature, whose: 'nobodys', problem: 'it is of another hash' } as const
    expect(signedWords([judged], parties)).toEqual(['supplier, sam@supplier.test: does not hold'])
  })
})

describe('an evidence package in the browser', () => {
  test('is recognised by its content, and everything in it verifies', async () => {
    const checked = await checkedPackage(packed())
    expect(problemsToShow([checked])).toEqual([])
    expect(packageHeading(checked)).toBe('Everything verifies')
    expect(checked.receipts.map(({ name, verdict }) => [name, signedWords(verdict!.signatures, body.parties)])).toEqual(
      [[body.period, ['nobody']]],
    )
    const [key, word] = describePackage(checked, own)
    expect(key).toMatchObject({
      tone: 'good',
      words: [expect.stringContaining('This installation’s'), expect.anything()],
    })
    expect(word!.words).toContain('That nothing about these periods was left out.')
    expect(describePackage(checked, null)[0]).toMatchObject({ tone: 'open' })
  })

  test('is not said to verify without its corrections', async () => {
    const checked = await checkedPackage(packed(files => files.delete(correctionsPath)))
    expect(packageHeading(checked)).toBe('Something was changed')
    expect(problemsToShow([checked])).toContain('corrections.json is missing')
  })

  test('is changed where a page does not follow from its receipt, even under a good seal', async () => {
    const checked = await checkedPackage(packed(files => files.set(printedPath(body.period), '<p>another number</p>')))
    expect(packageHeading(checked)).toBe('Something was changed')
    expect(problemsToShow([checked])).toEqual([`pages/${body.period}.html does not follow from the receipts`])
  })

  test('cannot be verified where something in it is not known, or signatures cannot be checked here', async () => {
    const strange = await checkedPackage(packed(files => files.set('slips/1.txt', 'of a later version')))
    expect(packageHeading(strange)).toBe('This cannot be verified')
    const without = await checkPackageFile(packed(), { subtle: undefined, trustedKeys: null })
    expect(packageHeading(without)).toBe('This cannot be verified')
    expect(describePackage(without, own)[0]).toMatchObject({
      tone: 'bad',
      words: ['This browser cannot check Ed25519 signatures.'],
    })
  })

  test('is refused in words where it is cut or is another archive', async () => {
    await expect(judgeFile(packed().slice(0, -5))).rejects.toThrow('this is not a whole ZIP archive')
    await expect(judgeFile(makeZip({ 'a.txt': 'a' }))).rejects.toThrow('not an evidence package')
  })
})
