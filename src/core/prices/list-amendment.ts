// The body of a change of terms by which another price list governs: the agreement, the first period, the change of each price,
// and the reason. The rows of the list are its document.

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
  orNull,
  text,
  type Written,
  wholeNumber,
} from '../text/exact-shape.ts'
import { sha256 } from '../text/sha256.ts'
import type { Instant } from '../time/instant.ts'

export const listFormat = 'assize-price-list/1'

const price = (what: string, missing: string) => orNull(text(what), missing)

export const listBody = mapping('What both parties sign of a price list.', {
  format: literal(listFormat, 'Of the body'),
  ...headFields,
  basis: wholeNumber('The formula version that governs'),
  listBefore: orNull(wholeNumber('The version of the price list before'), 'Null where it is the first'),
  listAfter: hexHash('SHA-256 of the rows of the list, as JSON'),
  from: text('The period from which it governs: `start` or a label'),
  effectiveFrom: day('The first day of that period'),
  ownPriceUntil: orNull(
    day('The last adjustment date that both had signed'),
    'Of a first list that reaches back: until then the contract’s own price stays an item; null where it does not',
  ),
  effect: mapping('What becomes of prices, as known when it was proposed.', {
    period: text('The newest period with a number: both lists are priced by its factor'),
    currency: orNull(text('Of all prices'), 'Null where nothing has a price'),
    unchanged: wholeNumber('How many prices stay as they are'),
    changes: listOf(
      mapping('A price that differs.', {
        item: text('The key of the item'),
        fromQuantity: text('The quantity from which it counts, `0` for all'),
        before: price('The base price as written', 'Null where the item is new'),
        after: price('The base price as written', 'Null where the item is left out'),
        priceBefore: price('The price in that period', 'Null where there is none'),
        priceAfter: price('The price that the list would make in that period', 'Null where there is none'),
      }),
      'By item and quantity',
    ),
  }),
  reason: text('Why, in words'),
  knownAt: instant('When it was proposed; figures are as known then'),
})

export type ListBody = Written<typeof listBody>

interface ListParts extends Pick<ListBody, 'basis' | 'listBefore' | 'from' | 'effectiveFrom' | 'ownPriceUntil'> {
  readonly head: SignedHead
  /** The rows as JSON text. */
  readonly rows: string
  readonly effect: ListBody['effect']
  readonly reason: string
  readonly knownAt: Instant
}

export function buildListAmendment({ head, rows, ...rest }: ListParts): ListBody {
  const { basis, listBefore, from, effectiveFrom, ownPriceUntil, effect, reason, knownAt } = rest
  return {
    format: listFormat,
    ...head,
    basis,
    listBefore,
    listAfter: sha256(rows),
    from,
    effectiveFrom,
    ownPriceUntil,
    effect,
    reason,
    knownAt,
  }
}

/** For the description of the API. */
export const listBodySchema = listBody.schema

export function readListBody(value: unknown): ListBody {
  return checked(listBody, value, 'body')
}
