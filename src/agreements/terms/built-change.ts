// A change of terms that is ready to be proposed: its body, the document that takes effect (of a price list its rows), and the
// part of the body that decides whether it is still the same change.

import { canonicalJson, type Json } from '../../core/text/canonical-json.ts'
import type { NewChange } from '../../storage/agreements/terms-changes.ts'
import { hashText } from '../../storage/log/content.ts'
import type { JudgedDocument } from '../judge.ts'

type Head = Pick<NewChange, 'kind' | 'document' | 'ground' | 'basis' | 'effectiveFrom' | 'series'>

export interface BuiltChange extends Head, Pick<NewChange, 'hash' | 'body'> {}

/** A change by which another formula document governs. */
export interface BuiltDocument extends BuiltChange {
  readonly judged: JudgedDocument
}

export function built(content: object, head: Head): BuiltChange {
  const body = canonicalJson(content as Json)
  return { ...head, hash: hashText(body), body }
}

/** Names, and what moves with every figure that is published. */
const asOfThatDay = new Set(['effect', 'knownAt', 'alternatives', 'installation', 'workspace', 'name', 'companies'])

/**
 * The terms that a signature binds. The effect on later dates is told as of the day of the proposal and moves with every figure
 * that is published; the terms do not.
 */
export function termsIn(body: string): string {
  const whole = JSON.parse(body) as Record<string, Json>
  return canonicalJson(Object.fromEntries(Object.entries(whole).filter(([key]) => !asOfThatDay.has(key))))
}
