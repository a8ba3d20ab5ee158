// What was signed under one key of the server and is shown under the next: receipts from before with slips of now, packages of now with
// checkpoints of before, and announcements in the log that somebody planted.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPublicLog } from '../../src/agreements/installation-log.ts'
import { Seal } from '../../src/agreements/seal.ts'
import { verifyChains } from '../../src/cli/verify/chain-verification.ts'
import { calledKey, formatAnnouncement } from '../../src/core/proof/key-announcement.ts'
import { leafHash } from '../../src/core/proof/merkle-hash.ts'
import { readNoteKey } from '../../src/core/proof/note-key.ts'
import { formatLogFile, type LogFile } from '../../src/formats/evidence/log-file.ts'
import { idOfSecret, KeyRing } from '../../src/storage/keys/key-ring.ts'
import { loadRing } from '../../src/storage/log/ring-state.ts'
import { withRing } from '../../src/storage/log/secret-check.ts'
import { openOwner } from '../../src/storage/postgres/database.ts'
import { makeAnnouncementProofs } from '../../src/storage/proof/announcements.ts'
import { LogKeys } from '../../src/storage/proof/log-keys.ts'
import { appendLog, beginLog, loadLastLeaves, logScope } from '../../src/storage/proof/log-state.ts'
import { findSignatureEntries } from '../../src/storage/proof/slip-entries.ts'
import { makeSlips } from '../../src/storage/proof/slips.ts'
import { rotateSecret } from '../../src/storage/rotation/rotation.ts'
import { growTree } from '../../src/storage/trees/tree-growth.ts'
import { packSealed, unpackEvidence } from '../support/files/evidence-package.ts'
import { disagreement, hasPython, secondVerdicts } from '../support/files/second-verifier.ts'
import { verifiedLines } from '../support/files/verified-lines.ts'
import { openApi, ownFolder } from '../support/houses/api.ts'
import type { Browser } from '../support/houses/console.ts'
import { agreement, type EvidenceSeats, openEvidenceSeats } from '../support/houses/evidence-seats.ts'
import { ownHouse } from '../support/houses/house.ts'
import { signedByOne } from '../support/proof/announced-log.ts'
import { openTestDatabase, testSecret } from '../support/run/postgres.ts'

const house = ownHouse(async () => {
  const api = await openApi(await openTestDatabase())
  return { api, close: () => api.close() }
})
const next = randomBytes(32).toString('base64url')
let folder = ''
let seats: EvidenceSeats
let receipts: readonly string[] = []
afterAll(() => rm(folder, { recursive: true, force: true }))

const write = async (name: string, content: string | Buffer) => {
  await writeFile(join(folder, name), content)
  return join(folder, name)
}

async function take(browser: Browser, path: string): Promise<Buffer> {
  const reply = await browser.get(path, { headers: { 'accept-encoding': 'identity' } })
  expect(reply.status, reply.text.slice(0, 200)).toBe(200)
  return reply.body
}

/** What both verifiers say. */
async function judged(path: string, ...words: readonly string[]) {
  const first = await verifiedLines(path, ...words)
  if (hasPython) expect(disagreement(first, secondVerdicts([{ path, words }])[0]!, false)).toBeNull()
  return first
}

async function problems(): Promise<readonly string[]> {
  const target = withRing(house.api.target, KeyRing.of([testSecret, next]))
  const { chains, log } = await verifyChains({ target, workspaceId: null })
  return [...chains, log!].flatMap(({ problem }) => (problem === null ? [] : [problem]))
}

beforeAll(async () => {
  const { api } = house
  folder = await mkdtemp(join(tmpdir(), 'assize-announced-'))
  seats = await openEvidenceSeats(api)
  const { owner } = seats.seats.as
  receipts = [
    await write('receipt.json', await take(owner, `/agreements/${agreement}/periods/2024-Q2/receipt`)),
    await write('correction.json', await take(owner, `/corrections/${seats.agreed}/receipt`)),
  ]
  // Checkpoints of the first key, which packages show later.
  await take(owner, `/agreements/${agreement}/evidence`)
  api.ring.list([testSecret, next])
  const ring = KeyRing.of([testSecret, next])
  const sql = openOwner(withRing(api.target, ring), { connections: 2 })
  const settings = { logName: null, dataFolder: ownFolder().ASSIZE_DATA }
  await loadRing(sql, ring)
  const publicLog = openPublicLog({ sql, ring }, settings, expect.unreachable)
  const verify = async () => (await problems()).filter(problem => !problem.includes('key_ring'))
  await rotateSecret({ owner: sql, ring, publicLog, verify, who: 'operator', isLeaked: false, report: () => {} })
  await sql.end()
  await loadRing(api.owner, api.ring)
})

describe('after another key was announced', () => {
  test('a receipt from before counts with its slips and the published keys, and not without', async () => {
    const { api } = house
    const { id } = seats.seats.tenant
    const published = await fetch(`${api.address}/.well-known/assize-keys.json`)
    const keys = await write('assize-keys.json', Buffer.from(await published.arrayBuffer()))
    const wanted = [
      await findSignatureEntries(api.sql, id, { subject: agreement, period: '2024-Q2' }),
      await findSignatureEntries(api.sql, id, { subject: seats.agreed, period: null }),
    ]
    for (const [at, receipt] of receipts.entries()) {
      const alone = await judged(receipt, '--trust', keys)
      expect([alone.status, alone.lines[0]]).toEqual([1, expect.stringContaining('is not shown by the receipt alone')])
      const slips = await makeSlips(
        api.sql,
        new LogKeys(api.ring),
        id,
        wanted[at]!.map(seq => ({ seq, hasContent: true })),
      )
      const proofs = [...slips, ...(await makeAnnouncementProofs(api.sql, id))]
      const file = await write(`slips-${at}.txt`, proofs.join(''))
      const { status, lines } = await judged(receipt, '--trust', keys, '--slip', file)
      expect([status, lines[0]]).toEqual([0, expect.stringMatching(/^same: /)])
      expect(lines.filter(line => line.includes(`which announced the next key (slips-${at}.txt)`))).toHaveLength(2)
      expect((await judged(file, '--trust', keys)).status).toBe(0)
    }
  })

  test('a package shows checkpoints of both keys, and refuses announcements that are planted', async () => {
    const { as } = seats.seats
    const archive = await take(as.owner, `/agreements/${agreement}/evidence`)
    const seal = new Seal(house.api.ring)
    const { files } = unpackEvidence(archive)
    const file = JSON.parse(files.get('log.json')!) as LogFile
    const [announcement] = file.announcements!
    expect(file.earlier.length).toBeGreaterThan(0)
    expect((await judged(await write('package.zip', archive))).status).toBe(0)
    const keys = new LogKeys(house.api.ring)
    const [first, second] = [testSecret, next].map(secret => keys.signerOf(file.origin, idOfSecret(secret)))
    const stranger = new LogKeys(KeyRing.of(['a'.repeat(43)])).signerOf(file.origin)
    const seals = { previousSeal: 'A'.repeat(43), nextSeal: 'B'.repeat(43) }
    const refused: readonly (readonly [announcements: LogFile['announcements'], why: string])[] = [
      [[{ ...announcement!, leaf: signedByOne(announcement!.leaf, 0) }], 'it is not in the tree of its checkpoint'],
      [[{ ...announcement!, index: announcement!.index - 1 }], 'it is not in the tree of its checkpoint'],
      [
        [announcement!, { ...announcement!, leaf: formatAnnouncement(first!, second!, seals) }],
        'it is not in the tree',
      ],
      [[{ ...announcement!, leaf: formatAnnouncement(first!, stranger, seals) }], 'it is not in the tree'],
      [[], 'is not signed by the log'],
    ]
    for (const [announcements, why] of refused) {
      const log = formatLogFile({ ...file, announcements: announcements! })
      const changed = packSealed(new Map([...files, ['log.json', log]]), seal)
      const { status, lines } = await judged(await write('planted.zip', changed))
      expect([status, lines[0]]).toEqual([1, expect.stringContaining(why)])
      expect(lines[0]).toMatch(/^refused: The log: /)
    }
    const others = { ...file, keys: [writeKeyOf(stranger)] }
    const renamed = packSealed(new Map([...files, ['log.json', formatLogFile(others)]]), seal)
    expect((await judged(await write('renamed.zip', renamed))).lines[0]).toBe(
      `refused: The log: leaf ${announcement!.index}: it announces the key ${calledKey(second!.key)}, and the log is signed by ${calledKey(stranger.key)}`,
    )
  })

  test('verify --chain refuses an announcement that one key signed, or a stranger, or that ends a key twice', async () => {
    const { api } = house
    expect(await problems()).toEqual([])
    const [row] = await api.owner<{ number: number; entry: string; hash: Buffer }[]>`
      select number, entry, hash from log_leaf where starts_with(entry, 'assize-key/1')`
    const { number, entry, hash } = row!
    const rewrite = (text: string, digest: Uint8Array) =>
      api.owner.begin(async tx => {
        await tx`alter table log_leaf disable trigger user`
        await tx`update log_leaf set entry = ${text}, hash = ${Buffer.from(digest)} where number = ${number}`
        await tx`alter table log_leaf enable trigger user`
      })
    const [first, second] = entry
      .split('\n')
      .slice(1, 3)
      .map(line => calledKey(readNoteKey(line)))
    for (const [place, missing] of [
      [0, second],
      [1, first],
    ] as const) {
      const text = signedByOne(entry, place)
      await rewrite(text, leafHash(Buffer.from(text)))
      expect(await problems()).toEqual([`leaf ${number}: it is not signed by ${missing}`])
    }
    await rewrite(entry, hash)
    expect(await problems()).toEqual([])
    const keys = new LogKeys(api.ring)
    const origin = openPublicLog(api, { logName: null, dataFolder: folder }, expect.unreachable).name
    const old = keys.signerOf(origin, idOfSecret(testSecret))
    const stranger = new LogKeys(KeyRing.of(['a'.repeat(43)])).signerOf(origin)
    const seals = { previousSeal: 'A'.repeat(43), nextSeal: 'B'.repeat(43) }
    // As somebody can who has the secret of now: the tree and how it stands fit.
    const sql = openOwner(api.target, { connections: 1 })
    const plant = (leaf: string) =>
      sql.begin(async tx => {
        const state = (await beginLog(tx, api.ring))!
        const digest = leafHash(Buffer.from(leaf))
        const { size } = state.tree
        const tree = await growTree(tx, logScope, state.tree, Buffer.from(digest), count =>
          loadLastLeaves(tx, size, count),
        )
        await appendLog(tx, api.ring, [{ entry: leaf, hash: digest, head: null }], { ...state, tree })
        return size
      })
    const twice = await plant(formatAnnouncement(old, stranger, seals))
    await sql.end()
    expect(await problems()).toEqual([
      `leaf ${twice}: it ends the key ${first}, and since leaf ${number} the key of the log is ${second}`,
    ])
  })
})

function writeKeyOf({ key }: ReturnType<LogKeys['signerOf']>): string {
  return new LogKeys(KeyRing.of(['a'.repeat(43)])).vkeyOf(key.name)
}
