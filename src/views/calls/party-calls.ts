// Console calls about parties as companies. Under `/console/w/:workspace`. Everybody sees them except suppliers, who see only their
// own party; owners and editors create and rename them.

import { longestDetail } from '../../core/billing/party-fields.ts'
import { Type } from '../../formats/json-schema.ts'
import { limits } from '../../limits.ts'
import type { PartyBilling } from '../shapes/billing.ts'
import type { PartyRow } from '../shapes/parties.ts'
import { answers, type Calls, closed } from './call.ts'

const name = Type.String({ minLength: 1, maxLength: limits.namesLength })
const createBody = Type.Object({ slug: Type.String({ minLength: 1, maxLength: limits.slugLength }), name }, closed)

/** Details by field name; all of them, because a field left out is removed. */
const billingBody = Type.Object(
  {
    details: Type.Record(Type.String({ maxLength: 40 }), Type.String({ maxLength: longestDetail }), {
      maxProperties: 60,
    }),
  },
  closed,
)

export const partyCalls = {
  /** Sorted by name. */
  'GET /parties': { answer: answers<readonly PartyRow[]>() },
  /** Answers 201. */
  'POST /parties': { body: createBody, answer: answers<PartyRow>() },
  'PATCH /parties/:slug': { body: Type.Object({ name }, closed), answer: answers<PartyRow>() },
  /** For suppliers too, about their own company. */
  'GET /parties/:slug/billing': { answer: answers<PartyBilling>() },
  'POST /parties/:slug/billing': { body: billingBody, answer: answers<PartyBilling>() },
} satisfies Calls
