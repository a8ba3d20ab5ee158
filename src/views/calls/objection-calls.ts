// Console calls about objections. Under `/console/w/:workspace`. The side is the person's own.
import { Type } from '../../formats/json-schema.ts'
import { limits } from '../../limits.ts'
import type { AdjustmentPage } from '../shapes/agreements.ts'
import type { ReadingChoice } from '../shapes/objections.ts'
import { answers, type Calls, closed } from './call.ts'

const name = Type.String({ minLength: 1, maxLength: 200 })
const about = Type.Union([
  Type.Object({ kind: Type.Literal('number') }, closed),
  Type.Object({ kind: Type.Literal('line'), line: name }, closed),
  Type.Object({ kind: Type.Literal('figure'), input: name, series: name, period: name }, closed),
])

const objectBody = Type.Object(
  {
    /** Hash of the receipt that was shown. */
    hash: Type.String({ pattern: '^[0-9a-f]{64}$', description: '64 hexadecimal digits' }),
    about,
    reason: Type.String({ minLength: 1, maxLength: limits.objections.characters }),
    /** Id of a `ReadingChoice`; null for none. */
    reading: Type.Union([Type.String({ maxLength: 40 }), Type.Null()]),
  },
  closed,
)

const answerBody = Type.Object(
  { words: Type.String({ minLength: 1, maxLength: limits.objections.characters }) },
  closed,
)
const withdrawBody = Type.Object({ words: Type.String({ maxLength: limits.objections.characters }) }, closed)

export const objectionCalls = {
  /** Other readings of the clause that give the period a number. */
  'GET /agreements/:slug/periods/:period/readings': { answer: answers<readonly ReadingChoice[]>() },
  /** Returns the page afterwards. 409 if the proposal has changed: then nothing is recorded. */
  'POST /agreements/:slug/periods/:period/objections': { body: objectBody, answer: answers<AdjustmentPage>() },
  /** For either side. */
  'POST /agreements/:slug/periods/:period/objections/:id/answers': {
    body: answerBody,
    answer: answers<AdjustmentPage>(),
  },
  /** For the side that objected. */
  'POST /agreements/:slug/periods/:period/objections/:id/withdraw': {
    body: withdrawBody,
    answer: answers<AdjustmentPage>(),
  },
} satisfies Calls
