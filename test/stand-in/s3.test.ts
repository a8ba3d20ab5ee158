// The bucket against the stand-in for S3: it says what it means under every trouble on the way, and never twice.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { resolveBySystem } from '../../src/outbound/address.ts'
import { guardedRequests } from '../../src/outbound/guarded-request.ts'
import { PrivateHosts } from '../../src/outbound/private-hosts.ts'
import { Bucket, type BucketOptions } from '../../src/outbound/s3/bucket.ts'
import { type S3Trouble, StandInS3 } from './s3.ts'

const storage = new StandInS3()
let address: string
let pauses: number[] = []
beforeAll(async () => {
  address = await storage.listen()
})
afterAll(() => storage.close())
beforeEach(() => {
  storage.objects.clear()
  Object.assign(storage, { troubles: [], hits: () => true })
  storage.asked.length = 0
  pauses = []
})

function open(changes: Partial<BucketOptions> = {}): Bucket {
  const privateHosts = new PrivateHosts(['127.0.0.1'])
  return new Bucket({
    ask: guardedRequests({ resolve: resolveBySystem, privateHosts, userAgent: 'test' }),
    endpoint: new URL(address),
    region: storage.region,
    bucket: storage.bucket,
    credentials: { keyId: storage.keyId, secret: storage.secret, sessionToken: null },
    pause: async ms => pauses.push(ms),
    ...changes,
  })
}

async function* chunks(...texts: readonly string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text)
}

async function readAll(bucket: Bucket, key: string): Promise<string> {
  let text = ''
  await bucket.read(key, async body => {
    text = ''
    for await (const chunk of body) text += chunk.toString()
  })
  return text
}

describe('a bucket', () => {
  test('writes, lists page by page, reads and removes objects, whatever signs are in their names', async () => {
    const bucket = open()
    const names = ['a/1', 'a/2 & 3', 'a/(4)*', "a/it's", 'a/ü', 'b/1']
    for (const name of names) expect(await bucket.write(name, chunks(name, '!'))).toBe(Buffer.byteLength(name) + 1)
    const found = await bucket.list('a/')
    expect(found.map(({ key }) => key).sort()).toEqual(names.slice(0, 5).sort())
    expect(await readAll(bucket, 'a/2 & 3')).toBe('a/2 & 3!')
    await bucket.remove('a/1')
    expect(storage.objects.has('a/1')).toBe(false)
    await expect(readAll(bucket, 'a/1')).rejects.toThrow('s3://backups/a/1: status 404, NoSuchKey: NoSuchKey & more')
  })

  test('never replaces an object, in one piece or in parts', async () => {
    const bucket = open({ partBytes: 4 })
    await bucket.write('x', chunks('abc'))
    for (const text of ['new', 'something longer'])
      await expect(bucket.write('x', chunks(text))).rejects.toThrow('s3://backups/x exists already')
    expect(storage.objects.get('x')!.body.toString()).toBe('abc')
    expect(storage.openUploads).toBe(0)
  })

  test('sends what is long in parts, and gives the upload up if its source breaks', async () => {
    const bucket = open({ partBytes: 4 })
    expect(await bucket.write('long', chunks('abcd', 'efghij', 'k'))).toBe(11)
    expect(storage.objects.get('long')!.body.toString()).toBe('abcdefghijk')
    const breaking = async function* () {
      yield Buffer.from('abcdefghi')
      throw new Error('the database went away')
    }
    await expect(bucket.write('broken', breaking())).rejects.toThrow('the database went away')
    expect([storage.openUploads, storage.objects.has('broken')]).toEqual([0, false])
  })

  test.each<[string, S3Trouble[], (method: string, target: string) => boolean]>([
    ['busy storage, twice', ['busy', 'busy'], () => true],
    ['a connection that is reset', ['reset'], () => true],
    ['an answer that is lost after the object was written', ['lost-answer'], method => method === 'PUT'],
    [
      'an error under a status of 200',
      ['error-in-200'],
      (method, target) => method === 'POST' && target.includes('uploadId'),
    ],
    [
      'an answer that is lost after the parts were put together',
      ['lost-answer'],
      (method, target) => method === 'POST' && target.includes('uploadId'),
    ],
  ])('writes through %s', async (_, troubles, hits) => {
    for (const [key, partBytes] of [
      ['one', 1000],
      ['parts', 4],
    ] as const) {
      Object.assign(storage, { troubles: [...troubles], hits })
      await open({ partBytes }).write(key, chunks('abcdefgh', 'ijkl'))
      expect(storage.objects.get(key)!.body.toString()).toBe('abcdefghijkl')
      expect(storage.openUploads).toBe(0)
    }
  })

  test('reads again from the beginning what came in half', async () => {
    const bucket = open()
    await bucket.write('x', chunks('0123456789'))
    storage.troubles = ['half', 'reset', 'half']
    expect(await readAll(bucket, 'x')).toBe('0123456789')
    expect(pauses).toEqual([200, 1_000, 3_000])
  })

  test('gives up after its last attempt, waits as long as it is asked to, and says what it was told', async () => {
    storage.troubles = Array.from({ length: 6 }, () => 'busy' as const)
    await expect(open().list('')).rejects.toThrow(
      's3://backups/ does not answer: status 503, SlowDown: SlowDown & more',
    )
    expect(pauses).toEqual([1_000, 1_000, 3_000, 9_000, 20_000])
  })

  test('tries nothing again that will stay wrong: a secret, an address that may not be asked', async () => {
    const credentials = { keyId: storage.keyId, secret: 'another', sessionToken: null }
    await expect(open({ credentials }).list('')).rejects.toThrow('s3://backups/: status 403, SignatureDoesNotMatch')
    const ask = guardedRequests({
      resolve: async () => [{ address: '10.0.0.1', family: 4 }],
      privateHosts: new PrivateHosts([]),
      userAgent: 'test',
    })
    await expect(open({ ask, endpoint: new URL('https://storage.example') }).list('')).rejects.toThrow(
      'is not a public address',
    )
    expect([storage.asked.length, pauses]).toEqual([1, []])
  })
})
