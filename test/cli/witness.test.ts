// `witness serve` and `witness pull`, as somebody runs them who has nothing of ours but the program.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readNoteKey } from '../../src/core/proof/note-key.ts'
import { checkNote } from '../../src/core/proof/note-signature.ts'
import { readNote } from '../../src/core/proof/signed-note.ts'
import { processEnv, program } from '../support/clients/command-output.ts'
import { runCommand } from '../support/houses/command-house.ts'
import { SmallLog } from '../support/proof/small-log.ts'

let folder = ''
let shown = SmallLog.withLeaves(300)
const first = shown
const server = createServer((request, response) => {
  const found = shown.serve(request.url!.slice('/log/'.length))
  response.writeHead(found === null ? 404 : 200).end(found ?? '')
})
let url = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assize-pull-'))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/log`
})
afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true })
})

describe('witness pull', () => {
  const pull = (...words: string[]) => {
    const state = ['--state', join(folder, 'pulling'), '--log', first.vkey, '--name', 'supplier.example/w']
    return runCommand(['witness', 'pull', url, ...state, ...words], {})
  }

  test('signs the checkpoint of a log that has grown, in a file', async () => {
    const out = join(folder, 'checkpoint')
    expect(await pull('--out', out)).toMatchObject({ status: 0, out: expect.stringMatching(/from 0 to 300 leaves/) })
    shown = first.grown(400)
    expect(await pull('--out', out)).toMatchObject({ status: 0, out: expect.stringMatching(/from 300 to 700 leaves/) })
    const note = readNote(await readFile(out, 'utf8'))
    expect(note.text).toBe(shown.text)
    expect(note.signatures.map(({ name }) => name)).toEqual([first.origin, 'supplier.example/w'])
    const printed = await pull()
    expect(readNote(printed.out).text).toBe(shown.text)
    expect(JSON.parse((await pull('--json')).out)).toMatchObject({ origin: first.origin, size: 700, previous: 700 })
  })

  test('keeps both texts where a log contradicts itself, and signs nothing', async () => {
    const good = shown
    for (const [other, why] of [
      [good.grown(5).rewritten(100), /no proof that the tree of 705 leaves grew out of the one of 700/],
      [good.rewritten(650), /two trees of 700 leaves/],
      [first, /shows 300 leaves, and has shown 700/],
    ] as const) {
      shown = other
      const { status, err } = await pull()
      expect(status).toBe(1)
      expect(err).toMatch(why)
      const path = /both texts are in (\S+?):/.exec(err)![1]!
      const kept = await readFile(path, 'utf8')
      expect(kept).toContain(good.text)
      expect(kept).toContain(other.text)
    }
    shown = good
    expect((await pull()).status).toBe(0)
  })

  test('refuses a log with another key, tiles that are not those of the checkpoint, and a call that lacks something', async () => {
    const good = shown
    shown = SmallLog.withLeaves(3, first.origin)
    expect((await pull()).err).toMatch(/no known key/)
    const away = await runCommand(
      ['witness', 'pull', 'http://127.0.0.1:1/log', '--state', folder, '--log', first.vkey],
      {},
    )
    expect(away).toMatchObject({ status: 1, err: expect.stringMatching(/cannot be reached/) })
    expect((await runCommand(['witness', 'pull', url, '--log', first.vkey], {})).status).toBe(2)
    expect((await runCommand(['witness', 'pull', url, '--state', folder], {})).status).toBe(2)
    expect((await runCommand(['witness', 'pull', url, '--state', folder, '--log', 'x'], {})).err).toMatch(
      /name\+8 digits/,
    )
    const grown = good.grown(10)
    shown = Object.create(grown, {
      serve: {
        value: (path: string) => (path === 'checkpoint' ? grown.checkpoint : good.rewritten(0).grown(10).serve(path)),
      },
    })
    expect((await pull()).err).toMatch(/tiles .* are not those of its checkpoint/)
    shown = good
  })
})

test('witness serve says its address and its key, and answers until it is stopped', async () => {
  const words = ['witness', 'serve', '--state', join(folder, 'serving'), '--log', first.vkey, '--port', '0', '--json']
  const child = spawn(process.execPath, [program, ...words], { env: processEnv, stdio: ['ignore', 'pipe', 'pipe'] })
  let told = ''
  child.stderr.on('data', piece => {
    told += piece
  })
  const [printed] = (await once(child.stdout, 'data')) as [Buffer]
  const { address, key } = JSON.parse(printed.toString()) as { address: string; key: string }
  const response = await fetch(`${address}/add-checkpoint`, { method: 'POST', body: first.request(0) })
  const note = readNote(first.checkpoint + (await response.text()))
  expect(await checkNote(crypto.subtle, note, [readNoteKey(key)])).toMatchObject([{ verdict: 'holds' }])
  const refused = await fetch(`${address}/add-checkpoint`, { method: 'POST', body: first.grown(1).request(0) })
  expect([refused.status, await refused.text()]).toEqual([409, '300\n'])
  child.kill('SIGTERM')
  const [status] = (await once(child, 'exit')) as [number]
  expect(status).toBe(0)
  expect(told).toMatch(/signed prices\.example\.com\/log at 300 leaves/)
})
