// Loads the lists of one workspace, alone in a process, and prints the bytes they take: the live heap after a garbage
// collection, with and without them. Run with --expose-gc.
import { setTimeout } from 'node:timers/promises'
import { Seal } from '../../src/agreements/seal.ts'
import { Library } from '../../src/read/library.ts'
import { CachedIndex } from '../../src/read/lists/cached-index.ts'
import { withWorkspace } from '../../src/storage/postgres/database.ts'
import { loadVisibleSeries } from '../../src/storage/series/series.ts'
import { Installation } from '../../src/storage/upkeep/installation.ts'

const [dataFolder, workspaceId, what] = process.argv.slice(2) as [string, string, 'series' | 'agreements']
const installation = await Installation.open({ dataFolder, databaseUrl: null, secrets: null })
const { sql } = installation
const readSeries = () => withWorkspace(sql, workspaceId, tx => loadVisibleSeries(tx, workspaceId), 'snapshot')
const trust = { seals: new Seal(installation.ring).rows, report: () => {} }
const openLibrary = () => new Library(sql, 4 * 1024 ** 3, trust)

/** Series alone, by id and by name. */
const makeSeries = async () => new CachedIndex(workspaceId, await readSeries(), [], null)

/** Everything: agreements as well, and which series they read. */
const makeAll = async () => {
  const library = openLibrary()
  const index = await library.index(workspaceId)
  await library.readers(workspaceId, index)
  return index
}

try {
  // Once beforehand, because the first use of anything leaves something in memory.
  await makeAll()
  const series = await bytesOf(makeSeries)
  const all = await bytesOf(makeAll)
  const bytes = what === 'series' ? series.bytes : all.bytes - series.bytes
  const count = what === 'series' ? all.made.series.length : all.made.agreements.length
  process.stdout.write(JSON.stringify({ bytes, count }))
} finally {
  await installation.close()
}

async function bytesOf<T>(make: () => Promise<T>): Promise<{ readonly made: T; readonly bytes: number }> {
  const before = await heapBytes()
  const made = await make()
  return { made, bytes: (await heapBytes()) - before }
}

/** Over several turns of the loop: what a promise refers to is released in the next one. */
async function heapBytes(): Promise<number> {
  for (let i = 0; i < 4; i++) {
    await setTimeout(20)
    globalThis.gc!()
  }
  return process.memoryUsage().heapUsed
}
