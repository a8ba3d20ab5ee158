// The backups of a set as they build on each other: found from the newest backwards, each checked against the hash by which the next one
// names it. What is missing, damaged, moved or of another set is named, and nothing of the set is used.
import { createHash } from 'node:crypto'
import { Refusal } from '../../core/refusal.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { BackupStore } from './backup-store.ts'
import { broken, type KeptManifest, manifestName, numberOfManifest, readManifest } from './manifest.ts'

/** From one that has everything to the one that is wanted. */
type BackupChain = readonly [KeptManifest, ...KeptManifest[]]

/** Ascending. */
export async function listNumbers(store: BackupStore): Promise<readonly number[]> {
  const numbers = (await store.list()).map(({ name }) => numberOfManifest(name))
  return numbers.filter(number => number !== null).sort((a, b) => a - b)
}

interface SetEnd {
  readonly newest: number | null
  /** Null where there is none, or none that another can build on. */
  readonly last: KeptManifest | null
  readonly whyBroken: string | null
}

/** What the next backup comes after. One that cannot be restored is left alone: the next has everything. */
export async function readSetEnd(store: BackupStore): Promise<SetEnd> {
  const newest = (await listNumbers(store)).at(-1) ?? null
  if (newest === null) return { newest, last: null, whyBroken: null }
  try {
    return { newest, last: (await readChain(store, newest)).at(-1)!, whyBroken: null }
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error
    return { newest, last: null, whyBroken: error.message }
  }
}

/** The backups that one needs, by what is said about them and what is stored; their bytes are not read. */
async function readChain(store: BackupStore, number: number): Promise<BackupChain> {
  const stored = new Map((await store.list()).map(({ name, bytes }) => [name, bytes]))
  const chain: KeptManifest[] = []
  let wanted: { readonly number: number; readonly sha256: string | null } | null = { number, sha256: null }
  while (wanted !== null) {
    const name = manifestName(wanted.number)
    const after = chain[0]
    if (!stored.has(name))
      throw broken(store, name, `is missing${after ? `: ${manifestName(after.number)} builds on it` : ''}`)
    const manifest = await readManifest(store, wanted.number)
    if (wanted.sha256 !== null && manifest.sha256 !== wanted.sha256)
      throw broken(store, name, `is not the one that ${manifestName(after!.number)} builds on`)
    const { data, buildsOn } = manifest
    if (!stored.has(data.name)) throw broken(store, data.name, `is missing: ${name} needs it`)
    if (stored.get(data.name) !== data.bytes)
      throw broken(
        store,
        data.name,
        `has ${stored.get(data.name)} bytes, and ${name} says ${data.bytes}: it is damaged`,
      )
    if (buildsOn !== null && buildsOn.number >= manifest.number)
      throw broken(store, name, 'says that it builds on one that came after it')
    chain.unshift(manifest)
    wanted = buildsOn
  }
  return chain as readonly KeptManifest[] as BackupChain
}

/** Reads all of one's data and refuses bytes that are not those that were written. */
export async function checkData(
  store: BackupStore,
  { number, data }: KeptManifest,
  keep: (body: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  let found = ''
  await store.read(data.name, async body => {
    const hash = createHash('sha256')
    const hashed = async function* () {
      for await (const chunk of body) {
        hash.update(chunk)
        yield chunk
      }
    }
    await keep(hashed())
    found = hash.digest('hex')
  })
  if (found !== data.sha256)
    throw broken(store, data.name, `is damaged: its bytes are not those that ${manifestName(number)} names`)
}

export interface RestorePoint {
  /** The state to begin with. */
  readonly chain: BackupChain
  /** What was recorded after it, up to the instant, is in this one. `null` where the state is all that is wanted. */
  readonly next: KeptManifest | null
  /** After what is restored, somebody was erased: they are back. */
  readonly erasedSince: readonly Instant[]
}

/** The newest, or the last at or before the instant with what the next one knows beyond it. */
export async function findRestorePoint(store: BackupStore, until: Instant | null): Promise<RestorePoint> {
  const numbers = await listNumbers(store)
  const newest = numbers.at(-1)
  if (newest === undefined) throw new Refusal('not-found', `there is no backup in ${store.where}`)
  const last = await readManifest(store, newest)
  if (until === null || last.createdAt <= until)
    return { chain: await readChain(store, newest), next: null, erasedSince: [] }
  let next = last
  for (let at = numbers.length - 2; at >= 0; at--) {
    const found = await readManifest(store, numbers[at]!)
    if (found.createdAt > until) {
      next = found
      continue
    }
    if (found.number !== next.number - 1)
      throw broken(store, manifestName(next.number - 1), `is missing, and with it what was recorded until ${until}`)
    refuseBetween(found, next, until)
    return { chain: await readChain(store, found.number), next, erasedSince: last.erasures.filter(at => at > until) }
  }
  throw new Refusal('not-found', `the first backup in ${store.where} was made ${next.createdAt}, after ${until}`)
}

/** What cannot be continued from one backup towards the next. */
function refuseBetween(found: KeptManifest, next: KeptManifest, until: Instant): void {
  const states = `the states of ${found.createdAt} and ${next.createdAt} can be restored`
  const erased = next.erasures.slice(found.erasures.length).find(at => at <= until)
  if (erased !== undefined)
    throw new Refusal(
      'conflict',
      `somebody was erased ${erased}, and what is continued until ${until} is from before: it would name them again; ${states}`,
    )
  if (JSON.stringify(found.migrations) !== JSON.stringify(next.migrations))
    throw new Refusal('conflict', `the schema was brought up to date between two backups; ${states}`)
}
