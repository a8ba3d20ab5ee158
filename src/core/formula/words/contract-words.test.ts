// The contract's own words: made plain, split into sentences, checked as a whole, and hashed.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isOneLine } from '../../text/one-line.ts'
import { sha256 } from '../../text/sha256.ts'
import {
  type ContractWords,
  findWordsProblems,
  hashOfWords,
  hasPath,
  readPasted,
  wordsBounds,
} from './contract-words.ts'
import { makePlain } from './plain-text.ts'
import { splitSentences } from './sentences.ts'

const hiddenSigns = [
  '\u0000',
  '\u0007',
  '\u00ad',
  '\u200b',
  '\u200f',
  '\u202e',
  '\u2066',
  '\ufe0f',
  '\u{e0041}',
  '\ud800',
  '\ufeff',
]
const pieces = [
  'The price',
  'Der Preis',
  'Le prix',
  'is adjusted',
  'gem. Abs. 2',
  'no. 4',
  'zu',
  'a',
  'B',
  'é',
  'e\u0301',
  'A\u030a',
  '3',
  '12',
  '2026',
  '.',
  '!',
  '?',
  ':',
  ';',
  ',',
  '(a)',
  '1.',
  '2.1',
  '§ 3',
  '–',
  '”',
  '«',
  '"',
  ')',
  'Article 5 Price',
  'PREIS',
  '%',
  ' ',
  ' ',
  ' ',
  '\n',
  '\n',
  '\n\n',
  '\t',
  '\r\n',
  '\r',
  '\u00a0',
  '\u2003',
  '\u2028',
  '\u000b',
  ...hiddenSigns,
]
const texts = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map(parts => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 200 }),
)

describe('a text made plain', () => {
  test('has one spelling of letters, blanks and line ends', () => {
    expect(makePlain('  A\u030angstro\u0308m\t\u00a0 5 \u2003%\r\n\r\n\r\n\u2028next \rline  ').text).toBe(
      'Ångström 5 %\n\nnext\nline',
    )
  })

  test('has no sign that nobody sees, and says how many there were', () => {
    expect(makePlain(`five${hiddenSigns.join('')} percent`)).toEqual({
      text: 'five percent',
      taken: hiddenSigns.length,
    })
    expect(makePlain('5 %\n(a) cap')).toEqual({ text: '5 %\n(a) cap', taken: 0 })
  })

  test('stays as it is when it is made plain again', () => {
    fc.assert(
      fc.property(texts, given => {
        const { text } = makePlain(given)
        expect(makePlain(text)).toEqual({ text, taken: 0 })
        for (const line of text.split('\n')) expect(isOneLine(line)).toBe(true)
      }),
    )
  })
})

describe('sentences', () => {
  test.each([
    ['one after the other', 'It rises. It falls! Does it? Yes.', ['It rises.', 'It falls!', 'Does it?', 'Yes.']],
    [
      'a line that goes on in the next',
      'The price is adjusted\nonce a year.\nIt is rounded.',
      ['The price is adjusted once a year.', 'It is rounded.'],
    ],
    [
      'lists and headings',
      'Article 5 Price\nThe price follows\n(a) steel, and\n(b) labour\n1. No cap.\n– No floor\nRUNDUNG\nauf zwei Stellen',
      [
        'Article 5 Price',
        'The price follows',
        '(a) steel, and',
        '(b) labour',
        '1. No cap.',
        '– No floor',
        'RUNDUNG',
        'auf zwei Stellen',
      ],
    ],
    ['an empty line', 'one line\n\nanother', ['one line', 'another']],
    [
      'abbreviations, initials and days',
      'Gem. Abs. 2 gilt Nr. 4 ab dem 1. Januar 2026. See Art. 5 of J. Smith et al. 2019. L’indice (réf. INSEE) vaut 100.',
      [
        'Gem. Abs. 2 gilt Nr. 4 ab dem 1. Januar 2026.',
        'See Art. 5 of J. Smith et al. 2019.',
        'L’indice (réf. INSEE) vaut 100.',
      ],
    ],
    [
      'quotes that close behind',
      'It says “5 %.” Then it ends. «Fin.» Rien.',
      ['It says “5 %.”', 'Then it ends.', '«Fin.»', 'Rien.'],
    ],
    [
      'decimals and formulas',
      'P = P0 × (0.15 + 0.85 × S/S0). 12.40 EUR is the price',
      ['P = P0 × (0.15 + 0.85 × S/S0).', '12.40 EUR is the price'],
    ],
    ['a year at the end', 'It ends in 2026. After that it stays.', ['It ends in 2026.', 'After that it stays.']],
  ])('end by the rules: %s', (_name, text, expected) => {
    expect(splitSentences(text)).toEqual(expected)
  })

  test('lose nothing of the text but blanks, and are lines that are plain themselves', () => {
    const solid = (text: string) => text.replaceAll(/[ \n]/gu, '')
    fc.assert(
      fc.property(texts, given => {
        const { text } = makePlain(given)
        const sentences = text === '' ? [] : splitSentences(text)
        expect(solid(sentences.join(''))).toBe(solid(text))
        for (const each of sentences) expect(makePlain(each)).toEqual({ text: each, taken: 0 })
      }),
    )
  })

  test('are the same again, put into the box with empty lines between them', () => {
    fc.assert(
      fc.property(texts, given => {
        const { words } = readPasted(given)
        if (words === null) return
        expect(findWordsProblems(words, null)).toEqual([])
        expect(readPasted(words.sentences.join('\n\n')).words).toEqual(words)
      }),
    )
  })
})

const said = (change: Partial<ContractWords>): ContractWords => ({
  sentences: ['One.', 'Two.'],
  links: [],
  file: null,
  ...change,
})

describe('the hash', () => {
  test('is that of the canonical JSON of sentences and links, whatever file they are from', () => {
    const links = [{ sentence: 1, path: 'clause.cap' }]
    const hash = sha256('{"links":[{"path":"clause.cap","sentence":1}],"sentences":["One.","Two."]}')
    expect(hashOfWords(said({ links }))).toBe(hash)
    expect(hashOfWords(said({ links, file: { name: 'contract.pdf', sha256: 'a'.repeat(64) } }))).toBe(hash)
    for (const other of [
      said({}),
      said({ links, sentences: ['One.', 'Two'] }),
      said({ links: [{ sentence: 2, path: 'clause.cap' }] }),
    ])
      expect(hashOfWords(other)).not.toBe(hash)
  })
})

const document = {
  slug: 'steel',
  contract: { start: '2024-01-01' },
  inputs: { steel: { series: 'A/b', links: [{ series: 'A/c', until: '2015-12' }] } },
  params: { cap: '3' },
  steps: [{ name: 'factor', expr: 'steel / steel.base' }],
  clause: { threshold: { pct: '3' } },
}

describe('the path of a link', () => {
  test.each([
    'inputs',
    'inputs.steel',
    'inputs.steel.series',
    'inputs.steel.lag',
    'inputs.steel.links[0].until',
    'params.cap',
    'steps.factor.expr',
    'steps.factor.round',
    'clause.threshold',
    'clause.cap.periodPct',
    'contract.end',
    'corrections.when',
  ])('names what is in the document, or a key that is left out: %s', path => {
    expect(hasPath(document, path)).toBe(true)
  })

  test.each([
    '',
    '.',
    'colour',
    'inputs.wages',
    'inputs.wages.lag',
    'inputs.steel.colour',
    'params.floor',
    'steps.other.expr',
    'steps[0].expr',
    'inputs.steel.links[1].until',
    'inputs.steel.links.0.until',
    'clause.threshold.pct.x',
    'slug.x',
    '__proto__',
    'inputs.constructor',
    'inputs..steel',
    'inputs.*.lag',
    'steps.*.expr',
  ])('names nothing else: %s', path => {
    expect(hasPath(document, path)).toBe(false)
  })
})

describe('words that cannot be kept', () => {
  test('are refused with all that is wrong at once', () => {
    const sentences = Array.from({ length: wordsBounds.sentences + 1 }, () => 'a '.repeat(40))
    sentences[2] = 'hidden\u202e'
    const words = said({
      sentences,
      links: [
        { sentence: 0, path: null },
        { sentence: 3, path: 'inputs.wages' },
        { sentence: 3, path: 'inputs.steel' },
        { sentence: 4, path: null },
        { sentence: 4, path: 'inputs.steel' },
        { sentence: 4, path: 'inputs.steel' },
      ],
      file: { name: 'two\nlines', sha256: 'a'.repeat(64) },
    })
    expect(findWordsProblems(words, document).map(({ path, message }) => `${path} ${message}`)).toEqual([
      'words.sentences must be at most 5000, got 5001',
      `words.sentences must have at most 300000 characters together, got ${5000 * 80 + 7}`,
      expect.stringMatching(
        /^words\.sentences must each be plain text on one line, without hidden signs: sentences 1, 2, 3, .* and 4981 more$/,
      ),
      'words.links[0] names sentence 0, and there are 5001',
      'words.links[1] names "inputs.wages", which the document does not have',
      'words.links[2] must come after the one before it, by sentence and then path, and each pair once',
      'words.links[3] null must stand alone for sentence 4',
      'words.links[5] must come after the one before it, by sentence and then path, and each pair once',
      'words.file.name must be one line without control characters and hidden signs, got "two\\nlines"',
    ])
  })

  test('are none, a blank line, two lines, and more links than there may be', () => {
    const messages = (words: ContractWords) => findWordsProblems(words, document).map(({ message }) => message)
    expect(messages(said({ sentences: [] }))).toEqual(['must have a sentence; without any, leave the words out'])
    for (const wrong of ['', ' One.', 'One.\nTwo.', 'e\u0301', 'One\u00a0two'])
      expect(messages(said({ sentences: ['One.', wrong] }))).toEqual([
        'must each be plain text on one line, without hidden signs: sentence 2',
      ])
    const links = Array.from({ length: wordsBounds.links + 1 }, () => ({ sentence: 1, path: 'clause' }))
    expect(messages(said({ links }))).toEqual(['must be at most 2000, got 2001'])
    expect(messages(said({ links: [{ sentence: 2, path: null }] }))).toEqual([])
  })
})
