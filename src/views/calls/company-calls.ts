// The calls of the console about the company a person belongs to. Under `/console/w/:workspace`, for everybody: each sees
// their own company only.

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
  /** Says that exactly this list is the company's people; like a signature it needs the password again, or a passkey. */
  'POST /company/confirm': { body: confirmBody, answer: answers<CompanyPage>() },
  'POST /company/administrators': {
    body: Type.Object({ id: Type.String({ maxLength: 60 }), isOne: Type.Boolean() }, closed),
    answer: answers<CompanyPage>(),
  },
  /** Everything up to this number was seen. */
  'POST /company/seen': { body: Type.Object({ until: Type.Integer({ minimum: 0 }) }, closed), answer: nothing },
  /** What is recorded about the person who asks, and becomes part of what they sign. */
  'GET /signer': { answer: answers<SignerOrigin>() },
} satisfies Calls
