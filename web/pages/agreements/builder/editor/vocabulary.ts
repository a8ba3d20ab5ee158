// The words of a formula document, by place, for completion. They are read from the engine's own tables of keys, calls and
// names; only the engine's checks decide what is valid.

import { roundingKeys } from '../../../../../src/core/formula/check/fields.ts'
import type { KeySpec, ValueKind } from '../../../../../src/core/formula/check/keys.ts'
import { callNames, callWords } from '../../../../../src/core/formula/expression.ts'
import { builtinNames, builtinWords } from '../../../../../src/core/formula/resolve.ts'
import { allKeys } from '../../../../../src/core/formula/schema.ts'
import { sentenceCase } from '../../../../components/words/words.ts'

export interface Word {
  readonly label: string
  readonly detail: string
  /** A sentence about the word, shown beside the selected suggestion. */
  readonly info?: string
  /** Inserted after the key: a space for a value, `{ … }` or a new line for nested content. */
  readonly apply?: string
}

const specs = allKeys().map(spec => ({ spec, parts: spec.path.split('.') }))

/** Whether a path matches one from a table; `*` stands for any name or number. */
function fits(parts: readonly string[], path: readonly string[]): boolean {
  return parts.length === path.length && parts.every((part, i) => part === '*' || part === path[i])
}

/** The key at a path, also inside a rounding. */
export function specAt(path: readonly string[]): KeySpec | undefined {
  const found = specs.find(({ parts }) => fits(parts, path))?.spec
  if (found !== undefined || path.length === 0) return found
  const around = specs.find(({ parts }) => fits(parts, path.slice(0, -1)))?.spec
  return around?.value.kind === 'rounding' ? roundingKeys.find(key => key.path === path.at(-1)) : undefined
}

/** The keys in the mapping at a path, in the order of the tables. */
export function specsIn(path: readonly string[]): readonly KeySpec[] {
  if (specAt(path)?.value.kind === 'rounding') return roundingKeys
  return specs.filter(({ parts }) => fits(parts.slice(0, -1), path) && parts.at(-1) !== '*').map(({ spec }) => spec)
}

export function nameOf({ path }: KeySpec): string {
  return path.split('.').at(-1)!
}

/** The form's names of the keys. */
export const keyNames: ReadonlyMap<string, string> = new Map(specs.map(({ spec }) => [nameOf(spec), spec.label]))

/** The keys allowed in the mapping at a path. */
export function keysFor(path: readonly string[]): readonly Word[] {
  return specsIn(path).map(spec => {
    const label = nameOf(spec)
    return {
      label,
      detail: spec.label,
      info: sentenceCase(spec.help),
      apply: `${label}:${afterKey(spec.value, path.length)}`,
    }
  })
}

/** Nested content of a root key starts on a new line; deeper down it is written in braces, which the person types. */
function afterKey({ kind }: ValueKind, depth: number): string {
  if (depth > 0) return ' '
  if (kind === 'list') return '\n  - '
  return kind === 'mapping' || kind === 'names' ? '\n  ' : ' '
}

const spans: readonly Word[] = [
  { label: '1 month', detail: 'a calendar month' },
  { label: '2 months', detail: '' },
  { label: '1 quarter', detail: '' },
  { label: '1 week', detail: '' },
]
const windows: readonly Word[] = [
  { label: '3 months', detail: 'periods of the series, or whole months of its days' },
  { label: '1 month', detail: 'the month that holds the lagged day' },
  { label: '{ last: 5 }', detail: 'the newest observations' },
  { label: '{ from: 21, to: 20 }', detail: 'from a day of the month to another' },
]
const missing: readonly Word[] = [
  { label: 'BLOCK', detail: 'no adjustment; the default' },
  { label: 'LAST_KNOWN', detail: 'the newest earlier value' },
  { label: '{ fallback: PROVIDER/code }', detail: 'another series' },
  { label: '{ agreed: { 2025-10: 325.1 } }', detail: 'values the parties agreed on' },
  { label: '{ yoyEstimate: { capPct: 2 } }', detail: 'from the year before' },
  { label: '{ trend: { over: 12 months, dp: 3 } }', detail: 'as it moved before' },
]
const roundings: readonly Word[] = [
  { label: '{ dp: 2 }', detail: 'decimals' },
  { label: '{ multiple: 0.05 }', detail: 'multiples of a number' },
  { label: 'NONE', detail: 'states that nothing is rounded' },
]

export function valuesFor(path: readonly string[]): readonly Word[] {
  const spec = specAt(path)
  return spec === undefined ? [] : wordsOf(spec)
}

function wordsOf({ value, otherwise }: KeySpec): readonly Word[] {
  const told = (label: string, words: string): Word => {
    const detail = [words, ...(label === otherwise ? ['the default'] : [])].filter(text => text !== '').join('; ')
    return { label, detail }
  }
  switch (value.kind) {
    case 'choice':
      return value.choices.map(choice => told(choice.value, choice.words))
    case 'text':
      return (value.offers ?? []).map(offer => told(offer.value, offer.words))
    case 'truth':
      return [told('true', ''), told('false', '')]
    case 'span':
      return spans
    case 'window':
      return windows
    case 'missing':
      return missing
    case 'rounding':
      return roundings
    default:
      return []
  }
}

/** Whether the value at a path names a series. */
export function isSeriesPlace(path: readonly string[]): boolean {
  return specAt(path)?.value.kind === 'series'
}

/** Whether a number at a path may be replaced by the name of a param. */
export function isParamPlace(path: readonly string[]): boolean {
  const value = specAt(path)?.value
  return value?.kind === 'number' && value.param
}

/** The functions that expressions may call, with their arguments. */
export const calls: readonly Word[] = callNames.map(label => ({ label, detail: callWords[label] }))

/** Names available in every expression. */
export const builtins: readonly Word[] = builtinNames.map(label => ({ label, detail: builtinWords[label] }))
