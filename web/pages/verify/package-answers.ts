// Verdict on an evidence package in words, beside its faults.
import type { PublishedKeys } from '../../../src/core/receipt/verdict.ts'
import type { CheckedPackage } from '../../../src/formats/evidence/check.ts'
import { notProven } from '../../../src/formats/evidence/log-words.ts'
import { asSentence } from '../../../src/formats/evidence/package-words.ts'
import { formatKey, type VerdictWords } from './verdict.ts'

/** Owner of the key, and the limits of every check. */
export function describePackage(checked: CheckedPackage, own: PublishedKeys | null) {
  const { manifest, proven, leftToOpenSsl, operatorsWord, parts } = checked
  const seal = manifest?.seal ?? null
  const isSealed = parts[0]!.problems.length === 0
  const key = formatKey({ receipt: { seal }, seal: seal === null ? 'missing' : isSealed ? 'good' : 'bad' }, own)
  const bad: VerdictWords = { label: key.label, tone: 'bad', words: parts[0]!.problems.map(asSentence) }
  const word: VerdictWords = { label: 'On the operator’s word', tone: 'open', words: operatorsWord.map(asSentence) }
  const logged: VerdictWords = { label: 'In the log', tone: 'open', words: proven.map(asSentence) }
  const open: VerdictWords = { label: 'Not proven', tone: 'open', words: notProven.map(asSentence) }
  const left: VerdictWords = { label: 'Left to OpenSSL', tone: 'open', words: leftToOpenSsl }
  return [isSealed ? key : bad, ...[logged, left].filter(({ words }) => words.length > 0), word, open]
}
