// The contract's own words in an evidence package: the text for each formula version that has one, checked against the hash
// that receipts, changes of terms and the part of the chain name.

import { type ContractWords, hashOfWords, wordsShape } from '../../core/formula/words/contract-words.ts'
import { isList } from '../../core/index-changes/change-receipt.ts'
import { Refusal } from '../../core/refusal.ts'
import { countedAs } from '../../core/text/counts.ts'
import { hexHash, listOf, mapping, type Read, versionNumber } from '../../core/text/exact-shape.ts'
import { readStrictJson } from '../../core/text/strict-json.ts'
import type { Contents } from './check-proposals.ts'
import type { CheckedChange } from './check-terms-changes.ts'
import type { CheckedPart } from './checked-part.ts'
import { agreementPath, type EvidenceFiles } from './manifest.ts'
import type { NamedReceipt } from './tables.ts'

export const wordsPath = 'words.json'

const bounds = { length: 100_000_000, depth: 64, values: 4_000_000 }

const rowsShape = listOf(
  mapping('One text.', {
    versions: listOf(versionNumber('Number of a version'), 'The formula versions that have it'),
    sha256: hexHash('Of its sentences and links'),
    ...wordsShape.fields,
  }),
)
type VersionWordsRow = Read<typeof rowsShape>[number]

/** A text that several versions have is written once. */
export function formatWords(versions: readonly { readonly version: number; readonly words: ContractWords }[]): string {
  const texts = Map.groupBy(versions, ({ words }) => JSON.stringify([hashOfWords(words), words.file]))
  const rows = [...texts.values()].map(same => {
    const { words } = same[0]!
    const { sentences, links, file } = words
    return { versions: same.map(({ version }) => version), sha256: hashOfWords(words), sentences, links, file }
  })
  return `${JSON.stringify(rows, null, 2)}\n`
}

interface WordsContext {
  readonly receipts: readonly NamedReceipt[]
  readonly changes: readonly CheckedChange[]
  /** Contents of the part of the chain; null without one. */
  readonly contents: Contents | null
}

/** The part; null where the package neither names words nor has any. */
export function checkWords(files: EvidenceFiles, { receipts, changes, contents }: WordsContext): CheckedPart | null {
  const published = contents?.('formula') ?? []
  const isNamed = receipts.some(({ receipt }) => receipt.body.words !== undefined)
  if (!files.has(wordsPath) && !isNamed && published.every(({ words }) => words === undefined)) return null
  const title = 'The contract’s own words'
  try {
    const rows = files.has(wordsPath) ? rowsIn(files.get(wordsPath)!) : []
    const hashes = new Map(rows.flatMap(({ versions, sha256 }) => versions.map(version => [version, sha256] as const)))
    const problems = [
      ...rowProblems(rows),
      ...receipts
        .filter(({ receipt: { body } }) => hashes.get(body.formulaVersion) !== body.words?.sha256)
        .map(
          ({ name, receipt: { body } }) =>
            `${name}: the words of version ${body.formulaVersion} are not those that it names`,
        ),
      ...published
        .filter(({ version, words }) => hashes.get(Number(version)) !== words)
        .map(({ version }) => `the words of version ${Number(version)} are not those that were published`),
      ...changes.flatMap(change => changeProblems(files, hashes, change)),
    ]
    return { title, words: `${countedAs(rows.length, 'text', 'texts')}, as receipts and versions name them.`, problems }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { title, words: 'It cannot be read.', problems: [`${wordsPath} is not one`] }
  }
}

function rowsIn(text: string): readonly VersionWordsRow[] {
  return rowsShape.read(readStrictJson(text, wordsPath, bounds), wordsPath)
}

function rowProblems(rows: readonly VersionWordsRow[]): string[] {
  const counts = Map.groupBy(
    rows.flatMap(({ versions }) => versions),
    version => version,
  )
  return [
    ...rows.flatMap(row =>
      hashOfWords(row) === row.sha256 ? [] : [`the words under ${row.sha256} do not have that hash`],
    ),
    ...[...counts].flatMap(([version, same]) =>
      same.length === 1 ? [] : [`version ${version} has more than one text`],
    ),
  ]
}

/** Checks that the words of an agreed change of terms are those of the version that it made. */
function changeProblems(
  files: EvidenceFiles,
  hashes: ReadonlyMap<number, string>,
  { id, record, verdict }: CheckedChange,
): string[] {
  const version = record?.version ?? null
  const body = verdict?.change.body
  if (version === null || !files.has(agreementPath(version)) || body === undefined) return []
  if (isList(body) || !('words' in body) || body.words === undefined) return []
  const agreed = body.words.after === null ? undefined : hashOfWords(body.words.after)
  return hashes.get(version) === agreed ? [] : [`${id}: the words of version ${version} are not those that were agreed`]
}
