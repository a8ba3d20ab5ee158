// Proofs of RFC 6962, made from tiles and checked without them: inclusion of an entry in a tree, and consistency of a tree with
// an earlier one. Making a proof asks for all its tiles at once, so that a reader needs one query or one round of requests.
import { completeRoot, emptyRoot, foldRoots, type Hash, hashBytes, isSameHash, nodeHash } from './merkle-hash.ts'
import { fullTile, type Tile, tilePath, tileWidth } from './tile.ts'

/** The hashes of each tile, in the order asked for. A tile may be wider than asked: logs give up partial tiles that have become full. */
export type ReadTiles = (tiles: readonly Tile[]) => Promise<readonly Uint8Array[]>

/** The leaves from `from` to before `to`. */
interface Span {
  readonly from: number
  readonly to: number
}

/** One step on the way up: the hash beside the proven one, and its side. */
interface Step {
  readonly side: 'left' | 'right'
  readonly beside: Span
}

interface ProofPath {
  /** Steps from the bottom up. */
  readonly steps: readonly Step[]
  /** The span where the way begins. */
  readonly bottom: Span
}

/** The largest power of 2 that is less than `n`. */
function splitOf(n: number): number {
  let power = 1
  while (power * 2 < n) power *= 2
  return power
}

/** The way from the root down, as long as `turn` names a half: RFC 6962 writes both proofs by such a descent. */
function descend(size: number, turn: (split: number, span: Span) => 'left' | 'right' | 'stop'): ProofPath {
  const steps: Step[] = []
  let span: Span = { from: 0, to: size }
  while (span.to - span.from > 1) {
    const split = span.from + splitOf(span.to - span.from)
    const halves = { left: { from: span.from, to: split }, right: { from: split, to: span.to } }
    const half = turn(split, span)
    if (half === 'stop') break
    steps.push(half === 'left' ? { side: 'right', beside: halves.right } : { side: 'left', beside: halves.left })
    span = halves[half]
  }
  return { steps: steps.reverse(), bottom: span }
}

function wayOfInclusion(index: number, size: number): ProofPath {
  return descend(size, split => (index < split ? 'left' : 'right'))
}

function wayOfConsistency(earlier: number, size: number): ProofPath {
  return descend(size, (split, { to }) => (earlier === to ? 'stop' : earlier <= split ? 'left' : 'right'))
}

function isSize(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

export async function proveInclusion(index: number, size: number, readTiles: ReadTiles): Promise<Hash[]> {
  if (!isSize(index) || !isSize(size) || index >= size) throw new Error(`a tree of ${size} leaves has no leaf ${index}`)
  return hashSpans(
    wayOfInclusion(index, size).steps.map(({ beside }) => beside),
    size,
    readTiles,
  )
}

export async function proveConsistency(earlier: number, size: number, readTiles: ReadTiles): Promise<Hash[]> {
  if (!isSize(earlier) || !isSize(size) || earlier > size)
    throw new Error(`a tree of ${size} leaves did not grow out of one of ${earlier}`)
  if (earlier === 0 || earlier === size) return []
  const { steps, bottom } = wayOfConsistency(earlier, size)
  const spans = steps.map(({ beside }) => beside)
  // A checker has the root of the earlier tree already, if that is a complete subtree of the later one.
  return hashSpans(bottom.from === 0 ? spans : [bottom, ...spans], size, readTiles)
}

export async function readRoot(size: number, readTiles: ReadTiles): Promise<Hash> {
  const [root] = await hashSpans([{ from: 0, to: size }], size, readTiles)
  return root!
}

/** One of the complete subtrees of a span, as hashes of one tile. */
interface Piece {
  readonly tile: Tile
  readonly at: number
  readonly count: number
}

/** A span of a proof begins where a subtree of its size may begin, so its pieces are the digits of its length. */
function piecesOf({ from, to }: Span, size: number): Piece[] {
  const pieces: Piece[] = []
  for (let at = from; at < to; ) {
    let height = 0
    while (2 ** (height + 1) <= to - at) height++
    const level = Math.floor(height / 8)
    const first = at / fullTile ** level
    const index = Math.floor(first / fullTile)
    const tile = { level, index, width: tileWidth(size, level, index) }
    pieces.push({ tile, at: first % fullTile, count: 2 ** (height % 8) })
    at += 2 ** height
  }
  return pieces
}

async function hashSpans(spans: readonly Span[], size: number, readTiles: ReadTiles): Promise<Hash[]> {
  const pieces = spans.map(span => piecesOf(span, size))
  const tiles = new Map(pieces.flat().map(({ tile }) => [tilePath(tile), tile]))
  const bytes = tiles.size === 0 ? [] : await readTiles([...tiles.values()])
  const read = new Map([...tiles].map(([path, { width }], at) => [path, checkWidth(path, width, bytes[at])]))
  return pieces.map(ofSpan =>
    foldRoots(
      ofSpan.map(({ tile, at, count }) =>
        completeRoot(read.get(tilePath(tile))!.subarray(at * hashBytes, (at + count) * hashBytes)),
      ),
    ),
  )
}

function checkWidth(path: string, width: number, bytes: Uint8Array | undefined): Uint8Array {
  if (bytes === undefined || bytes.length < width * hashBytes)
    throw new Error(`${path} has ${bytes?.length ?? 0} bytes instead of ${width * hashBytes}`)
  return bytes
}

/** The root of the tree in which the leaf is, by that proof; null where the proof has another number of hashes. */
export function rootByInclusion(
  { leaf, index, size }: { leaf: Hash; index: number; size: number },
  proof: readonly Hash[],
): Hash | null {
  if (!isSize(index) || !isSize(size) || index >= size) return null
  const { steps } = wayOfInclusion(index, size)
  if (steps.length !== proof.length) return null
  return steps.reduce((root, { side }, at) => join(side, proof[at]!, root), leaf)
}

interface Head {
  readonly size: number
  readonly root: Hash
}

export function isConsistent(earlier: Head, later: Head, proof: readonly Hash[]): boolean {
  if (!isSize(earlier.size) || !isSize(later.size) || earlier.size > later.size) return false
  if (earlier.size === 0) return proof.length === 0 && isSameHash(earlier.root, emptyRoot)
  if (earlier.size === later.size) return proof.length === 0 && isSameHash(earlier.root, later.root)
  const { steps, bottom } = wayOfConsistency(earlier.size, later.size)
  const isGiven = bottom.from === 0
  if (proof.length !== steps.length + (isGiven ? 0 : 1)) return false
  const start = isGiven ? earlier.root : proof[0]!
  const beside = isGiven ? proof : proof.slice(1)
  // Hashes on the left belong to both trees, hashes on the right to the later one alone.
  const before = steps.reduce((root, { side }, at) => (side === 'left' ? join(side, beside[at]!, root) : root), start)
  const after = steps.reduce((root, { side }, at) => join(side, beside[at]!, root), start)
  return isSameHash(before, earlier.root) && isSameHash(after, later.root)
}

function join(side: 'left' | 'right', beside: Hash, root: Hash): Hash {
  return side === 'left' ? nodeHash(beside, root) : nodeHash(root, beside)
}
