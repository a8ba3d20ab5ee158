// Trees, tiles and proofs against the published vectors of RFC 6962 and against a second implementation.
import { expect, test } from 'vitest'
import { readPlainEntries, readPlainTree } from '../../../test/support/proof/plain-tile-reader.ts'
import { PlainTree, plainLeaf, plainlyConsistent, plainlyIncluded } from '../../../test/support/proof/plain-tree.ts'
import { onlyLong, roundsOf, seedOr } from '../../../test/support/run/long-form.ts'
import { appendLeaf, emptyFrontier, rootOf } from './frontier.ts'
import { type Hash, leafHash } from './merkle-hash.ts'
import {
  isConsistent,
  proveConsistency,
  proveInclusion,
  type ReadTiles,
  readRoot,
  rootByInclusion,
} from './merkle-proof.ts'
import { fullTile, readBundle, readTilePath, tilePath, tileWidth, writeBundle } from './tile.ts'
import { emptyEdge, frontierOf, growEdge, rootOfEdge, type TileEdge } from './tile-edge.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** A stored tree: its full tiles by path, and its edge. */
function store(leaves: readonly Hash[], step = leaves.length): { edge: TileEdge; read: ReadTiles; asked: string[] } {
  const tiles = new Map<string, Uint8Array>()
  let edge = emptyEdge
  for (let at = 0; at < leaves.length; at += step) {
    const grown = growEdge(edge, leaves.slice(at, at + step))
    edge = grown.edge
    for (const { level, index, bytes } of grown.filled) tiles.set(`${level}/${index}`, bytes)
  }
  const asked: string[] = []
  const read: ReadTiles = async wanted =>
    wanted.map(tile => {
      asked.push(tilePath(tile))
      expect(tile.width).toBeGreaterThan(0)
      return tiles.get(`${tile.level}/${tile.index}`) ?? edge.tiles[tile.level]!
    })
  return { edge, read, asked }
}

// The test tree of Certificate Transparency, published with RFC 6962's first implementation.
const published = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f']
const publishedRoots = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]
const publishedLeaves = published.map(entry => leafHash(Buffer.from(entry, 'hex')))

test('the published trees have the published roots', async () => {
  for (const [size, root] of publishedRoots.entries()) {
    const leaves = publishedLeaves.slice(0, size)
    const { edge, read } = store(leaves)
    expect(hex(rootOf(leaves.reduce(appendLeaf, emptyFrontier)))).toBe(root)
    expect(hex(rootOfEdge(edge))).toBe(root)
    expect(hex(await readRoot(size, read))).toBe(root)
  }
})

test('the published proofs of inclusion and consistency are the ones that are made', async () => {
  const { read } = store(publishedLeaves)
  const inclusion = async (index: number, size: number) => (await proveInclusion(index, size, read)).map(hex)
  expect(await inclusion(0, 1)).toEqual([])
  expect(await inclusion(0, 8)).toEqual([
    '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
    '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
    '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
  ])
  expect(await inclusion(5, 8)).toEqual([
    'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  ])
  expect(await inclusion(2, 3)).toEqual(['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'])
  expect(await inclusion(1, 5)).toEqual([
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
    'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
  ])
  const consistency = async (earlier: number, size: number) => (await proveConsistency(earlier, size, read)).map(hex)
  expect(await consistency(1, 1)).toEqual([])
  expect(await consistency(1, 8)).toEqual([
    '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
    '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
    '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
  ])
})

const numbered = (count: number) => Array.from({ length: count }, (_, at) => plainLeaf(Buffer.from(`entry ${at}`)))

type Stored = ReturnType<typeof store>

async function compareInclusion(
  { read }: Stored,
  tree: PlainTree,
  leaves: readonly Hash[],
  index: number,
  size: number,
) {
  const proof = await proveInclusion(index, size, read)
  const root = tree.root(0, size)
  expect(proof.map(hex).join()).toBe(tree.inclusion(index, size).map(hex).join())
  const leaf = leaves[index]!
  expect(hex(rootByInclusion({ leaf, index, size }, proof)!)).toBe(hex(root))
  expect(plainlyIncluded(leaf, [index, size], proof, root)).toBe(true)
}

async function compareConsistency({ read }: Stored, tree: PlainTree, earlier: number, size: number) {
  const proof = await proveConsistency(earlier, size, read)
  const heads = [
    { size: earlier, root: tree.root(0, earlier) },
    { size, root: tree.root(0, size) },
  ] as const
  expect(proof.map(hex).join()).toBe(tree.consistency(earlier, size).map(hex).join())
  expect(isConsistent(...heads, proof)).toBe(true)
  expect(plainlyConsistent([earlier, heads[0].root], [size, heads[1].root], proof)).toBe(true)
}

test('proofs of all trees up to 300 leaves are those of a second implementation', async () => {
  const leaves = numbered(300)
  const tree = new PlainTree(leaves)
  const stored = store(leaves, 7)
  for (let size = 1; size <= 300; size++) {
    const places = onlyLong('properties', 'every leaf of trees up to 300 instead of two')
      ? Array.from({ length: size }, (_, at) => at)
      : [size - 1, ((size * 31 + 17) % 300) % size]
    for (const at of new Set(places)) {
      await compareInclusion(stored, tree, leaves, at, size)
      await compareConsistency(stored, tree, at + 1, size)
    }
  }
})

/** Numbers from 0 to below 1, equal in every run. */
function drawFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

test('random proofs of larger trees are those of a second implementation, from a few tiles each', async () => {
  const largest = 66_500
  const leaves = numbered(largest)
  const tree = new PlainTree(leaves)
  const stored = store(leaves, 999)
  const draw = drawFrom(seedOr(20_261_118))
  for (let round = 0; round < roundsOf('properties', 'proofs of larger trees', 20, 1_000); round++) {
    const size = 301 + Math.floor(draw() * (largest - 300))
    stored.asked.length = 0
    await compareInclusion(stored, tree, leaves, Math.floor(draw() * size), size)
    await compareConsistency(stored, tree, 1 + Math.floor(draw() * size), size)
    expect(stored.asked.length).toBeLessThan(12)
  }
})

test('a tree that grows by one is the tree that grows by many', () => {
  const leaves = numbered(600)
  const whole = store(leaves).edge
  expect(store(leaves, 1).edge).toEqual(whole)
  const frontier = leaves.reduce(appendLeaf, emptyFrontier)
  expect(frontierOf(whole)).toEqual(frontier)
  expect(hex(rootOf(frontier))).toBe(hex(new PlainTree(leaves).root()))
})

test('stored tiles are served to a reader that knows nothing but their specification', async () => {
  const entries = Array.from({ length: 1_300 }, (_, at) => Buffer.from(`entry ${at}`.repeat(at % 40)))
  const size = entries.length
  const { read } = store(entries.map(leafHash), 256)
  const fetchPath = async (path: string) => {
    const tile = readTilePath(path)
    if (tile === null || tile.width !== tileWidth(size, tile.level, tile.index)) return null
    if (tile.level === 'entries')
      return writeBundle(entries.slice(tile.index * fullTile, tile.index * fullTile + tile.width))
    const [bytes] = await read([{ ...tile, level: tile.level }])
    return bytes!
  }
  const { tree, leaves } = await readPlainTree(fetchPath, size)
  expect(hex(tree.root())).toBe(hex(await readRoot(size, read)))
  expect(await readPlainEntries(fetchPath, leaves)).toEqual(entries)
  expect(readBundle(writeBundle(entries.slice(0, 9))).map(hex)).toEqual(entries.slice(0, 9).map(hex))
})

test('a proof that was changed in any way proves nothing', async () => {
  const leaves = numbered(300)
  const tree = new PlainTree(leaves)
  const { read } = store(leaves)
  const [index, size, earlier] = [123, 300, 77]
  const inclusion = await proveInclusion(index, size, read)
  const root = hex(tree.root())
  const shown = (at: number, of: number, proof: Hash[], leaf: Hash = leaves[index]!) => {
    const found = rootByInclusion({ leaf, index: at, size: of }, proof)
    return found !== null && hex(found) === root
  }
  expect(shown(index, size, inclusion)).toBe(true)
  expect(shown(index + 1, size, inclusion)).toBe(false)
  expect(shown(index, 600, inclusion)).toBe(false)
  expect(shown(size, size, inclusion)).toBe(false)
  expect(shown(-1, size, inclusion)).toBe(false)
  expect(shown(0.5, size, inclusion)).toBe(false)
  expect(shown(index, size, inclusion.slice(1))).toBe(false)
  expect(shown(index, size, [...inclusion, inclusion[0]!])).toBe(false)
  expect(shown(index, size, inclusion, leaves[0])).toBe(false)
  const proof = await proveConsistency(earlier, size, read)
  const [before, after] = [
    { size: earlier, root: tree.root(0, earlier) },
    { size, root: tree.root() },
  ]
  expect(isConsistent(before, after, proof)).toBe(true)
  for (const at of proof.keys()) {
    const changed = proof.map((hash, place) => (place === at ? Uint8Array.from(hash, byte => byte ^ 1) : hash))
    expect(isConsistent(before, after, changed)).toBe(false)
    expect(isConsistent(before, after, proof.toSpliced(at, 1))).toBe(false)
  }
  expect(isConsistent(after, before, proof)).toBe(false)
  expect(isConsistent({ ...before, root: tree.root(0, earlier - 1) }, after, proof)).toBe(false)
  expect(isConsistent(before, { ...after, root: tree.root(0, 299) }, proof)).toBe(false)
  expect(isConsistent(before, { ...before, root: after.root }, [])).toBe(false)
  expect(isConsistent({ size: 0, root: after.root }, after, [])).toBe(false)
  expect(isConsistent({ size: 0, root: tree.root(0, 0) }, after, [])).toBe(true)
})

test('a tile has one path, and other spellings are none', () => {
  const paths = {
    'tile/0/000': { level: 0, index: 0, width: 256 },
    'tile/2/x001/x234/067': { level: 2, index: 1_234_067, width: 256 },
    'tile/63/999.p/255': { level: 63, index: 999, width: 255 },
    'tile/entries/x001/000.p/1': { level: 'entries', index: 1000, width: 1 },
  } as const
  for (const [path, tile] of Object.entries(paths)) {
    expect(tilePath(tile)).toBe(path)
    expect(readTilePath(path)).toEqual(tile)
  }
  const others = [
    'tile/0/0',
    'tile/00/000',
    'tile/64/000',
    'tile/0/x000/001',
    'tile/0/001/002',
    'tile/0/x001',
    'tile/0/000.p/256',
    'tile/0/000.p/0',
    'tile/0/000.p/01',
    'tile/data/000',
    '/tile/0/000',
    'tile/0/000/',
    'tile/0/x999/x999/x999/x999/x999/999',
  ]
  for (const path of others) expect(readTilePath(path), path).toBeNull()
})
