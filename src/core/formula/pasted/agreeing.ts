// Whether the sentences of a pasted clause agree with each other and with their own numbers. One that does not is listed as not
// understood, with the reason; what it says fills no field.
import { equal, one, ratio, sum, writeExact } from '../../numbers/ratio.ts'
import { canonicalNumber, countOf, monthOf, ordinalOf, patterns, plainNumber } from './numbers.ts'
import { type Fill, isGerman, type ReadSentence } from './rule.ts'
import { percentOf } from './weights.ts'

type Check = (sentences: readonly ReadSentence[]) => readonly ReadSentence[]

/** In this order: what one takes away, a later one does not count. */
const checks: readonly Check[] = [
  sentences => sentences.map(each => (isCounted(each) ? each : missed(each, 'a number in it has no field'))),
  sayOnce,
  weighOne,
  knowIndices,
  knowFrequency,
  knowThreshold,
]

export function agreeing(sentences: readonly ReadSentence[]): readonly ReadSentence[] {
  return checks.reduce((left, check) => check(left), sentences)
}

const missed = (sentence: ReadSentence, why: string): ReadSentence => ({ text: sentence.text, said: [], why })
const fillsOf = ({ said }: ReadSentence): readonly Fill[] => said.flatMap(({ fills }) => fills)

/** The first sentence about something counts; another one that says something else is listed. */
function sayOnce(sentences: readonly ReadSentence[]): readonly ReadSentence[] {
  const known: Fill[] = []
  return sentences.map(sentence => {
    const own: Fill[] = []
    for (const fill of fillsOf(sentence)) {
      if (known.some(other => isAgainst(other, fill)))
        return missed(sentence, 'an earlier sentence says something else')
      if (own.some(other => isAgainst(other, fill))) return missed(sentence, 'it says two things at once')
      own.push(fill)
    }
    known.push(...own)
    return sentence
  })
}

function isAgainst(one: Fill, other: Fill): boolean {
  if (one.path === 'description' || !isAbout(one.path, other.path)) return false
  if (one.path === 'contract.firstAdjustment') {
    // A first day stands beside the days of every year.
    const [first, days] = isDay(one.value) ? [one.value, other.value] : [other.value, one.value]
    if (isDay(first) && days.startsWith('each ')) return !days.split(' ').includes(first.slice(5))
  }
  return one.path.endsWith('.value') !== other.path.endsWith('.value') || one.value !== other.value
}

const isDay = (value: string) => /^\d{4}-/u.test(value)

/** Whether two fields are the same: what is said of all indices is said of each, and a base is a period or a value. */
function isAbout(one: string, other: string): boolean {
  const [a, b] = [one.replace(/\.base\.value$/u, '.base'), other.replace(/\.base\.value$/u, '.base')]
  if (a === b) return true
  const [first, second] = [/^inputs\.([^.]+)\.(.+)$/u.exec(a), /^inputs\.([^.]+)\.(.+)$/u.exec(b)]
  return first !== null && second !== null && first[2] === second[2] && (first[1] === '*' || second[1] === '*')
}

/** Weights and the fixed share must make 1, and a threshold or value of "the index" needs that there is one. */
function weighOne(sentences: readonly ReadSentence[]): readonly ReadSentence[] {
  const isWeight = ({ path }: Fill) => path === 'clause.fixed' || /^inputs\.[^*]+\.weight$/u.test(path)
  const weights = new Map(
    sentences
      .flatMap(fillsOf)
      .filter(isWeight)
      .map(({ path, value }) => [path, value]),
  )
  const total = sum([...weights.values()].map(ratio))
  const isBare = weights.size < 2 && !sentences.some(each => fillsOf(each).some(isWeight) && hasCue(each.text))
  const why = isBare
    ? 'it does not say that the price follows it'
    : equal(total, one)
      ? null
      : `the shares make ${percentOf(writeExact(total))}, not 100 %`
  const isOneIndex = why === null && weights.size === 1
  return sentences.map(sentence => {
    if (why !== null && fillsOf(sentence).some(isWeight)) return missed(sentence, why)
    const needsOne = sentence.said.some(({ needsOneIndex }) => needsOneIndex === true)
    return needsOne && !isOneIndex
      ? missed(sentence, 'it speaks of one index, but the price does not follow one alone')
      : sentence
  })
}

/** How an index is read counts only if there is one. */
function knowIndices(sentences: readonly ReadSentence[]): readonly ReadSentence[] {
  const keys = new Set(
    sentences.flatMap(fillsOf).flatMap(({ path }) => /^inputs\.([^*.][^.]*)\.weight$/u.exec(path)?.[1] ?? []),
  )
  const isKnown = ({ path }: Fill) => {
    const key = /^inputs\.([^.]+)\./u.exec(path)?.[1]
    return key === undefined || (key === '*' ? keys.size > 0 : keys.has(key))
  }
  return sentences.map(sentence =>
    fillsOf(sentence).every(isKnown) ? sentence : missed(sentence, 'no index is named that the price follows'),
  )
}

const hasCue = (text: string) =>
  /index|indices|indizes|cpi|ppi|hicp|vpi|follow|linked|weight|share|anteil|gewicht|folg|=/iu.test(text)

function knowFrequency(sentences: readonly ReadSentence[]): readonly ReadSentence[] {
  const frequency = sentences.flatMap(fillsOf).find(({ path }) => path === 'contract.frequency')?.value
  return sentences.map(sentence => {
    const needed = sentence.said.find(({ needsFrequency }) => needsFrequency !== undefined)?.needsFrequency
    return needed === undefined || needed === frequency
      ? sentence
      : missed(
          sentence,
          `it limits a ${needed === 'MONTHLY' ? 'month' : 'quarter'}, but the text does not say that the price is adjusted every one`,
        )
  })
}

function knowThreshold(sentences: readonly ReadSentence[]): readonly ReadSentence[] {
  const isKnown = sentences.flatMap(fillsOf).some(({ path }) => path === 'clause.threshold.pct')
  return sentences.map(sentence =>
    isKnown || !fillsOf(sentence).some(({ path }) => path === 'clause.threshold.pays')
      ? sentence
      : missed(sentence, 'no threshold is named'),
  )
}

/** Whether every number of a sentence stands in a field that it fills. */
function isCounted(sentence: ReadSentence): boolean {
  if (sentence.said.length === 0) return true
  const held = new Set(fillsOf(sentence).flatMap(numbersOf))
  return numbersIn(sentence.text).every(each => held.has(each))
}

/** A frequency stands for numbers: "every six months" is every half-year. */
const impliedBy: Readonly<Record<string, readonly string[]>> = {
  MONTHLY: ['1'],
  QUARTERLY: ['3', '4'],
  SEMIANNUAL: ['6', '2'],
  ANNUAL: ['12', '1'],
}

function numbersOf({ path, value }: Fill): string[] {
  const plain = (value.match(/\d+(?:\.\d+)?/gu) ?? []).map(canonicalNumber)
  const isShare = /(?:weight|fixed|passThrough)$/u.test(path)
  return [
    ...plain,
    ...(impliedBy[value] ?? []),
    ...(isShare ? [canonicalNumber(percentOf(value).replace(' %', ''))] : []),
  ]
}

const dotted = /(?<![\p{L}\d_.,])(\d{1,2})\.\s?(\d{1,2})\.(?:\s?((?:19|20)\d\d))?/gu
const words = new RegExp(`(?<!\\p{L})(?:(${patterns.countWord})|(${patterns.ordinal}))(?!\\p{L})`, 'giu')

/** Every number of a sentence in one form, those in words included; "first" and "one" are more often words than numbers. */
function numbersIn(sentence: string): string[] {
  const found: string[] = []
  const rest = sentence.replace(dotted, (_, day: string, month: string, year: string | undefined) => {
    found.push(day, month, ...(year === undefined ? [] : [year]))
    return ' '
  })
  const german = isGerman(sentence)
  for (const [text] of rest.matchAll(new RegExp(patterns.number, 'gu'))) found.push(plainNumber(text, german))
  for (const [text, count, ordinal] of rest.matchAll(words)) {
    const value = count === undefined ? ordinalOf(ordinal!) : countOf(count)
    if (/\p{L}/u.test(text) && value !== '1') found.push(value)
  }
  for (const [month] of rest.matchAll(new RegExp(`(?<!\\p{L})${patterns.month}(?!\\p{L})`, 'giu')))
    if (month.toLowerCase() !== 'may') found.push(String(Number(monthOf(month))))
  return found.map(canonicalNumber)
}
