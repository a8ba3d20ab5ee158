// Witnesses answer the points of C2SP `tlog-witness` alike, and our client gets along with each: the plain one of the tests, and in
// the long form a stock one.
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { ReadTiles } from '../../src/core/proof/merkle-proof.ts'
import { readNoteKey } from '../../src/core/proof/note-key.ts'
import { checkNote } from '../../src/core/proof/note-signature.ts'
import { readNote } from '../../src/core/proof/signed-note.ts'
import { tilePath } from '../../src/core/proof/tile.ts'
import { askWitnesses } from '../../src/proof/ask-witnesses.ts'
import { openAsk } from '../../src/proof/bounded-request.ts'
import { startPlainWitness } from '../support/proof/plain-witness.ts'
import { SmallLog } from '../support/proof/small-log.ts'
import { type StockWitness, stockWitnesses } from '../support/proof/stock-witnesses.ts'
import { onlyLong } from '../support/run/long-form.ts'

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

const plain: StockWitness = {
  name: 'a plain one of the tests',
  makeLog: leaves => SmallLog.withLeaves(leaves),
  start: log => startPlainWitness(log),
}
const isStockTried = onlyLong(
  'stock-witness',
  'a witness that others have written, where sigsum-witness (Debian: sigsum-go) is on the PATH',
)
const stock = isStockTried ? stockWitnesses() : []
if (isStockTried && stock.length === 0)
  console.log('no stock witness was tried: sigsum-witness and sigsum-key (Debian: sigsum-go) are not on the PATH')

const ask = openAsk('assize tests', new AbortController().signal)

async function post(url: string, body: string) {
  const { status, type, bytes } = await ask(`${url}/add-checkpoint`, { method: 'POST', body })
  return { status, type, body: bytes.toString('utf8') }
}

describe.each([plain, ...stock])('a witness ($name)', ({ makeLog, start }) => {
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
    expect([409, 422]).toContain(await statusOf(log.rewritten(3).request(5, [])))
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
