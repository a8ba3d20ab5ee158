// Searching a provider: what to ask and what the answer means, for those that can be searched. Pure, as everything about
// providers is. Some find series, others only the sets or routes in which series are.
import type { Frequency } from '../core/period.ts'
import type { ProviderName } from '../core/series.ts'
import type { Answer, ProviderRequest, ReadingProblem } from './provider.ts'

export interface SearchQuestion {
  readonly text: string
  readonly key: string | null
  readonly limit: number
}

export interface Found {
  /** A series has a code that can be followed; a set is where to look for one. */
  readonly kind: 'series' | 'set'
  readonly code: string
  readonly name: string
  readonly unit: string | null
  readonly frequency: Frequency | null
  /** What else is known, in words. */
  readonly note: string | null
}

export interface SearchReading {
  readonly found: readonly Found[]
  readonly problems: readonly ReadingProblem[]
}

export interface ProviderSearch {
  readonly name: ProviderName
  searchRequest(question: SearchQuestion): ProviderRequest
  /** Never throws for what a provider sent. Where the provider does not choose by words, this does. */
  readSearch(answer: Answer, question: SearchQuestion): SearchReading
}

export function get(
  path: string,
  secrets: readonly string[] = [],
  headers: Record<string, string> = {},
): ProviderRequest {
  return { codes: [], method: 'GET', path, headers, body: null, secrets }
}

/** Whether every word stands somewhere in one of the texts, whatever its letters. */
export function matches(text: string, ...held: readonly (string | null)[]): boolean {
  const all = held.join(' ').toLowerCase()
  return wordsOfText(text).every(word => all.includes(word))
}

function wordsOfText(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(word => word !== '')
}

/** Best first: the code itself, codes and names that begin so, then shorter names. */
export function rank(found: readonly Found[], text: string): readonly Found[] {
  const wanted = text.trim().toLowerCase()
  const score = ({ code, name }: Found): number => {
    const [ownCode, ownName] = [code.toLowerCase(), name.toLowerCase()]
    if (ownCode === wanted) return 0
    if (ownCode.startsWith(wanted) || ownName.startsWith(wanted)) return 1
    return ownName.includes(wanted) ? 2 : 3
  }
  return found.toSorted((a, b) => score(a) - score(b) || a.name.length - b.name.length)
}
