// Console calls about the public log: slips of signatures, and the growth of the log. Under `/console/w/:workspace`.
import { Type } from '../../formats/json-schema.ts'
import type { LogGrowth, ProofPage, SlipsView } from '../shapes/signatures.ts'
import { answers, type Calls, closed } from './call.ts'

export const logCalls = {
  /** State of the log, and its witnesses. */
  'GET /proof': { answer: answers<ProofPage>() },
  /** Slips of everything that this person has signed in the workspace. */
  'GET /proof/slips': { answer: answers<SlipsView>() },
  /** Growth from the size of a checkpoint of that origin, kept by the browser. */
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
  /** Slips of the signatures of a period that this person sees; with the contents of their own. */
  'GET /agreements/:slug/periods/:period/slip': { answer: answers<SlipsView>() },
  'GET /corrections/:id/slip': { answer: answers<SlipsView>() },
  'GET /terms-changes/:id/slip': { answer: answers<SlipsView>() },
} satisfies Calls
