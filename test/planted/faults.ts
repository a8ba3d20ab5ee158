// Faults that were once easy to make and hard to notice, as replacements of source text, each with the check that must
// detect it.

import type { Exchange } from './plant.ts'

export type Check = 'cuts' | 'slice tags' | 'lengths'

export interface Fault extends Exchange {
  readonly check: Check
}

const snapshot = 'src/read/series/series-snapshot.ts'
const budget = 'src/core/numbers/work-budget.ts'

export const faults: Readonly<Record<string, Fault>> = {
  'a cut that leaves out its own instant': {
    file: 'src/core/series/vintage.ts',
    right: 'instant <= cut',
    wrong: 'instant < cut',
    check: 'cuts',
  },
  'asOf that leaves out its own instant': {
    file: 'src/core/series/vintage.ts',
    right: 'isBy(publishedAt, asOf)',
    wrong: '(asOf === null || publishedAt < asOf)',
    check: 'cuts',
  },
  'knownAt that leaves out its own instant': {
    file: 'src/core/series/vintage.ts',
    right: 'isBy(recordedAt, knownAt)',
    wrong: '(knownAt === null || recordedAt < knownAt)',
    check: 'cuts',
  },
  'asOf that leaves out its own instant in the packed series': {
    file: snapshot,
    right: 'this.#published.at(i) > published',
    wrong: 'this.#published.at(i) >= published',
    check: 'cuts',
  },
  'knownAt that leaves out its own instant in the packed series': {
    file: snapshot,
    right: 'this.#recorded.at(i) > recorded)',
    wrong: 'this.#recorded.at(i) >= recorded)',
    check: 'cuts',
  },
  'a list of vintages that leaves out its own instant': {
    file: snapshot,
    right: 'if (this.#recorded.at(i) <= recorded) lines.push',
    wrong: 'if (this.#recorded.at(i) < recorded) lines.push',
    check: 'cuts',
  },
  'asOf that leaves out its own instant on the pages': {
    file: 'web/pages/series/series/vintages.ts',
    right: 'published[row]! > micros',
    wrong: 'published[row]! >= micros',
    check: 'cuts',
  },
  'a withdrawal that leaves the value before it': {
    file: snapshot,
    right: 'if (isNewest && this.#tag[i] === withdrawn) return -1',
    wrong: '',
    check: 'cuts',
  },
  'equal publications with the last recorded first': {
    file: 'src/core/series/vintage.ts',
    right: 'return first === second ? 0 : first < second ? -1 : 1',
    wrong: 'return first === second ? 0 : first < second ? 1 : -1',
    check: 'cuts',
  },
  'a tag of an answer without the version of its metadata': {
    file: 'src/http/v1/values.ts',
    right: 'metadataSeq.toString(36), start',
    wrong: 'start',
    check: 'slice tags',
  },
  'denominators that are never long': {
    file: budget,
    right: 'n <= negativeShort || d >= short',
    wrong: 'n <= negativeShort',
    check: 'lengths',
  },
  'negative numerators that are never long': {
    file: budget,
    right: 'n >= short || n <= negativeShort',
    wrong: 'n >= short',
    check: 'lengths',
  },
  'negative numerators that cost nothing': {
    file: budget,
    right: ' || n <= negativeBounds[size]!)',
    wrong: ')',
    check: 'lengths',
  },
  'denominators that cost nothing': {
    file: budget,
    right: 'd >= bounds[size]! || ',
    wrong: '',
    check: 'lengths',
  },
}
