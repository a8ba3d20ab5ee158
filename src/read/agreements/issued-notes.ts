// The notes of an agreement that were issued by an instant, each with the supplier who issued it: the one that agreed its
// correction, whoever is the supplier since.

import type { IssuedNote } from '../../core/invoices/issued-note.ts'
import { ratio } from '../../core/numbers/ratio.ts'
import { isBy } from '../../core/series/vintage.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { AgreementSnapshot, AgreementState } from './agreement-snapshot.ts'

export function issuedNotes(
  { slug, kept: { states } }: Pick<AgreementSnapshot, 'slug' | 'kept'>,
  { state, corrections }: Pick<AgreementState, 'state' | 'corrections'>,
  knownAt: Instant | null,
): readonly IssuedNote[] {
  return corrections.flatMap(({ id, agreedAt, body, kept: { notes } }) => {
    const then = states.findLast(({ recordedAt }) => recordedAt <= agreedAt) ?? state
    const { supplier } = then.parties
    const company = typeof supplier === 'string' ? supplier : null
    return notes
      .filter(({ recordedAt }) => isBy(recordedAt, knownAt))
      .map(({ part, number, amount, recordedAt }) => ({
        id: `${id}/${part}`,
        issuedAt: recordedAt,
        company,
        supplier: company ?? slug,
        number,
        // Only a part with an amount is billed, and it has a currency.
        amount: ratio(amount),
        currency: body.currency!,
      }))
  })
}
