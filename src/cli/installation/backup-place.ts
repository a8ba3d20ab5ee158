// Where backups are kept, as it is typed: a folder, or s3:// with a bucket and what names begin with there.
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Config } from '../../config.ts'
import { Refusal } from '../../core/refusal.ts'
import { userAgent } from '../../ingest/open.ts'
import { AddressRefused, resolveBySystem } from '../../outbound/address.ts'
import { checkedAddress, guardedRequests } from '../../outbound/guarded-request.ts'
import { PrivateHosts } from '../../outbound/private-hosts.ts'
import { Bucket } from '../../outbound/s3/bucket.ts'
import { BackupFolder, type BackupStore } from '../../storage/backups/backup-store.ts'
import { readTextFile } from '../frame/files.ts'

/** Whether it names a set of backups; otherwise it is a file. */
export async function isSet(place: string): Promise<boolean> {
  return place.startsWith(scheme) || (await stat(place).catch(() => null))?.isDirectory() === true
}

const scheme = 's3://'

export async function openPlace(place: string, config: Config): Promise<BackupStore> {
  if (!place.startsWith(scheme)) return new BackupFolder(resolve(place))
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([!-~]*))?$/.exec(place) ?? []
  if (bucket === undefined)
    throw new Refusal('misuse', `a place in storage is such as s3://bucket/prefix, got ${JSON.stringify(place)}`)
  const prefix = path === '' || path.endsWith('/') ? path : `${path}/`
  return new BackupPrefix(await openBucket(bucket, config), prefix, place)
}

async function openBucket(bucket: string, { storage, privateHosts: listed, contact }: Config): Promise<Bucket> {
  const { keyId, region, sessionToken } = storage
  const secret =
    storage.secret ?? (storage.secretFile === null ? null : (await readTextFile(storage.secretFile)).trim())
  if (keyId === null || secret === null || secret === '')
    throw new Refusal(
      'invalid',
      's3:// needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_SECRET_ACCESS_KEY_FILE with the path of a file that has it',
    )
  const privateHosts = new PrivateHosts(listed)
  const ask = guardedRequests({ resolve: resolveBySystem, privateHosts, userAgent: userAgent(contact) })
  const endpoint = readEndpoint(storage.endpoint ?? `https://s3.${region}.amazonaws.com`, privateHosts)
  return new Bucket({ ask, endpoint, region, bucket, credentials: { keyId, secret, sessionToken } })
}

function readEndpoint(address: string, privateHosts: PrivateHosts): URL {
  try {
    return checkedAddress(address, privateHosts)
  } catch (error) {
    if (error instanceof AddressRefused) throw new Refusal('invalid', `ASSIZE_S3_ENDPOINT: ${error.message}`)
    throw error
  }
}

/** What begins so in a bucket. */
class BackupPrefix implements BackupStore {
  readonly where: string
  readonly #bucket: Bucket
  readonly #prefix: string

  constructor(bucket: Bucket, prefix: string, where: string) {
    this.#bucket = bucket
    this.#prefix = prefix
    this.where = where
  }

  async list(): ReturnType<BackupStore['list']> {
    const found = await this.#bucket.list(this.#prefix)
    return found.map(({ key, bytes }) => ({ name: key.slice(this.#prefix.length), bytes }))
  }

  read(name: string, take: (body: AsyncIterable<Buffer>) => Promise<void>): Promise<void> {
    return this.#bucket.read(this.#prefix + name, take)
  }

  write(name: string, body: AsyncIterable<Buffer>): Promise<number> {
    return this.#bucket.write(this.#prefix + name, body)
  }

  remove(name: string): Promise<void> {
    return this.#bucket.remove(this.#prefix + name)
  }

  pathOf(): null {
    return null
  }
}
