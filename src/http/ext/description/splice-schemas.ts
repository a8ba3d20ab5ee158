// Shapes of /ext/v1: changes of terms.

import { amendmentBodySchema } from '../../../core/index-changes/amendment.ts'
import { spliceBodySchema } from '../../../core/index-changes/splice-schema.ts'
import { parties } from '../../../core/parties.ts'
import { listBodySchema } from '../../../core/prices/list-amendment.ts'
import { signatureMeans } from '../../../core/receipt/party-signature.ts'
import { changesOfTerms } from '../../../core/true-up/change-kinds.ts'
import { proposalStates } from '../../../core/true-up/proposal-state.ts'
import { Type } from '../../../formats/json-schema.ts'
import { count, day, exact, hexHash, microseconds, oneOf, orNull, text } from '../../v1/schema-parts.ts'
import { schemas as v1 } from '../../v1/schemas.ts'

const SpliceSignature = exact('A party’s signature on exactly this hash.', {
  party: oneOf(parties, 'For which side'),
  signedBy: text('E-mail address'),
  name: text('As the workspace names the person; empty where it does not'),
  signedAt: microseconds('When'),
  means: oneOf(signatureMeans, 'How it was known who signs'),
  list: orNull(
    exact('A list that was signed in one act.', {
      hash: hexHash('Of the list'),
      count: count('How many changes it lists', 1),
    }),
    'Null where it was signed alone',
  ),
})

const summary = {
  id: text('Identifier: `spl_…` of a splice, `amd_…` of an amendment'),
  agreement: text('The slug of the agreement'),
  kind: oneOf(
    changesOfTerms,
    'Another series in the place of one that ends, any other document, or another price list',
  ),
  state: oneOf(proposalStates, 'Derived from who signed or refused it, and from what came after; never LAPSED'),
  hash: hexHash('What both parties sign: SHA-256 of the body'),
  ground: oneOf(['EVENT', 'SUSPECT', 'BY_HAND'] as const, 'Why it is proposed'),
  basis: count('The formula version that it changes', 1),
  effectiveFrom: day('The first adjustment date under the new terms'),
  series: Type.Array(Type.String(), {
    description: 'Of a splice: the series that ends and the one that takes its place; else empty',
  }),
  offer: orNull(Type.String(), 'Those that were offered together have the same; null for one alone'),
  supersedes: orNull(Type.String(), 'The open one whose place it took'),
  plannedBy: orNull(count('Version', 1), 'The version whose plan it carries out: then nobody has to sign it'),
  proposedBy: text('Who proposed it'),
  proposedAt: microseconds('When'),
  signatures: Type.Array(SpliceSignature, { description: 'In the order they were given' }),
  refusal: orNull(
    exact('Who refused it, and why.', {
      party: oneOf(parties, 'The side that refused it'),
      reason: text('In their words'),
      at: microseconds('When'),
    }),
    'Null where nobody refused it',
  ),
  version: orNull(count('Version', 1), 'The formula version that it made; null where it made none'),
}

const SpliceRow = exact('A change of terms that both parties sign.', summary)
const Splice = exact('A change of terms with everything that is signed.', {
  ...summary,
  body: Type.Unsafe<unknown>({
    anyOf: [spliceBodySchema, amendmentBodySchema, listBodySchema],
    description: 'What was hashed, by its kind',
  }),
})
const SpliceList = exact('Changes of terms, the newest first.', {
  data: Type.Array(SpliceRow),
  pagination: v1.Pagination,
})

export const spliceSchemas = { SpliceList, SpliceRow, SpliceSignature, Splice } as const
