// Searching a provider: the request and the parsed answer, for providers that can be searched. Pure, like everything about
// providers. Some searches find series, others only the data sets or routes that contain series.

import type { ProviderName } from '../../core/series/series.ts'
import type { Frequency } from '../../core/time/period.ts'
import { getRequest } from '../formats/address.ts'
import type { Answer, AnswerProblem, ProviderRequest } from '../provider.ts'

interface SearchQuery {
  readonly text: string
  readonly key: string | null
  readonly limit: number
}

/** Characters of a search text. */
export const longestSearch = 200

export interface SearchHit {
  /** A series has a code that can be followed; a set is where to look for one. */
  readonly kind: 'series' | 'set'
  readonly code: string
  readonly name: string
  readonly unit: string | null
  readonly frequency: Frequency | null
  /** Anything else worth knowing, in words. */
  readonly note: string | null
}

export interface ParsedSearch {
  readonly found: readonly SearchHit[]
  readonly problems: readonly AnswerProblem[]
}

export interface ProviderSearch {
  readonly name: ProviderName
  searchRequest(query: SearchQuery): ProviderRequest
  /** Never throws, whatever the provider sent. Filters by the words if the provider does not. */
  readSearch(answer: Answer, query: SearchQuery): ParsedSearch
}

export function get(
  path: string,
  secrets: readonly string[] = [],
  headers: Record<string, string> = {},
): ProviderRequest {
  return getRequest([], path, { headers, secrets })
}

/** Whether every word occurs in one of the texts, ignoring case. */
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

/** Best first: the exact code, then codes and names that start with the text, then shorter names. */
export function rank(found: readonly SearchHit[], text: string): readonly SearchHit[] {
  const wanted = text.trim().toLowerCase()
  const score = ({ code, name }: SearchHit): number => {
    const [ownCode, ownName] = [code.toLowerCase(), name.toLowerCase()]
    if (ownCode === wanted) return 0
    if (ownCode.startsWith(wanted) || ownName.startsWith(wanted)) return 1
    return ownName.includes(wanted) ? 2 : 3
  }
  return found.toSorted((a, b) => score(a) - score(b) || a.name.length - b.name.length)
}
