// What saving a text would do, shown beforehand: a new version, new descriptions for the same version, or nothing.

import { calculatingPart, type JsonObject, rawToJson } from '../../../../../src/core/formula/canonical.ts'
import { canonicalJson } from '../../../../../src/core/text/canonical-json.ts'
import { openDocument } from '../document/document.ts'

export type Outcome = 'new version' | 'changed' | 'layout' | 'unchanged'

export function outcomeOf(saved: string, text: string): Outcome {
  if (saved === text) return 'unchanged'
  const [before, after] = [treeOf(saved), treeOf(text)]
  if (before === null || after === null) return 'new version'
  if (canonicalJson(before) === canonicalJson(after)) return 'layout'
  return canonicalJson(calculatingPart(before)) === canonicalJson(calculatingPart(after)) ? 'changed' : 'new version'
}

function treeOf(text: string): JsonObject | null {
  const { root, unreadable } = openDocument(text)
  return unreadable === null ? (rawToJson(root) as JsonObject) : null
}
