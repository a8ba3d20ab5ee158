// A slip: a file that shows, years later and without the server, that an entry stood in the log. It is a file of C2SP
// `tlog-proof` for the head of a scope's tree, and also has the entry, the way from it to the head, and the opening of the
// head.

import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { Refusal } from '../refusal.ts'
import { base64Of } from '../text/base64.ts'
import { decodeUtf8 } from '../text/utf8.ts'
import { readCheckpoint, readHash, readWholeNumber } from './checkpoint.ts'
import { formatHead, type LogHead } from './log-head.ts'
import { type Hash, isSameHash, leafHash } from './merkle-hash.ts'
import { rootByInclusion } from './merkle-proof.ts'
import type { SignedNote } from './signed-note.ts'
import { formatTlogProof, longestProof, readTlogProof, type TlogProof } from './tlog-proof.ts'

/** The hashed content of an entry, for those who may read it. */
interface SlipContent {
  /** Canonical JSON. */
  readonly text: string
  /** Hexadecimal digits; empty for an entry without salt. */
  readonly salt: string
}

export interface Slip {
  /** A workspace's id, or `public`. */
  readonly scope: string
  /** The scope's log secret, with which its heads are found and opened. */
  readonly secret: Uint8Array
  readonly head: LogHead
  readonly entry: {
    /** The entry's place in the scope's tree. */
    readonly index: number
    /** `seq|kind|subject|hash`: the hashed text of the leaf. */
    readonly line: string
    readonly content: SlipContent | null
    readonly proof: readonly Hash[]
  }
  /** The head's place in the log. */
  readonly index: number
  readonly proof: readonly Hash[]
  readonly checkpoint: SignedNote
}

const form = 'assize-slip/1'

export function formatSlip({ scope, secret, head, entry, index, proof, checkpoint }: Slip): string {
  const { content } = entry
  const lines = [
    form,
    `scope ${scope}`,
    `secret ${base64Of(secret)}`,
    `head ${head.k} ${head.size} ${base64Of(head.root)}`,
    `index ${entry.index}`,
    `entry ${entry.line}`,
    ...(content === null ? [] : [`salt ${content.salt}`, `content ${content.text}`]),
  ]
  if (lines.some(line => line.includes('\n'))) throw new Error('a line of a slip has no line break in it')
  const extra = [...lines, ...entry.proof.map(base64Of), ''].join('\n')
  return formatTlogProof({ extra: new TextEncoder().encode(extra), index, proof, checkpoint })
}

function refuse(message: string): never {
  throw new Refusal('unreadable', message)
}

/** Takes lines off the front, each after the word it begins with. */
class SlipLines {
  readonly #lines: string[]

  constructor(text: string) {
    this.#lines = text.split('\n')
    if (this.#lines.shift() !== form) refuse(`what a slip has besides begins with the line ${form}`)
    if (this.#lines.pop() !== '') refuse('a slip ends with a line break')
  }

  has(word: string): boolean {
    return this.#lines[0]?.startsWith(`${word} `) === true
  }

  take(word: string): string {
    if (!this.has(word)) refuse(`a slip lacks its line "${word}"`)
    return this.#lines.shift()!.slice(word.length + 1)
  }

  rest(): Hash[] {
    if (this.#lines.length > longestProof) refuse(`a proof has at most ${longestProof} hashes`)
    return this.#lines.map(readHash)
  }
}

export function readSlip(text: string): Slip {
  return slipIn(readTlogProof(text))
}

/** Refuses a proof of something else. */
export function slipIn({ extra, index, proof, checkpoint }: TlogProof): Slip {
  if (extra === null) refuse('this proof is not a slip: it has nothing about an entry')
  const lines = new SlipLines(decode(extra))
  const scope = lines.take('scope')
  const secret = readHash(lines.take('secret'))
  const head = readHead(lines.take('head'))
  const place = readWholeNumber(lines.take('index'), 'the index of an entry')
  const line = lines.take('entry')
  const content = lines.has('salt') ? { salt: readSalt(lines.take('salt')), text: lines.take('content') } : null
  const entry = { index: place, line, content, proof: lines.rest() }
  readEntryLine(line)
  return { scope, secret, head, entry, index, proof, checkpoint }
}

function decode(bytes: Uint8Array): string {
  return decodeUtf8(bytes) ?? refuse('a slip is not UTF-8')
}

function readHead(line: string): LogHead {
  const words = line.split(' ')
  if (words.length !== 3) refuse('a head is its number, its size and its root')
  const [k, size] = words.slice(0, 2).map(word => readWholeNumber(word, 'a number of a head'))
  return { k: k!, size: size!, root: readHash(words[2]!) }
}

function readSalt(text: string): string {
  if (!/^(?:[0-9a-f]{2})*$/.test(text)) refuse('a salt is hexadecimal digits')
  return text
}

/** The entry that a leaf's line describes. */
export function readEntryLine(line: string): { seq: number; kind: string; subject: string; hash: string } {
  const [, seq, kind, subject, hash] = /^([0-9]+)\|([^|]+)\|(.*)\|([0-9a-f]{64})$/.exec(line) ?? []
  if (hash === undefined) refuse(`"${line}" is not an entry of a log`)
  return { seq: readWholeNumber(seq!, 'the number of an entry'), kind: kind!, subject: subject!, hash }
}

/** The contradiction within a slip, in a sentence; null where entry, head and checkpoint belong together. */
export function problemOfSlip({ secret, head, entry, index, proof, checkpoint }: Slip): string | null {
  const { hash } = readEntryLine(entry.line)
  if (entry.content !== null && hashOfContent(entry.content) !== hash) return 'the content is not that of the entry'
  const leaf = leafHash(new TextEncoder().encode(entry.line))
  const scopeRoot = rootByInclusion({ leaf, index: entry.index, size: head.size }, entry.proof)
  if (scopeRoot === null || !isSameHash(scopeRoot, head.root)) return 'the entry is not in the tree of its head'
  const { size, root } = readCheckpoint(checkpoint.text)
  const headLeaf = leafHash(new TextEncoder().encode(formatHead(secret, head)))
  const logRoot = rootByInclusion({ leaf: headLeaf, index, size }, proof)
  return logRoot === null || !isSameHash(logRoot, root) ? 'the head is not in the tree of the checkpoint' : null
}

export function hashOfContent({ text, salt }: SlipContent): string {
  return bytesToHex(sha256(Uint8Array.of(...hexToBytes(salt), ...new TextEncoder().encode(text))))
}
