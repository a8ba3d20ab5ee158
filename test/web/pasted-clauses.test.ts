// Clauses as contracts word them, read into the form: thirty that fill it, thirty-odd sentences that are left alone, and mixtures of
// both. No sentence counts as understood whose numbers are not in the document.
import { describe, expect, test } from 'vitest'
import { type JsonObject, rawToJson } from '../../src/core/formula/canonical.ts'
import { checkDocument } from '../../src/core/formula/check/check.ts'
import { longestPaste, readPastedClause } from '../../src/core/formula/pasted/pasted-clause.ts'
import { readRaw } from '../../src/core/formula/raw.ts'
import { pastedDocument, unsaidBy } from '../../web/pages/agreements/builder/clause/pasted-document.ts'
import { clauses, type Expected, lookAlikes, type Tree } from './clause-samples.ts'

function documentOf({ contract = {}, inputs, clause = {}, description = '', base = '2024-12' }: Expected): Tree {
  return {
    slug: 'pasted-clause',
    name: 'Pasted clause',
    description,
    status: 'DRAFT',
    parties: { supplier: [] as never },
    contract: { start: '2025-01-01', frequency: 'QUARTERLY', ...contract },
    inputs: Object.fromEntries(
      Object.entries(inputs).map(([name, own]) => [name, { series: `CUSTOM/${name}`, base, lag: '2 months', ...own }]),
    ),
    clause,
  }
}

const treeOf = (text: string) => rawToJson(readRaw(text).root) as JsonObject
const missed = (text: string) => readPastedClause(text).sentences.filter(({ kind }) => kind === 'missed')

describe('a pasted clause of common wording', () => {
  test('is one of thirty, or more', () => {
    expect(clauses.length).toBeGreaterThanOrEqual(30)
    expect(lookAlikes.length).toBeGreaterThanOrEqual(30)
  })

  test.each(clauses)('fills the form rightly: %s', (text, expected) => {
    const clause = readPastedClause(text)
    expect(clause.sentences.filter(({ kind }) => kind === 'missed')).toEqual([])
    const document = pastedDocument(clause, 2026)
    expect(checkDocument(document).problems).toEqual([])
    expect(treeOf(document)).toEqual(documentOf(expected))
  })

  test.each(lookAlikes)('does not take for something else: %s', text => {
    const { fills, sentences } = readPastedClause(text)
    expect(fills).toEqual([])
    expect(sentences.filter(({ kind }) => kind === 'understood')).toEqual([])
    expect(sentences.some(({ kind, why }) => kind === 'missed' && why !== null)).toBe(true)
  })
})

/** Every number of a sentence, found without the reader: digits and small numbers in words, each in one form. */
function numbersIn(sentence: string): string[] {
  const words: Readonly<Record<string, string>> = {
    ...{ two: '2', three: '3', four: '4', six: '6', second: '2', fourth: '4' },
    ...{ zwei: '2', drei: '3', vier: '4', zweiten: '2' },
  }
  const digits = sentence.match(/(?<![\p{L}\d_])\d+(?:[.,]\d+)*/gu) ?? []
  const inWords = (sentence.toLowerCase().match(/\p{L}+/gu) ?? []).flatMap(word => words[word] ?? [])
  return [...digits.flatMap(plainly), ...inWords]
}

/** `01.04.2024` is three numbers, `1.250` in front of a currency is one thousand and so on. */
function plainly(text: string): string[] {
  if (/^\d{2}\.\d{2}\.\d{4}$/u.test(text)) return text.split('.').map(each => each.replace(/^0/u, ''))
  if (text === '1.250') return ['1250']
  return [shortened(text.replace(',', '.'))]
}

const shortened = (text: string) => (text.includes('.') ? text.replace(/0+$/u, '').replace(/\.$/u, '') : text)

/** The numbers that stand in a document, shares in percent as well, and those its frequency stands for. */
function numbersOf(document: JsonObject): ReadonlySet<string> {
  const found = new Set<string>()
  const walk = (value: unknown): void => {
    if (typeof value === 'string') {
      for (const each of value.match(/\d+(?:\.\d+)?/gu) ?? []) found.add(shortened(each.replace(/^0+(?=\d)/u, '')))
      if (/^(?:0(?:\.\d+)?|1)$/u.test(value)) found.add(String(Math.round(Number(value) * 1e6) / 1e4))
      if (value === 'SEMIANNUAL') found.add('6')
    } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk)
  }
  walk(document)
  return found
}

/** A generator of its own, so that a failure can be repeated. */
function random(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (state * 1103515245 + 12345) % 2147483648
    return Math.floor((state / 2147483648) * below)
  }
}

describe('any mixture of clauses and other sentences', () => {
  const all = [...clauses.map(([text]) => text), ...lookAlikes]

  test('has every number of an understood sentence in the document, and every character of the text in a sentence', () => {
    const next = random(27)
    let understood = 0
    for (let round = 0; round < 120; round++) {
      const text = Array.from({ length: 1 + next(4) }, () => all[next(all.length)]!).join(next(2) === 0 ? '\n' : '\n\n')
      const clause = readPastedClause(text)
      expect(clause.sentences.map(each => each.text).join('')).toBe(text)
      const document = treeOf(pastedDocument(clause, 2026))
      const held = numbersOf(document)
      for (const { text: sentence, kind } of clause.sentences) {
        if (kind !== 'understood') continue
        understood++
        const lost = numbersIn(sentence).filter(each => !held.has(each))
        expect(lost, `${sentence}\n→ ${JSON.stringify(document)}`).toEqual([])
      }
    }
    expect(understood).toBeGreaterThan(200)
  })

  test('keeps a look-alike out whatever stands beside it', () => {
    const next = random(7)
    for (const text of lookAlikes) {
      const beside = clauses[next(clauses.length)]![0]
      const kinds = readPastedClause(`${beside}\n${text}`).sentences
      expect(kinds.filter(each => text.includes(each.text.trim()) && each.kind === 'understood')).toEqual([])
    }
  })

  test('ends for any text, and is cut at a length', () => {
    const odd = 'Σ 0.5 ×\u00a0steel\n\t€ %% 5 %, “quoted” – 1..2,,3 \u{1F600} 0.5 x'
    expect(
      readPastedClause(odd)
        .sentences.map(({ text }) => text)
        .join(''),
    ).toBe(odd.normalize('NFC'))
    const long = 'cap of of of of of '.repeat(2_000)
    expect(
      readPastedClause(long)
        .sentences.map(({ text }) => text)
        .join(''),
    ).toBe(long.slice(0, longestPaste))
  })
})

describe('what a pasted clause does not say', () => {
  test('is named, because the form has values to start with there', () => {
    expect(unsaidBy(readPastedClause('The price follows the consumer price index.'))).toEqual([
      'the start of the contract',
      'how often prices are adjusted',
      'the base of the index',
      'which month of the index counts',
    ])
  })
})

describe('sentences that disagree', () => {
  test.each([
    ['Cap 5 % a year. Cap 6 % a year.', 'an earlier sentence says something else'],
    ['45 % steel, 40 % labour', 'the shares make 85 %, not 100 %'],
    ['The price is 12 EUR. In this case the full change is passed on.', 'no threshold is named'],
    [
      '50 % copper, 50 % zinc. No adjustment is made unless the index has changed by more than 5 %.',
      'it speaks of one index, but the price does not follow one alone',
    ],
  ])('are listed with the reason: %s', (text, why) => {
    expect(missed(text).map(each => each.why)).toContain(why)
  })
})
