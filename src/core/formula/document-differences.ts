// The differences between two formula documents, path by path, in the document's own words. It compares the written text, not
// its meaning.
import { canonicalJson, isList, type Json } from '../text/canonical-json.ts'
import { isObject, type JsonObject } from './canonical.ts'
import { joinPath } from './raw.ts'

interface DocumentDifference {
  /** `clause.cap.periodPct`; steps and the like go by their names: `steps.factor.expr`. */
  readonly path: string
  /** The value as written in the document; null if the key was absent. */
  readonly before: string | null
  readonly after: string | null
}

export function documentDifferences(before: JsonObject, after: JsonObject): DocumentDifference[] {
  return compareMaps('', before, after)
}

function compareValues(path: string, before: Json | undefined, after: Json | undefined): DocumentDifference[] {
  if (before !== undefined && after !== undefined) {
    if (canonicalJson(before) === canonicalJson(after)) return []
    if (isObject(before) && isObject(after)) return compareMaps(path, before, after)
    if (isList(before) && isList(after)) return compareLists(path, before, after)
  }
  return [{ path, before: wordsOf(before), after: wordsOf(after) }]
}

function compareMaps(path: string, before: JsonObject, after: JsonObject): DocumentDifference[] {
  const keys = [...Object.keys(after), ...Object.keys(before).filter(key => !Object.hasOwn(after, key))]
  const at = (map: JsonObject, key: string) => (Object.hasOwn(map, key) ? map[key] : undefined)
  return keys.flatMap(key => compareValues(joinPath(path, key), at(before, key), at(after, key)))
}

/** Lists whose items carry names are compared name by name, other lists place by place. */
function compareLists(path: string, before: readonly Json[], after: readonly Json[]): DocumentDifference[] {
  const [named, namedAfter] = [byName(before), byName(after)]
  if (named !== null && namedAfter !== null) {
    const differences = compareMaps(path, named, namedAfter)
    const order = (map: JsonObject) => Object.keys(map).join(', ')
    return differences.length > 0 ? differences : [{ path, before: order(named), after: order(namedAfter) }]
  }
  return Array.from({ length: Math.max(before.length, after.length) }, (_, i) =>
    compareValues(joinPath(path, i), before[i], after[i]),
  ).flat()
}

function byName(list: readonly Json[]): JsonObject | null {
  const entries = list.map(item =>
    isObject(item) && typeof item.name === 'string' ? ([item.name, item] as const) : null,
  )
  if (entries.some(entry => entry === null)) return null
  const known = entries as (readonly [string, Json])[]
  return new Set(known.map(([name]) => name)).size === known.length ? Object.fromEntries(known) : null
}

/** A value in the flow style of YAML: `{ pct: 3, test: EXCEEDS }`. */
function wordsOf(value: Json | undefined): string | null {
  if (value === undefined) return null
  if (value === null) return ''
  if (isList(value)) return value.length === 0 ? '[]' : `[${value.map(item => wordsOf(item) ?? '').join(', ')}]`
  if (!isObject(value)) return String(value)
  const entries = Object.entries(value).map(([key, item]) => `${key}: ${wordsOf(item) ?? ''}`)
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}
