// A change of terms that is ready to be proposed: its body, the document that takes effect, and what of the body decides whether
// it is still the same change.

import { readAmendmentBody } from '../../core/index-changes/amendment.ts'
import { canonicalJson, type Json } from '../../core/text/canonical-json.ts'
import type { ChangeOfTerms, NewChange } from '../../storage/agreements/terms-changes.ts'
import { hashText } from '../../storage/log/content.ts'
import type { Judged } from '../judge.ts'

export interface BuiltChange
  extends Pick<NewChange, 'kind' | 'hash' | 'body' | 'document' | 'ground' | 'basis' | 'effectiveFrom' | 'series'> {
  readonly judged: Judged
}

export function built(
  content: object,
  judged: Judged,
  head: Pick<NewChange, 'kind' | 'document' | 'ground' | 'basis' | 'effectiveFrom' | 'series'>,
): BuiltChange {
  const body = canonicalJson(content as Json)
  return { ...head, hash: hashText(body), body, judged }
}

/** A body as text, by its kind; refuses one of another form. */
export function readBody(kind: ChangeOfTerms, text: string): object {
  const value: unknown = JSON.parse(text)
  return readers[kind](value)
}

const readers: Readonly<Record<ChangeOfTerms, (value: unknown) => object>> = {
  AMENDMENT: readAmendmentBody,
  SPLICE: value => value as object,
}

/**
 * What a signature holds on to. The effect on later dates is told as of the day of the proposal and moves with every figure
 * that is published; the terms do not.
 */
export function termsIn(body: string): string {
  const { effect: _effect, knownAt: _knownAt, ...terms } = JSON.parse(body) as Record<string, Json>
  return canonicalJson(terms)
}
