// What others vouch for: the public log of a real installation, a real witness and an authority that stamps.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatAddCheckpoint } from '../../src/core/proof/add-checkpoint.ts'
import { formatCheckpoint } from '../../src/core/proof/checkpoint.ts'
import { readNoteKey } from '../../src/core/proof/note-key.ts'
import { checkNote, signNote } from '../../src/core/proof/note-signature.ts'
import { readNote } from '../../src/core/proof/signed-note.ts'
import { isStampOf, readStamp } from '../../src/core/proof/time-stamp.ts'
import { instantOfMicros } from '../../src/core/time/instant.ts'
import { type AnchorContext, anchorOnce } from '../../src/proof/anchors.ts'
import { openAsk } from '../../src/proof/bounded-request.ts'
import { loadAnchorHealth } from '../../src/storage/proof/anchors.ts'
import { loadStamps } from '../../src/storage/proof/checkpoints.ts'
import { loadCheckpointFile } from '../../src/storage/proof/log-files.ts'
import { LogKeys } from '../../src/storage/proof/log-keys.ts'
import { NewestCheckpoint } from '../../src/storage/proof/newest-checkpoint.ts'
import { PublicLog } from '../../src/storage/proof/public-log.ts'
import { readWitnessIds } from '../../src/views/sight/witnesses.ts'
import { ownHouse } from '../support/houses/house.ts'
import { makeSeries, makeWorkspace } from '../support/houses/workspace.ts'
import { PlainTree, plainLeaf } from '../support/proof/plain-tree.ts'
import { startPlainWitness } from '../support/proof/plain-witness.ts'
import { startTimeAuthority, type TimeAuthority } from '../support/proof/time-authority.ts'
import { makeTestRing, openTestDatabase } from '../support/run/postgres.ts'

const db = ownHouse(openTestDatabase)
const origin = 'assize/anchored'
let folder = ''
let authority: TimeAuthority
let stopWitness: () => Promise<void>
let witnessKey = ''
let witnessUrl = ''
let parts: AnchorContext
let laterHours = 0
const asked: string[] = []
const lines: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assize-anchors-'))
  authority = await startTimeAuthority()
  const publicLog = new PublicLog({
    sql: db.sql,
    keys: new LogKeys(makeTestRing()),
    name: origin,
    kept: new NewestCheckpoint(folder),
    report: problem => lines.push(`report: ${problem}`),
  })
  const watched = { vkey: publicLog.keys.vkeyOf(origin) }
  const witness = await startPlainWitness(watched, 'supplier.example/witness')
  const away = await startPlainWitness(watched, 'away.example/witness')
  await away.stop()
  ;({ vkey: witnessKey, url: witnessUrl, stop: stopWitness } = witness)
  const policy = [
    `witness supplier ${witnessKey} ${witnessUrl}`,
    `witness away ${away.vkey} http://127.0.0.1:1`,
    'group any-of any supplier away',
    'quorum any-of',
  ]
  const witnessesFile = join(folder, 'policy')
  await writeFile(witnessesFile, `${policy.join('\n')}\n`)
  const tell = (level: string) => (facts: object, message: string) =>
    void lines.push(`${level}: ${message} ${JSON.stringify(facts)}`)
  const ask = openAsk('assize tests', new AbortController().signal)
  parts = {
    sql: db.sql,
    publicLog,
    witnessesFile,
    timeAuthority: authority.url,
    ask: (url, request) => {
      asked.push(url)
      return ask(url, request)
    },
    log: { info: tell('info'), warn: tell('warn'), error: tell('error') },
    now: () => instantOfMicros((Date.now() + laterHours * 3_600_000) * 1000),
  }
})
afterAll(async () => {
  await Promise.all([stopWitness(), authority.stop()])
  await rm(folder, { recursive: true })
})

async function round(hours: number): Promise<{ asked: string[]; lines: string[] }> {
  laterHours = hours
  await anchorOnce(parts)
  return { asked: asked.splice(0), lines: lines.splice(0) }
}

const toWitness = (urls: readonly string[]) => urls.filter(url => url.endsWith('/add-checkpoint'))

test('a log that has not begun is shown to nobody', async () => {
  expect(await round(0)).toEqual({ asked: [], lines: [] })
})

test('the newest checkpoint is cosigned and stamped, and who is away is a warning', async () => {
  const { id } = await makeWorkspace(db)
  await makeSeries(db.sql, id, 'one')
  const first = await round(0)
  expect(toWitness(first.asked)).toHaveLength(2)
  expect(first.lines.filter(line => line.startsWith('warn'))).toEqual([
    expect.stringMatching(/a witness did not sign.*"away".*cannot be reached/),
  ])
  const note = readNote((await loadCheckpointFile(db.sql))!)
  expect(await checkNote(crypto.subtle, note, [readNoteKey(witnessKey)])).toMatchObject([{ verdict: 'holds' }])
  const [stamp] = await loadStamps(db.sql, origin, 0, 100)
  expect(stamp).toMatchObject({ authority: authority.host })
  expect(isStampOf(readStamp(Uint8Array.from(stamp!.token))!, note.text)).toBe(true)
  const ids = (await readWitnessIds(parts.witnessesFile))!
  expect(await loadAnchorHealth(db.sql, ids)).toMatchObject({
    witnesses: [
      { witness: expect.stringMatching(/^away\.example\/witness\+/) },
      { witness: expect.stringMatching(/^supplier\.example\/witness\+/), seconds: 0 },
    ],
    stampSeconds: expect.any(Number),
  })
  // One that is taken out of the policy is not waited for; while the policy cannot be read, all that ever signed are.
  expect(await loadAnchorHealth(db.sql, await readWitnessIds(null))).toMatchObject({ witnesses: [] })
  const unread = await readWitnessIds(join(folder, 'missing'))
  expect(await loadAnchorHealth(db.sql, unread)).toMatchObject({ witnesses: [{ witness: ids[0] }] })
})

/** For how long the witness is behind, had the checkpoints been made so much earlier. */
async function lagAfterHours(hours: number): Promise<number> {
  let seconds = Number.NaN
  const undone = new Error('undone')
  const look = db.owner.begin(async tx => {
    await tx`set local session_replication_role = replica`
    await tx`update log_checkpoint set made_at = made_at - make_interval(hours => ${hours})`
    seconds = (await loadAnchorHealth(tx, null)).witnesses[0]!.seconds
    throw undone
  })
  await expect(look).rejects.toBe(undone)
  return seconds
}

test('a witness is asked once an hour and an authority once a day, and only for what has grown', async () => {
  const { id } = await makeWorkspace(db)
  // Nothing has grown: only who has not signed yet is asked.
  expect(toWitness((await round(30)).asked)).toEqual(['http://127.0.0.1:1/add-checkpoint'])
  await makeSeries(db.sql, id, 'two')
  expect(toWitness((await round(0)).asked)).toEqual(['http://127.0.0.1:1/add-checkpoint'])
  await expect(lagAfterHours(3)).resolves.toBeGreaterThanOrEqual(3 * 3600)
  const hourLater = await round(2)
  // Whoever has signed the newest is not behind, however long nothing grows.
  await expect(lagAfterHours(3)).resolves.toBe(0)
  expect(toWitness(hourLater.asked)).toHaveLength(2)
  expect(hourLater.asked).not.toContain(authority.url)
  expect(await db.owner`select size from log_cosignature order by size`).toMatchObject([{ size: 1 }, { size: 2 }])
  authority.fault = 'refused'
  expect((await round(30)).lines.join()).toMatch(/warn: no time stamp was obtained.*status 2/)
  authority.fault = null
})

test('a policy that cannot be read is a warning, and stamps do not wait for it', async () => {
  const good = parts
  parts = { ...good, witnessesFile: join(folder, 'missing') }
  const told = await round(40)
  parts = good
  expect(told.lines.join()).toMatch(/warn: witnesses could not be asked.*ENOENT/)
  expect(told.asked).toEqual([authority.url])
})

test('a witness that tells the size it knows is asked once more, and one that has signed more than there is stops the log', async () => {
  await db.owner.begin(async tx => {
    await tx`set local session_replication_role = replica`
    await tx`delete from log_cosignature`
  })
  expect(toWitness((await round(0)).asked)).toHaveLength(3)
  expect(await db.owner`select size from log_cosignature`).toMatchObject([{ size: 2 }])

  // As after a restore from an older backup: the witness alone remembers what was signed with our key.
  const leaves = await db.owner<{ hash: Buffer }[]>`select hash from log_leaf order by number`
  const more = [...leaves.map(({ hash }) => hash), ...Array.from({ length: 5 }, (_, at) => plainLeaf(Buffer.of(at)))]
  const tree = new PlainTree(more)
  const text = formatCheckpoint({ origin, size: more.length, root: tree.root(), extensions: [] })
  const signatures = [signNote(parts.publicLog.keys.signerOf(origin), text, 0)]
  const body = formatAddCheckpoint({ old: 2, proof: tree.consistency(2, more.length), note: { text, signatures } })
  expect(await parts.ask(`${witnessUrl}/add-checkpoint`, { method: 'POST', body })).toMatchObject({ status: 200 })

  const { id } = await makeWorkspace(db)
  await makeSeries(db.sql, id, 'three')
  const told = await round(2)
  expect(told.lines.join()).toMatch(/error: a witness has seen another history.*7 leaves, ours has 3/)
  const stopped = await round(4)
  expect(stopped.asked).toEqual([])
  expect(stopped.lines.join()).toMatch(
    /nothing is signed.*supplier\.example\/witness has seen a checkpoint of 7 leaves/,
  )
})
