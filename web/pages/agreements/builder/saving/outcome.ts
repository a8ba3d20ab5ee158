// Outcome of saving a text, shown beforehand: a new version, one that both sign first, new descriptions for the same version, or
// nothing.

import { calculatingPart, type JsonObject, rawToJson } from '../../../../../src/core/formula/canonical.ts'
import { canonicalJson } from '../../../../../src/core/text/canonical-json.ts'
import { openDocument } from '../document/document.ts'

export type Outcome = 'new version' | 'proposed' | 'changed' | 'layout' | 'unchanged'

interface OutcomeContext {
  /** Whether both have signed a number of it; before, one side changes it alone. */
  readonly isSigned: boolean
  /** Whether the contract's own words are others than the saved ones. */
  readonly isReworded: boolean
}

export function outcomeOf(saved: string, text: string, { isSigned, isReworded }: OutcomeContext): Outcome {
  if (saved === text && !isReworded) return 'unchanged'
  const [before, after] = [treeOf(saved), treeOf(text)]
  if (before === null || after === null) return 'new version'
  if (!isReworded && canonicalJson(before) === canonicalJson(after)) return 'layout'
  const isSameRule = canonicalJson(calculatingPart(before)) === canonicalJson(calculatingPart(after))
  if (!isReworded && isSameRule) return 'changed'
  const { change } = (before.contract ?? {}) as JsonObject
  return isSigned && change === 'BOTH' ? 'proposed' : 'new version'
}

function treeOf(text: string): JsonObject | null {
  const { root, unreadable } = openDocument(text)
  return unreadable === null ? (rawToJson(root) as JsonObject) : null
}
