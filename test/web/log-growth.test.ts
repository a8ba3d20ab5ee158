import { expect, test } from 'vitest'
import { formatCheckpoint } from '../../src/core/proof/checkpoint.ts'
import { leafHash } from '../../src/core/proof/merkle-hash.ts'
import { base64Of } from '../../src/core/text/base64.ts'
import { contradictionOf, keepNote, keptNote } from '../../web/frame/log-growth.ts'
import { PlainTree } from '../support/proof/plain-tree.ts'

const leaves = Array.from({ length: 9 }, (_, i) => leafHash(Buffer.from(`leaf ${i}`)))
const tree = new PlainTree(leaves)
const note = (size: number, { origin = 'log.example', from = tree } = {}) =>
  `${formatCheckpoint({ origin, size, root: from.root(0, size), extensions: [] })}\n— ${origin} ${base64Of(Buffer.alloc(68, 1))}\n`
const growth = (from: number, size: number, more = {}) => ({
  origin: 'log.example',
  checkpoint: note(size),
  proof: new PlainTree(leaves).consistency(from, size).map(base64Of),
  forked: null,
  ...more,
})

test('a log that grew out of what the browser has seen contradicts nothing', () => {
  for (let from = 1; from <= 9; from++)
    for (let size = from; size <= 9; size++) expect(contradictionOf(note(from), growth(from, size))).toBeNull()
})

test('one that is shorter, another, or started again is said to be so', () => {
  expect(contradictionOf(note(7), growth(3, 5, { proof: null }))).toMatch(/^History was rewritten: .* is shorter\.$/)
  const forged = new PlainTree([leafHash(Buffer.from('forged')), ...leaves.slice(1)])
  expect(contradictionOf(note(4, { from: forged }), growth(4, 9))).toMatch(
    /^History was rewritten: the log of 4 leaves/,
  )
  const forked = growth(4, 9, { origin: 'log.example/2', forked: 'restored' })
  expect(contradictionOf(note(4), forked)).toMatch(/^The log was started again as log\.example\/2\..*: restored\.$/)
})

test('the larger checkpoint is kept, and nothing of another origin takes its place', () => {
  const stored = new Map<string, string>()
  const storage = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
  }
  keepNote(storage, note(4))
  keepNote(storage, note(2))
  keepNote(storage, note(9, { origin: 'log.example/2' }))
  keepNote(storage, 'something else')
  expect(keptNote(storage)).toBe(note(4))
  keepNote(storage, note(6))
  expect(keptNote(storage)).toBe(note(6))
})
