// Console calls about the company a person belongs to. Under `/console/w/:workspace`, for everybody: each sees their own company
// only.

import type { SignerOrigin } from '../../core/receipt/signer-origin.ts'
import { Type } from '../../formats/json-schema.ts'
import type { CompanyPage } from '../shapes/company.ts'
import { answers, type Calls, closed, nothing } from './call.ts'
import { assertionBody } from './factor-calls.ts'

const confirmBody = Type.Object(
  { hash: Type.String({ pattern: '^[0-9a-f]{64}$' }), passkey: Type.Optional(assertionBody) },
  closed,
)

export const companyCalls = {
  'GET /company': { answer: answers<CompanyPage>() },
  /** Confirms that exactly this list is the company's people; like a signature it needs the password again, or a passkey. */
  'POST /company/confirm': { body: confirmBody, answer: answers<CompanyPage>() },
  'POST /company/administrators': {
    body: Type.Object({ id: Type.String({ maxLength: 60 }), isOne: Type.Boolean() }, closed),
    answer: answers<CompanyPage>(),
  },
  /** Marks everything up to this number as seen. */
  'POST /company/seen': { body: Type.Object({ until: Type.Integer({ minimum: 0 }) }, closed), answer: nothing },
  /** Recorded facts about the person who asks, which become part of their signatures. */
  'GET /signer': { answer: answers<SignerOrigin>() },
} satisfies Calls
