// The calls of the console about the public log: slips of signatures, and how the log grew. Under `/console/w/:workspace`.
import { Type } from '../../formats/json-schema.ts'
import type { LogGrowth, ProofPage, SlipsView } from '../shapes/signatures.ts'
import { answers, type Calls, closed } from './call.ts'

export const logCalls = {
  /** How the log stands, and who vouches for it. */
  'GET /proof': { answer: answers<ProofPage>() },
  /** Of everything that this person has signed in the workspace. */
  'GET /proof/slips': { answer: answers<SlipsView>() },
  /** From the size of a checkpoint that the browser has kept, of that origin. */
  'GET /log/consistency': {
    query: Type.Object(
      {
        from: Type.Integer({ minimum: 0 }),
        origin: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
      },
      closed,
    ),
    answer: answers<LogGrowth>(),
  },
  /** Of the signatures of a period that this person sees; with the contents of their own. */
  'GET /agreements/:slug/periods/:period/slip': { answer: answers<SlipsView>() },
  'GET /corrections/:id/slip': { answer: answers<SlipsView>() },
  'GET /terms-changes/:id/slip': { answer: answers<SlipsView>() },
} satisfies Calls
