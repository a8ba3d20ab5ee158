// The contract's own words, stored with a formula version: numbered sentences, the fields that each of them is about, and the
// file that they were read from. They compute nothing. A receipt has their hash, so both parties sign them with every number.

import type { Problem } from '../../refusal.ts'
import { canonicalJson, isList, type Json } from '../../text/canonical-json.ts'
import {
  hexHash,
  listOf,
  mapping,
  meaning,
  orNull,
  refuseShape,
  text,
  versionNumber,
  type Written,
} from '../../text/exact-shape.ts'
import { isOneLine, oneLineRule } from '../../text/one-line.ts'
import { sha256 } from '../../text/sha256.ts'
import { isObject, type JsonObject } from '../canonical.ts'
import { allKeys } from '../schema.ts'
import { makePlain } from './plain-text.ts'
import { splitSentences } from './sentences.ts'

export const wordsBounds = { characters: 300_000, sentences: 5_000, links: 2_000, path: 500, fileName: 200 } as const

const line = (description: string) =>
  meaning(text(description), (read, path) => (isOneLine(read) ? read : refuseShape(path, 'one line')))

export const wordsShape = mapping('The contract’s own words.', {
  sentences: listOf(text(), 'In their order; the first one is number 1'),
  links: listOf(
    mapping('A sentence and a field that it is about.', {
      sentence: versionNumber('Number of the sentence'),
      path: orNull(text(), 'Such as `inputs.steel.lag`; null where the sentence has nothing to compute'),
    }),
    'By sentence, then path',
  ),
  file: orNull(
    mapping('A file.', { name: line('Its name'), sha256: hexHash('Of its bytes') }),
    'The file that they were read from; null where they were pasted',
  ),
})

export type ContractWords = Written<typeof wordsShape>
type HashedWords = Pick<ContractWords, 'sentences' | 'links'>

/** A text as it was pasted: the words, and how many hidden signs are not in them. */
export function readPasted(given: string): { readonly words: ContractWords | null; readonly taken: number } {
  const { text: plain, taken } = makePlain(given)
  const sentences = plain === '' ? [] : splitSentences(plain)
  return { words: sentences.length === 0 ? null : { sentences, links: [], file: null }, taken }
}

/** The hashed part, in canonical JSON: the file does not belong to it. */
export function hashedText({ sentences, links }: HashedWords): string {
  return canonicalJson({ sentences, links: links.map(({ sentence, path }) => ({ sentence, path })) })
}

export function hashOfWords(words: HashedWords): string {
  return sha256(hashedText(words))
}

/** All problems of the words at once. `document` is null where the document of the version cannot be read. */
export function findWordsProblems(words: ContractWords, document: JsonObject | null): Problem[] {
  return [...sentenceProblems(words.sentences), ...linkProblems(words, document), ...fileProblems(words)]
}

function problem(path: string, message: string): Problem {
  return { path: `words.${path}`, message }
}

function sentenceProblems(sentences: ContractWords['sentences']): Problem[] {
  const characters = sentences.reduce((sum, sentence) => sum + sentence.length, 0)
  const { characters: most, sentences: mostSentences } = wordsBounds
  const wrong = sentences.flatMap((sentence, i) => (isPlainSentence(sentence) ? [] : [i + 1]))
  return [
    ...(sentences.length === 0 ? [problem('sentences', 'must have a sentence; without any, leave the words out')] : []),
    ...(sentences.length > mostSentences
      ? [problem('sentences', `must be at most ${mostSentences}, got ${sentences.length}`)]
      : []),
    ...(characters > most
      ? [problem('sentences', `must have at most ${most} characters together, got ${characters}`)]
      : []),
    ...(wrong.length > 0
      ? [problem('sentences', `must each be plain text on one line, without hidden signs: ${numbered(wrong)}`)]
      : []),
  ]
}

function isPlainSentence(sentence: string): boolean {
  return sentence !== '' && !sentence.includes('\n') && makePlain(sentence).text === sentence
}

const mostNamed = 20

/** `sentence 3`, `sentences 3, 7, 12 and 4 more`. */
function numbered(numbers: readonly number[]): string {
  const named = numbers.slice(0, mostNamed).join(', ')
  const more = numbers.length - mostNamed
  return `${numbers.length === 1 ? 'sentence' : 'sentences'} ${named}${more > 0 ? ` and ${more} more` : ''}`
}

function linkProblems({ sentences, links }: HashedWords, document: JsonObject | null): Problem[] {
  if (links.length > wordsBounds.links)
    return [problem('links', `must be at most ${wordsBounds.links}, got ${links.length}`)]
  const counts = Map.groupBy(links, ({ sentence }) => sentence)
  return links.flatMap(({ sentence, path }, i) => {
    const at = (message: string) => [problem(`links[${i}]`, message)]
    const before = links[i - 1]
    if (sentence < 1 || sentence > sentences.length)
      return at(`names sentence ${sentence}, and there are ${sentences.length}`)
    if (before !== undefined && !isBefore(before, { sentence, path }))
      return at('must come after the one before it, by sentence and then path, and each pair once')
    if (path === null)
      return counts.get(sentence)!.length === 1 ? [] : at(`null must stand alone for sentence ${sentence}`)
    if (path.length > wordsBounds.path || (document !== null && !hasPath(document, path)))
      return at(`names ${JSON.stringify(path.slice(0, 100))}, which the document does not have`)
    return []
  })
}

function isBefore(a: ContractWords['links'][number], b: ContractWords['links'][number]): boolean {
  return a.sentence === b.sentence ? (a.path ?? '') < (b.path ?? '') : a.sentence < b.sentence
}

function fileProblems({ file }: ContractWords): Problem[] {
  if (file === null) return []
  const { name } = file
  if (name === '' || name.length > wordsBounds.fileName)
    return [problem('file.name', `must have 1 to ${wordsBounds.fileName} characters, got ${name.length}`)]
  return isOneLine(name) ? [] : [problem('file.name', `${oneLineRule}, got ${JSON.stringify(name)}`)]
}

/** Names that the author of a document chooses, in place of keys. */
const chosenNames = new Set(['inputs', 'params', 'tables'])

/**
 * Whether a document has a path as refusals write it, with the names of lines in place of their numbers. A key that is left out
 * counts where the mapping that it belongs to is there or is left out too: a sentence may state its default.
 */
export function hasPath(document: JsonObject, path: string): boolean {
  if (!/^[^.[\]]+(?:\.[^.[\]]+|\[\d{1,6}\])*$/u.test(path)) return false
  let found: Json | undefined = document
  let place = ''
  for (const part of path.match(/\[\d+\]|[^.[\]]+/gu)!) {
    const isChosen = (found !== undefined && isList(found)) || chosenNames.has(place)
    found = childOf(found, part)
    place = `${place === '' ? '' : `${place}.`}${isChosen ? '*' : part}`
    if (found === undefined && (isChosen || !isKnownKey(place))) return false
  }
  return true
}

function childOf(value: Json | undefined, part: string): Json | undefined {
  if (isObject(value)) return Object.hasOwn(value, part) ? value[part] : undefined
  if (value === undefined || !isList(value)) return undefined
  const isNamed = value.some(item => isObject(item) && item.name !== undefined)
  if (!part.startsWith('[')) return value.find(item => isObject(item) && item.name === part)
  return isNamed ? undefined : value[Number.parseInt(part.slice(1, -1), 10)]
}

function isKnownKey(place: string): boolean {
  return allKeys().some(({ path }) => path === place || path.startsWith(`${place}.`))
}
