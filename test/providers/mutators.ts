// Ways to damage a body: cut, swap, double, flip, and replace figures with something that is not a figure.
import type { Chance } from '../faults/chance.ts'

export type Mutator = (body: string, chance: Chance) => string

/** Replacements for a figure, none of which may be read as zero. */
export const blanks = [
  '',
  'null',
  '"-"',
  '"."',
  '".."',
  '":"',
  '""',
  '"NA"',
  'true',
  'false',
  '[]',
  '{}',
  '" "',
  '-',
  ':',
] as const

const oddNumbers = [
  'NaN',
  'Infinity',
  '-Infinity',
  '1e999',
  '1E-400',
  '9007199254740993',
  '9'.repeat(90),
  `0.${'3'.repeat(80)}`,
  '1,5',
  '1.5.6',
  '0x10',
  '1_000',
  '１２',
  '-',
  '--1',
  '+7.25',
  '.75',
  '6.',
  '2.5E1',
] as const

const oddTexts = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ',',
  ':',
  ';',
  '\n',
  '\u0000',
  '\uFEFF',
  '<',
  '>',
  '&',
  '\\',
  '\t',
  '\r\n',
  '\uD800',
  '()',
  '/*',
] as const

const numberPattern = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

export const mutators: readonly Mutator[] = [
  (body, chance) => body.slice(0, below(chance, body.length)),
  (body, chance) => body.slice(below(chance, body.length)),
  (body, chance) => {
    const { from, to } = span(body, chance, 400)
    return body.slice(0, from) + body.slice(to)
  },
  (body, chance) => {
    const { from, to } = span(body, chance, 400)
    return body.slice(0, to) + body.slice(from)
  },
  (body, chance) => {
    const a = span(body, chance, 60)
    const b = span(body, chance, 60)
    const [first, second] = a.from <= b.from ? [a, b] : [b, a]
    if (first.to > second.from) return body
    const [start, left, middle, right, end] = [
      body.slice(0, first.from),
      body.slice(first.from, first.to),
      body.slice(first.to, second.from),
      body.slice(second.from, second.to),
      body.slice(second.to),
    ]
    return start + right + middle + left + end
  },
  (body, chance) => {
    const at = below(chance, body.length)
    return body.slice(0, at) + String.fromCharCode(below(chance, 256)) + body.slice(at + 1)
  },
  (body, chance) => {
    const at = below(chance, body.length)
    const bit = 1 << below(chance, 7)
    return body.slice(0, at) + String.fromCharCode(body.charCodeAt(at) ^ bit) + body.slice(at + 1)
  },
  (body, chance) => {
    const at = below(chance, body.length)
    return body.slice(0, at) + chance.pick(oddTexts) + body.slice(at)
  },
  (body, chance) => replaceMatch(body, numberPattern, chance, () => chance.pick(oddNumbers)),
  (body, chance) =>
    replaceMatch(body, numberPattern, chance, match => (below(chance, 2) === 0 ? `"${match}"` : `[${match}]`)),
  (body, chance) => replaceMatch(body, /"[^"\n]{0,80}"|[^,\n]+/g, chance, () => chance.pick(blanks)),
  (body, chance) => replaceMatch(body, /"[^"\n]{1,40}"\s*:/g, chance, () => '"x":'),
  (body, chance) => replaceMatch(body, /[[{]/g, chance, match => match.repeat(1 + below(chance, 3000))),
]

/** A position from 0 up to but not including `end`. */
function below(chance: Chance, end: number): number {
  return chance.int(0, Math.max(end, 1) - 1)
}

function span(body: string, chance: Chance, most: number): { readonly from: number; readonly to: number } {
  const from = below(chance, body.length)
  return { from, to: Math.min(body.length, from + 1 + below(chance, most)) }
}

function replaceMatch(body: string, pattern: RegExp, chance: Chance, replace: (match: string) => string): string {
  const matches = [...body.matchAll(pattern)]
  if (matches.length === 0) return body
  const match = chance.pick(matches)
  return body.slice(0, match.index) + replace(match[0]) + body.slice(match.index + match[0].length)
}
