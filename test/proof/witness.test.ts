// Witnesses: ours and those of others answer the points of C2SP `tlog-witness` alike, and our client gets along with each.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { Witness } from '../../src/cli/witness/witness.ts'
import { startWitnessServer } from '../../src/cli/witness/witness-server.ts'
import { WitnessState } from '../../src/cli/witness/witness-state.ts'
import type { ReadTiles } from '../../src/core/proof/merkle-proof.ts'
import { readNoteKey, writeNoteKey } from '../../src/core/proof/note-key.ts'
import { checkNote } from '../../src/core/proof/note-signature.ts'
import { readNote } from '../../src/core/proof/signed-note.ts'
import { tilePath } from '../../src/core/proof/tile.ts'
import { askWitnesses } from '../../src/proof/ask-witnesses.ts'
import { openAsk } from '../../src/proof/bounded-request.ts'
import { type RunningWitness, startPlainWitness } from '../support/proof/plain-witness.ts'
import { SmallLog } from '../support/proof/small-log.ts'
import { type StockWitness, stockWitnesses } from '../support/proof/stock-witnesses.ts'

const folders: string[] = []
const running: { stop(): Promise<void> }[] = []

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'assize-witness-'))
  folders.push(folder)
  return folder
}

afterAll(async () => {
  await Promise.all(running.map(each => each.stop()))
  await Promise.all(folders.map(folder => rm(folder, { recursive: true })))
})

async function startOurs(log: SmallLog, folder: string): Promise<RunningWitness & { state: WitnessState }> {
  const state = await WitnessState.open(folder, 'supplier.example/witness')
  const witness = new Witness(state, [readNoteKey(log.vkey)], Date.now)
  const { address, stop } = await startWitnessServer(witness, { host: '127.0.0.1', port: 0 }, () => {})
  return { url: address, vkey: writeNoteKey(state.signer.key), stop, state }
}

const ours: StockWitness = { name: 'ours', makeLog: leaves => SmallLog.withLeaves(leaves), start: startOurs }
const model: StockWitness = { name: 'a model of the specification', makeLog: ours.makeLog, start: startPlainWitness }
const stock = stockWitnesses()
if (stock.length === 0) console.log('no stock witness on this machine: a model of the specification stands in for it')

const ask = openAsk('assize tests', new AbortController().signal)

async function post(url: string, body: string) {
  const { status, type, bytes } = await ask(`${url}/add-checkpoint`, { method: 'POST', body })
  return { status, type, body: bytes.toString('utf8') }
}

describe.each([ours, model, ...stock])('a witness ($name)', ({ name, makeLog, start }) => {
  test('signs a log that grows, and tells apart what it does not sign', async () => {
    const log = makeLog(5)
    const witness = await start(log, await newFolder())
    running.push(witness)
    const { url, vkey } = witness
    const statusOf = async (body: string) => (await post(url, body)).status
    expect(await statusOf(SmallLog.withLeaves(5, 'other.example').request(0))).toBe(404)
    expect(await statusOf(SmallLog.withLeaves(5, log.origin).request(0))).toBe(403)
    expect(await statusOf(log.request(0).replace(/\n— .*\n$/, '\n'))).toBe(400)
    expect(await statusOf('old five\n\n')).toBe(400)
    expect(await statusOf(log.request(7, []))).toBe(400)
    expect(await statusOf(log.request(0, [log.leaves[0]!]))).not.toBe(200)

    const first = await post(url, log.request(0))
    expect(first.status).toBe(200)
    const cosigned = readNote(log.checkpoint + first.body)
    const [checked] = await checkNote(crypto.subtle, cosigned, [readNoteKey(vkey)])
    expect(checked?.verdict).toBe('holds')

    const later = log.grown(8)
    expect(await post(url, later.request(0))).toMatchObject({ status: 409, type: 'text/x.tlog.size', body: '5\n' })
    expect(await post(url, later.request(4))).toMatchObject({ status: 409, body: '5\n' })
    expect(await statusOf(later.request(5, later.tree.consistency(5, 13).reverse()))).toBe(422)
    expect(await statusOf(later.rewritten(3).request(5))).toBe(422)
    expect(name === 'ours' ? [409] : [409, 422]).toContain(await statusOf(log.rewritten(3).request(5, [])))
    expect(await statusOf(log.request(5, []))).toBe(200)
    expect(await statusOf(later.request(5))).toBe(200)
    expect(await post(url, log.request(0))).toMatchObject({ status: 409, body: '13\n' })
  })

  test('is asked for its signature after every checkpoint, with the size that it tells', async () => {
    const log = makeLog(300)
    const witness = await start(log, await newFolder())
    running.push(witness)
    const listed = [{ name: 'W', key: readNoteKey(witness.vkey), url: witness.url }]
    const askFor = (of: SmallLog, last: number) =>
      askWitnesses(ask, listed, { note: of.checkpoint, readTiles: tilesOf(of), lastSize: () => last })
    const later = log.grown(290)
    for (const [of, last] of [
      [log, 0],
      [later, 300],
      [later, 0],
    ] as const) {
      const { cosignatures, troubles } = await askFor(of, last)
      expect(troubles).toEqual([])
      const note = readNote(of.checkpoint + cosignatures[0]!.line)
      expect(await checkNote(crypto.subtle, note, [listed[0]!.key])).toMatchObject([{ verdict: 'holds' }])
    }
    const rewritten = await askFor(later.grown(1).rewritten(200), 590)
    expect(rewritten).toMatchObject({ cosignatures: [], troubles: [{ witness: { name: 'W' }, isContradiction: true }] })
    const shorter = await askFor(log, 300)
    expect(shorter.troubles).toMatchObject([{ isContradiction: true, largerSize: 590 }])
    expect(name).not.toBe('')
  })
})

function tilesOf(log: SmallLog): ReadTiles {
  return async tiles => tiles.map(tile => log.serve(tilePath(tile)) as Buffer)
}

test('a witness that is away, slow to say anything sensible or false is trouble, and the others are asked all the same', async () => {
  const log = SmallLog.withLeaves(3)
  const good = await startPlainWitness(log)
  const false_ = await startPlainWitness(log)
  const nonsense = createServer((_, response) => response.writeHead(200).end('— nobody AAAAAAAAAAAA\n'))
  const moved = createServer((_, response) => response.writeHead(302, { location: good.url }).end())
  const endless = createServer((_, response) => {
    response.writeHead(200)
    const more = () => response.write(Buffer.alloc(1 << 20), error => error ?? more())
    more()
  })
  const urls = await Promise.all(
    [nonsense, moved, endless].map(async server => {
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    }),
  )
  const key = readNoteKey(good.vkey)
  const named = (name: string, url: string | null) => ({ name, key, url })
  const { cosignatures, troubles } = await askWitnesses(
    ask,
    [
      named('good', good.url),
      named('unlisted', null),
      named('false', false_.url),
      ...['nonsense', 'moved', 'endless'].map((name, at) => named(name, urls[at]!)),
      named('away', 'http://127.0.0.1:1'),
      named('misspelt', 'ftp://witness.example'),
    ],
    { note: log.checkpoint, readTiles: tilesOf(log), lastSize: () => 0 },
  )
  for (const server of [nonsense, moved, endless]) server.close().closeAllConnections()
  await Promise.all([good.stop(), false_.stop()])
  expect(cosignatures.map(({ witness }) => witness.name)).toEqual(['good'])
  const why = Object.fromEntries(troubles.map(trouble => [trouble.witness.name, trouble.why]))
  expect(why.false).toMatch(/without a signature of the key/)
  expect(why.nonsense).toMatch(/without a signature of the key/)
  expect(why.moved).toMatch(/redirects/)
  expect(why.endless).toMatch(/more than/)
  expect(why.away).toMatch(/cannot be reached/)
  expect(why.misspelt).toMatch(/not an http/)
  expect(troubles.some(({ isContradiction }) => isContradiction)).toBe(false)
})

test('a witness remembers after a restart, and of two processes with one folder one signs', async () => {
  const log = SmallLog.withLeaves(5)
  const folder = await newFolder()
  const first = await startOurs(log, folder)
  await post(first.url, log.request(0))
  await first.stop()
  const two = await Promise.all([startOurs(log, folder), startOurs(log, folder)])
  running.push(...two)
  expect(new Set(two.map(({ vkey }) => vkey))).toEqual(new Set([first.vkey]))
  const [one, other] = [log.grown(3), log.grown(4).rewritten(6)]
  const answers = await Promise.all([post(two[0].url, one.request(5)), post(two[1].url, other.request(5))])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const kept = (await readdir(folder, { recursive: true })).filter(path => path.endsWith('.checkpoint'))
  expect(kept).toHaveLength(2)
  await expect(WitnessState.open(folder, 'another.example')).rejects.toThrow(/is called supplier.example\/witness/)
})

test('a witness answers nothing but add-checkpoint, and no body that is too long', async () => {
  const { url } = await startOurs(SmallLog.withLeaves(1), await newFolder()).then(started => {
    running.push(started)
    return started
  })
  expect((await ask(`${url}/`)).status).toBe(404)
  expect((await ask(`${url}/add-checkpoint`)).status).toBe(405)
  const long = await ask(`${url}/add-checkpoint`, { method: 'POST', body: 'x'.repeat(600_000) }).catch(() => null)
  expect(long === null || long.status === 413).toBe(true)
})
