// F15: keys are issued and used against a server in its own process, correctly, incorrectly and in the wrong places. Then
// everything that remains is searched for them: the tables, the files of the database, the logs, and the text of the
// process's heap.
import { createReadStream } from 'node:fs'
import { mkdtemp, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createBackup } from '../../src/storage/upkeep/backup.ts'
import { readFrames } from '../../src/storage/upkeep/backup-format.ts'
import { revokeApiKey } from '../../src/storage/workspaces/api-keys.ts'
import type { HttpClient } from '../support/clients/http-client.ts'
import { type Api, openApi } from '../support/houses/api.ts'
import type { LongRun } from '../support/run/long-form.ts'
import { Chance } from './chance.ts'
import type { FolderGround } from './grounds.ts'
import { type ServedProcess, serveFolder } from './served-process.ts'

/** Uses a key in one of the ways people do. */
async function use(client: HttpClient, key: string, chance: Chance): Promise<void> {
  const headers = { authorization: `Bearer ${key}` }
  const ways = [
    () => client.ask('/v1/series', { headers }),
    () => client.ask('/v1/pams?limit=x', { headers }),
    () => client.ask(`/v1/series?cursor=${key}`, { headers }),
    () => client.ask(`/v1/series/${key}/values`, { headers }),
    () => client.ask(`/v1/series?key=${key}`),
    () => client.ask('/v1/series', { headers: { authorization: key } }),
    () => client.ask('/v1/series', { headers: { authorization: `bearer ${key}` } }),
    () => client.ask('/v1/series', { headers: { 'x-api-key': key, cookie: `key=${key}` } }),
    () => client.ask(`/${key}`),
    () =>
      client.ask('/v1/series', {
        method: 'POST',
        headers: { ...headers, 'content-length': String(key.length) },
        body: key,
      }),
  ]
  await ways[0]!()
  await chance.pick(ways)()
}

/** Which of the keys are in a text, with or without their prefix, in one pass. */
export class Search {
  /** What follows the prefix. */
  readonly #secrets: ReadonlySet<string>
  /** Where, and the text before it. */
  readonly found: string[] = []

  constructor(keys: readonly string[]) {
    this.#secrets = new Set(keys.map(key => key.slice(prefixLength)))
  }

  /** Letters in a row as long as a secret cannot lie between two bytes that are a secret's length apart. */
  look(place: string, text: string | Buffer): void {
    const bytes = typeof text === 'string' ? Buffer.from(text, 'latin1') : text
    for (let i = secretLength - 1; i < bytes.length; i += secretLength) {
      if (isLetter[bytes[i]!] === 0) continue
      let start = i
      while (start > 0 && isLetter[bytes[start - 1]!] === 1) start--
      let end = i + 1
      while (end < bytes.length && isLetter[bytes[end]!] === 1) end++
      if (end - start >= secretLength) this.#lookAtRun(place, bytes, start, end)
      i = end
    }
  }

  #lookAtRun(place: string, bytes: Buffer, start: number, end: number): void {
    const run = bytes.toString('latin1', start, end)
    for (let at = 0; at + secretLength <= run.length; at++)
      if (this.#secrets.has(run.slice(at, at + secretLength)))
        this.found.push(`${place}: ${JSON.stringify(bytes.toString('latin1', Math.max(0, start - 60), start + at))}`)
  }
}

/** By the byte: 1 for the letters and digits a key is made of. */
const isLetter = Uint8Array.from({ length: 256 }, (_, code) => (/[0-9A-Za-z]/.test(String.fromCharCode(code)) ? 1 : 0))
const prefixLength = 'asz_live_'.length
const secretLength = 38

function searchFile(search: Search, place: string, path: string): Promise<void> {
  return searchChunks(search, place, createReadStream(path, { highWaterMark: 4 * 1024 * 1024 }))
}

/** Everything in a backup, unpacked. */
async function* contentOf(backup: string): AsyncGenerator<Buffer> {
  for await (const frame of readFrames(backup))
    yield frame.kind === 'rows' ? frame.bytes : Buffer.from(JSON.stringify(frame))
}

async function searchChunks(search: Search, place: string, chunks: AsyncIterable<Buffer>): Promise<void> {
  let tail: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([tail, chunk])
    search.look(place, bytes)
    // Long enough for a key that is cut in two, too short for a whole one to be counted twice.
    tail = Buffer.from(bytes.subarray(1 - secretLength))
  }
}

async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => [])
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
}

/** The process writes its heap into the folder on request. */
async function takeHeapSnapshot(server: ServedProcess, folder: string): Promise<string> {
  server.signal('SIGUSR2')
  for (;;) {
    const name = (await readdir(folder)).find(each => each.endsWith('.heapsnapshot'))
    if (name !== undefined && (await endOf(join(folder, name))).trimEnd().endsWith('}')) return join(folder, name)
    await sleep(100)
  }
}

async function endOf(path: string): Promise<string> {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    const { buffer } = await handle.read({ position: Math.max(0, size - 8), length: 8 })
    return buffer.toString('latin1').replaceAll('\0', '')
  } finally {
    await handle.close()
  }
}

export interface SecretsReport {
  readonly keys: number
  readonly heapBytes: number
  /** Where a key was seen. */
  readonly hits: readonly string[]
}

async function issueAndUse(
  api: Api,
  server: ServedProcess,
  count: number,
  seed: number,
): Promise<{ keys: string[]; ids: string[] }> {
  const chance = new Chance(seed)
  const tenant = await api.tenant()
  const keys: string[] = []
  const ids: string[] = []
  for (let i = 0; i < count; i++) {
    const issued = await api.issueKey(tenant.id, null, `key ${i}`)
    keys.push(issued.key)
    ids.push(issued.id)
    await use(server.client, issued.key, chance)
    if (chance.chance(20)) await revokeApiKey(api.sql, tenant.id, issued.id)
  }
  return { keys, ids }
}

export async function searchForKeys(ground: FolderGround, { rounds, seed, say }: LongRun): Promise<SecretsReport> {
  const folder = await mkdtemp(join(tmpdir(), 'assize-secrets-'))
  const options = [
    '--heapsnapshot-signal=SIGUSR2',
    `--diagnostic-dir=${folder}`,
    '--heap-snapshot-string-limit=1000000',
  ]
  const api = await openApi({ ...ground, close: async () => {} }, { secret: ground.secret })
  const server = await serveFolder(ground.folder, { env: { LOG_LEVEL: 'trace' }, options })
  try {
    const { keys, ids } = await issueAndUse(api, server, rounds, seed)
    say(`${keys.length} keys issued and used`)
    const search = new Search(keys)
    const heap = await takeHeapSnapshot(server, folder)
    await searchFile(search, 'heap', heap)
    const heapText = await readFile(heap, 'latin1')
    // The ids of keys are not secret and are in memory: a snapshot without them would prove nothing.
    if (!ids.some(id => heapText.includes(id)))
      throw new Error('the heap snapshot does not show what the process holds')
    search.look('log', server.log())
    search.look('log', api.log.join('\n'))
    await createBackup(ground.owner, join(folder, 'backup'), null)
    await searchChunks(search, 'backup', contentOf(join(folder, 'backup')))
    await ground.owner`checkpoint`
    for (const path of await filesUnder(ground.folder))
      search.look(path, await readFile(path).catch(() => Buffer.alloc(0)))
    return { keys: keys.length, heapBytes: (await stat(heap)).size, hits: search.found }
  } finally {
    await server.stop()
    await api.close()
    await rm(folder, { recursive: true, force: true })
  }
}
