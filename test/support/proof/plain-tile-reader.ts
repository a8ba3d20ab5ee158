// Reads a tiled log as somebody would who has nothing but the text of C2SP `tlog-tiles`: every tile of every level and every
// bundle of a tree of some size, by path. It shares no code with `src/core/proof`.
import { PlainTree, plainLeaf } from './plain-tree.ts'

type FetchPath = (path: string) => Promise<Uint8Array | null>

function pathOf(level: string, index: number, width: number): string {
  let [rest, number] = [Math.floor(index / 1000), String(1000 + (index % 1000)).slice(1)]
  while (rest > 0) {
    number = `x${String(1000 + (rest % 1000)).slice(1)}/${number}`
    rest = Math.floor(rest / 1000)
  }
  return `tile/${level}/${number}${width === 256 ? '' : `.p/${width}`}`
}

async function readRow(fetchPath: FetchPath, level: string, count: number): Promise<Buffer[]> {
  const parts: Buffer[] = []
  for (let index = 0; index * 256 < count; index++) {
    const width = Math.min(256, count - index * 256)
    const path = pathOf(level, index, width)
    const bytes = await fetchPath(path)
    if (bytes === null) throw new Error(`${path} is missing`)
    if (level !== 'entries' && bytes.length !== width * 32) throw new Error(`${path} has ${bytes.length} bytes`)
    parts.push(Buffer.from(bytes))
  }
  return parts
}

function cut(bytes: Buffer): Buffer[] {
  return Array.from({ length: bytes.length / 32 }, (_, at) => bytes.subarray(32 * at, 32 * at + 32))
}

/** The tree with its leaves; throws at the first tile that is not what the level below it says. */
export async function readPlainTree(
  fetchPath: FetchPath,
  size: number,
): Promise<{ tree: PlainTree; leaves: Buffer[] }> {
  const leaves = cut(Buffer.concat(await readRow(fetchPath, '0', size)))
  const tree = new PlainTree(leaves)
  for (let level = 1; 256 ** level <= size; level++) {
    const hashes = cut(Buffer.concat(await readRow(fetchPath, String(level), Math.floor(size / 256 ** level))))
    for (const [at, hash] of hashes.entries())
      if (!tree.root(at * 256 ** level, (at + 1) * 256 ** level).equals(hash))
        throw new Error(`hash ${at} of level ${level} is not the root of what is below it`)
  }
  return { tree, leaves }
}

/** The entries of the log; throws at the first that is not the one its leaf says. */
export async function readPlainEntries(fetchPath: FetchPath, leaves: readonly Buffer[]): Promise<Buffer[]> {
  const bundles = Buffer.concat(await readRow(fetchPath, 'entries', leaves.length))
  const entries: Buffer[] = []
  for (let at = 0; at < bundles.length; ) {
    const end = at + 2 + bundles.readUInt16BE(at)
    const entry = bundles.subarray(at + 2, end)
    if (!leaves[entries.length]?.equals(plainLeaf(entry))) throw new Error(`entry ${entries.length} is not its leaf`)
    entries.push(entry)
    at = end
  }
  if (entries.length !== leaves.length) throw new Error(`${entries.length} entries instead of ${leaves.length}`)
  return entries
}
