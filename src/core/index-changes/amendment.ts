// The body of an amendment, which both parties sign: the agreement, the document before and after, the differences, the
// contract's own words where they change, the first date, the effect on the next dates, and the reason.

import type { JsonObject } from '../formula/canonical.ts'
import { documentDifferences } from '../formula/document-differences.ts'
import { wordsShape } from '../formula/words/contract-words.ts'
import type { SignedHead } from '../receipt/receipt.ts'
import { headFields } from '../receipt/receipt-schema.ts'
import {
  checked,
  day,
  hexHash,
  instant,
  listOf,
  literal,
  mapping,
  optional,
  orNull,
  text,
  type Written,
  wholeNumber,
} from '../text/exact-shape.ts'
import { sha256 } from '../text/sha256.ts'
import type { Instant } from '../time/instant.ts'
import { termsEffect } from './terms-effect.ts'

export const amendmentFormat = 'assize-amendment/1'

export const amendmentBody = mapping('What both parties sign of an amendment.', {
  format: literal(amendmentFormat, 'Of the body'),
  ...headFields,
  basis: wholeNumber('The formula version that it changes'),
  documentBefore: hexHash('SHA-256 of the text of the document that governs'),
  documentAfter: hexHash('SHA-256 of the text of the document that takes its place'),
  differences: listOf(
    mapping('A key of the document that differs.', {
      path: text('Such as `clause.cap.periodPct`'),
      before: orNull(text('As written'), 'Null where the key was absent'),
      after: orNull(text('As written'), 'Null where the key is absent'),
    }),
    'What differs, key by key',
  ),
  words: optional(
    mapping('The contract’s own words; left out where they stay.', {
      before: orNull(hexHash('Of the words of the version that it changes'), 'Null where that has none'),
      after: orNull(wordsShape, 'The words that take their place; null where there are none from then on'),
    }),
  ),
  effectiveFrom: day('The first adjustment date under the new terms; what both have signed before stays'),
  effect: termsEffect,
  reason: text('Why, in words'),
  knownAt: instant('When it was proposed; figures are as known then'),
})

export type AmendmentBody = Written<typeof amendmentBody>

/** A document as text and as it was read. */
interface ReadDocument {
  readonly text: string
  readonly document: JsonObject
}

interface AmendmentParts extends Pick<AmendmentBody, 'basis' | 'words' | 'effectiveFrom' | 'effect' | 'reason'> {
  readonly head: SignedHead
  readonly before: ReadDocument
  readonly after: ReadDocument
  readonly knownAt: Instant
}

export function buildAmendment({ head, before, after, ...rest }: AmendmentParts): AmendmentBody {
  const { basis, words, effectiveFrom, effect, reason, knownAt } = rest
  return {
    format: amendmentFormat,
    ...head,
    basis,
    documentBefore: sha256(before.text),
    documentAfter: sha256(after.text),
    differences: documentDifferences(before.document, after.document),
    ...(words === undefined ? {} : { words }),
    effectiveFrom,
    effect,
    reason,
    knownAt,
  }
}

/** For the description of the API. */
export const amendmentBodySchema = amendmentBody.schema

export function readAmendmentBody(value: unknown): AmendmentBody {
  return checked(amendmentBody, value, 'body')
}
