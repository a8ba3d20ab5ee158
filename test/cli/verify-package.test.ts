// `verify` of an evidence package: what it prints, its exit status, which key it accepts, and what is done to its files on its way.
// It knows the file alone.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { Seal } from '../../src/agreements/seal.ts'
import { hashOf } from '../../src/core/receipt/receipt.ts'
import { checkPackageFile } from '../../src/formats/evidence/package-file.ts'
import { KeyRing } from '../../src/storage/keys/key-ring.ts'
import { sealedAgain } from '../support/files/evidence-package.ts'
import { unzip } from '../support/files/unzip.ts'
import { writeZip } from '../support/files/zip-writer.ts'
import { runCommand } from '../support/houses/command-house.ts'
import { emails, type Seats } from '../support/houses/console.ts'
import { agreement } from '../support/houses/evidence-seats.ts'
import { packageHouse } from '../support/houses/package-house.ts'
import { onlyLong } from '../support/run/long-form.ts'

const kept = packageHouse({
  isEachJudged: onlyLong('packages', 'packages of tests, by both verifiers, instead of one in three'),
})
const { take, verify, expectRefused, entriesOf } = kept
let seats: Seats
let seal: Seal
let archive: Buffer
let files: ReadonlyMap<string, string>
let top: string
let agreed: string
let refused: string
beforeAll(() => {
  ;({ seats, seal, archive, files, top, agreed, refused } = kept)
})

const withFile = (path: string, change: (text: string) => string) =>
  new Map([...files, [path, change(files.get(path) ?? '')]])
const without = (...paths: readonly string[]) => new Map([...files].filter(([path]) => !paths.includes(path)))

describe('verify of an evidence package', () => {
  test('prints same, what was checked, every number and correction with its signatures, and exits 0', async () => {
    const { status, out, err } = await verify(archive)
    expect({ status, err }).toEqual({ status: 0, err: '' })
    const key = `ed25519:${seal.publicKey}`
    expect(out.split('\n')[0]).toBe(
      `same: everything in the evidence for ${agreement} (${agreement}), 2024-Q2 to 2024-Q4, verifies`,
    )
    for (const words of [
      `made by ${emails.owner} on `,
      `The list of files: Sealed by the key ${key}.\n`,
      'Every number: 3 receipts computed again, every line.\n',
      'Every correction: 2 computed again from the receipts they name.\n',
      /The part of the chain: \d+ publications computed again\.\n/,
      `sealed by ${key}, which was not compared with a key that you trust (--trust)\n`,
      '2024-Q2: recomputes to +6 %, price 106.00\n',
      `2024-Q2: signed for the buyer by `,
      `2024-Q3: signed by nobody\n`,
      `${agreed}: the correction of 2024-Q2 comes to -250.00 EUR, AGREED\n`,
      `${agreed}: signed for the supplier by `,
      `${refused}: the correction of 2024-Q2 comes to 50.00 EUR, REFUSED\n`,
      /The log: 4 entries are in assize\/[0-9a-f]{16} at (?:1 leaf|\d+ leaves), and (?:1 earlier checkpoint grows|\d+ earlier checkpoints grow) into it\.\n/,
      '2024-Q2: signed by both on ',
      "; in the log on the operator's word alone: no witness\n",
      'not proven: that two names stand for two different people\n',
      "on the operator's word: that nothing about these periods was left out\n",
    ])
      expect(out).toMatch(
        typeof words === 'string' ? new RegExp(words.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')) : words,
      )
    expect(out.trimEnd().split('\n').slice(-3)).toEqual([
      expect.stringMatching(
        /^2024-Q2: the settled price is 103\.50 EUR, corrected from 106\.00 EUR, agreed on \d{4}-\d\d-\d\d \(cor_\w+\)\.$/,
      ),
      '2024-Q3: proposed 105.00 EUR, not signed by both.',
      '2024-Q4: proposed 107.00 EUR, not signed by both.',
    ])
  })

  test('says on the page of a corrected number, and in a table, what is settled', () => {
    expect(files.get('settled.csv')).toMatch(
      new RegExp(
        `\r\n2024-Q2,CORRECTED,106\\.00,103\\.50,6,3\\.5,${agreed},\\d{4}-[^,]+Z\r\n2024-Q3,PROPOSED,105\\.00,,`,
      ),
    )
    expect(files.get('pages/2024-Q2.html')).toContain(
      '<strong>2024-Q2: the settled price is 103.50 EUR, corrected from 106.00 EUR, agreed on ',
    )
  })

  test('gives every part of its verdict with --json', async () => {
    const { status, out } = await verify(archive, '--json', '--trust', `ed25519:${seal.publicKey}`)
    expect(status).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      same: true,
      format: 'assize-evidence/1',
      agreement: { slug: agreement },
      from: '2024-Q2',
      to: '2024-Q4',
      seal: { key: `ed25519:${seal.publicKey}`, trust: 'trusted' },
      receipts: [{ name: '2024-Q2', adjustmentPct: '6', price: '106.00' }, { name: '2024-Q3' }, { name: '2024-Q4' }],
      corrections: [
        { id: agreed, state: 'AGREED', net: '-250.00', signatures: [{ party: 'buyer' }, { party: 'supplier' }] },
        { id: refused, state: 'REFUSED', signatures: [] },
      ],
      settled: [
        { period: '2024-Q2', isSigned: true, priceBefore: '106.00', price: '103.50', correction: agreed },
        { period: '2024-Q3', isSigned: false, priceBefore: '105.00', price: null, correction: null },
        { period: '2024-Q4' },
      ],
      problems: [],
    })
    const bad = await verify(writeZip(entriesOf(withFile('vintages.csv', text => `${text} `))), '--json')
    expect(bad.status).toBe(1)
    expect(JSON.parse(bad.out)).toMatchObject({
      same: false,
      problems: expect.arrayContaining(['Every file as it was sealed: vintages.csv was changed']),
    })
  })

  test('with --trust accepts only that key', async () => {
    const other = new Seal(KeyRing.of(['another secret']))
    const trusted = await verify(archive, '--trust', `ed25519:${seal.publicKey}`)
    expect([trusted.status, trusted.out]).toEqual([0, expect.stringContaining(', a key that you trust\n')])
    const foreign = await verify(archive, '--trust', `ed25519:${other.publicKey}`)
    expect([foreign.status, foreign.out, foreign.err]).toEqual([
      1,
      '',
      `refused: The list of files: it is sealed by ed25519:${seal.publicKey}, which is not a key that you trust\n`,
    ])
  })

  test('accepts the same files from another program: compressed, in another folder or none, with folders and a comment', async () => {
    const all = entriesOf(files, { isDeflated: true })
    for (const [how, again] of [
      ['compressed', writeZip(all)],
      ['in another order', writeZip(all.toReversed())],
      ['with sizes that follow', writeZip(entriesOf(files, { isDeflated: true, isTrailed: true }))],
      ['without a folder', writeZip(entriesOf(files, {}, ''))],
      ['in other folders', writeZip(entriesOf(files, {}, 'from the auditor/'))],
      ['with folders', writeZip([{ path: top, body: '' }, { path: `${top}receipts/`, body: '' }, ...all])],
      ['with a comment', writeZip(all, { comment: 'packed by somebody' })],
    ] as const) {
      const { status, err } = await verify(again)
      expect([status, err], how).toEqual([0, ''])
    }
  })

  test('gives a supplier’s package the same verdict, with its corrections and without records of others', async () => {
    const own = await take(seats.as.supplier)
    const { status, out, err } = await verify(own)
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(out).toContain(`${agreed}: the correction of 2024-Q2 comes to -250.00 EUR, AGREED\n`)
    expect(out).not.toContain('The part of the chain')
    const paths = [...unzip(own).keys()].map(path => path.slice(top.length))
    expect(paths).toEqual(expect.arrayContaining([`corrections/${agreed}.json`, 'corrections.json', 'corrections.csv']))
  })

  test('accepts the receipt of a correction that was taken out of it', async () => {
    const path = join(kept.folder, 'correction.json')
    await writeFile(path, files.get(`corrections/${agreed}.json`)!)
    const { status, out } = await runCommand(['verify', path], {})
    expect([status, out]).toEqual([0, expect.stringContaining('comes to -250.00 EUR')])
  })
})

describe('a package that was tampered with', () => {
  test('is refused, with what is wrong, whichever file is changed, missing or added', async () => {
    for (const [how, changed, words] of [
      [
        'a figure',
        withFile('receipts/2024-Q2.json', text => text.replace('106.0', '107.0')),
        /receipts\/2024-Q2\.json was changed/,
      ],
      [
        'a page',
        withFile('pages/2024-Q2.html', text => text.replace('106.00', '107.00')),
        /pages\/2024-Q2\.html does not follow/,
      ],
      [
        'a table',
        withFile('sign-offs.csv', text => text.replace(emails.buyer, 'x@y.test')),
        /sign-offs\.csv was changed/,
      ],
      [
        'the chain',
        withFile('chain.json', text => text.replace(emails.buyer, 'x@y.test')),
        /is not what its hash covers/,
      ],
      ['a formula', withFile('formulas/version-1.yaml', text => `${text}\n`), /version-1\.yaml was changed/],
      [
        'a correction',
        withFile(`corrections/${agreed}.json`, text => text.replaceAll('-250.00', '-25.00')),
        new RegExp(`${agreed}: `),
      ],
      [
        'what happened',
        withFile('corrections.json', text => text.replace('REFUSED', 'LAPSED')),
        /corrections\.json was changed/,
      ],
      ['the copy', withFile('verify-data.js', text => `${text} `), /verify-data\.js is not a copy/],
      [
        'the list',
        withFile('manifest.json', text => text.replace('"from": "2024-Q2"', '"from": "2024-Q3"')),
        /its hash is not of what it says/,
      ],
      ['a receipt that is gone', without('receipts/2024-Q3.json'), /receipts\/2024-Q3\.json is missing/],
      [
        'a correction that is gone',
        without(`corrections/${refused}.json`),
        new RegExp(`corrections/${refused}\\.json is missing`),
      ],
      ['no copy', without('verify-data.js'), /verify-data\.js is not a copy/],
      [
        'a file more',
        new Map([...files, ['receipts/2030-Q1.json', files.get('receipts/2024-Q2.json')!]]),
        /2030-Q1\.json does not belong/,
      ],
    ] as const)
      await expectRefused(writeZip(entriesOf(changed)), words, how)
  })

  test('is refused if it was sealed again by another key', async () => {
    const forged = sealedAgain(files, new Seal(KeyRing.of(['another secret'])))
    await expectRefused(
      writeZip(entriesOf(forged)),
      /it is sealed by another key than the list of files/,
      'another key',
    )
  })

  /** As if the operator had left one correction out of everything that is made from it. */
  const withoutCorrection = (all: ReadonlyMap<string, string>, id: string) => {
    const records = JSON.parse(all.get('corrections.json')!) as { readonly id: string }[]
    const kept = records.filter(each => each.id !== id)
    const rows = all.get('corrections.csv')!.split('\r\n')
    return new Map([
      ...[...all].filter(([path]) => path !== `corrections/${id}.json`),
      ['corrections.json', `${JSON.stringify(kept, null, 2)}\n`],
      ['corrections.csv', rows.filter(row => !row.startsWith(id)).join('\r\n')],
    ])
  }
  const forged = (changed: ReadonlyMap<string, string>) => writeZip(entriesOf(sealedAgain(changed, seal)))

  test('is refused if a correction or a note was left out, although the installation’s own key sealed it again', async () => {
    const missing = new RegExp(`the correction ${refused} is in the chain, but not in the package`)
    await expectRefused(forged(withoutCorrection(files, refused)), missing, 'a correction')
    await expectRefused(forged(withoutCorrection(files, agreed)), /settled\.csv does not follow/, 'what is settled')
    const signed = `the signature of ${emails.buyer} for the buyer under the correction ${agreed}`
    await expectRefused(
      forged(withoutCorrection(files, agreed)),
      new RegExp(`${signed} is in the chain, but not in the package`),
      'its signatures',
    )
    for (const [how, change, words] of [
      [
        'another note',
        (text: string) => text.replace('"CN-1"', '"CN-2"'),
        /the note CN-2 over -250\.00 for the correction \w+ is in the package, but not in the chain/,
      ],
      [
        'no note',
        (text: string) => text.replace(/"notes": \[[^\]]+\]/, '"notes": []'),
        /the note CN-1 over -250\.00 for the correction \w+ is in the chain, but not in the package/,
      ],
    ] as const)
      await expectRefused(forged(withFile('corrections.json', change)), words, how)
    const strange = new Map([...files, ['slips/1.json', '{}']])
    await expectRefused(forged(strange), /slips\/1\.json is something that this program does not know/, 'unknown')
    const page = new Map([...files, ['pages/2030-Q1.html', '<p>+90 %</p>']])
    await expectRefused(forged(page), /there are 4 pages of 3 receipts/, 'a page of nothing')
  })

  test('is refused if a correction was changed, or bears the signature of another, even where it was sealed again', async () => {
    const path = `corrections/${agreed}.json`
    type Written = ReturnType<Seal['issueCorrection']>
    const changed = (change: (receipt: Written) => Written) =>
      forged(
        withFile(
          path,
          text => `${JSON.stringify(seal.issueCorrection(change(JSON.parse(text) as Written)), null, 2)}\n`,
        ),
      )
    const body = (more: Partial<Written['body']>) => (receipt: Written) => {
      const own = { ...receipt.body, ...more }
      return { ...receipt, body: own, hash: hashOf(own) }
    }
    const { body: before } = JSON.parse(files.get(path)!) as Written
    const cheaper = before.periods.map(each => ({ ...each, priceAfter: '1.00' }))
    for (const [how, archive, words] of [
      ['its net', changed(body({ net: '-25.00', parts: ['-25.00'] })), /net: -25\.00 is not the sum of its lines/],
      ['its price', changed(body({ periods: cheaper })), /2024-Q2: its price is not among the corrected prices/],
      ['what was signed', changed(body({ reason: 'another' })), /signed another|another hash|other hash/],
      [
        'who signed',
        changed(receipt => ({
          ...receipt,
          signatures: receipt.signatures.map((each, i) => (i === 0 ? { ...each, signedBy: 'mal@ory.test' } : each)),
        })),
        /the signature of mal@ory\.test for the \w+ under the correction \w+ is in the package, but not in the chain/,
      ],
      [
        'one signature',
        changed(receipt => ({ ...receipt, signatures: receipt.signatures.slice(0, 1) })),
        /it is said to be AGREED, and 1 have signed it/,
      ],
    ] as const)
      await expectRefused(archive, words, how)
    const unsealed = withFile(path, text => text.replace(emails.buyer, 'mal@ory.test'))
    await expectRefused(forged(unsealed), new RegExp(`${agreed}: `), 'its own seal')
  })
})

describe('a package without one of its lists, sealed again', () => {
  const problemsWithout = async (start: string) => {
    const rest = new Map([...files].filter(([path]) => !path.startsWith(start)))
    const archive = new Uint8Array(writeZip(entriesOf(sealedAgain(rest, seal))))
    const { parts, isGood } = await checkPackageFile(archive, { subtle: crypto.subtle, trustedKeys: null })
    expect(isGood).toBe(false)
    return parts.flatMap(({ title, problems }) => problems.map(each => `${title}: ${each}`))
  }

  test('says that the corrections are missing, and which its chain names', async () => {
    const problems = await problemsWithout('corrections')
    expect(problems).toContain('Every correction: corrections.json is missing')
    expect(problems).toContain('Tables: corrections.csv does not follow from the receipts')
    for (const id of [agreed, refused])
      expect(problems).toContain(`The part of the chain: the correction ${id} is in the chain, but not in the package`)
  })

  test('does not show what is settled', async () => {
    expect(await problemsWithout('settled.csv')).toEqual(['Tables: settled.csv does not follow from the receipts'])
  })
})
