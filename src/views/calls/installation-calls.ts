// Console calls for operators, about the whole installation, outside any workspace. Under `/console`; others get 403.
import { Type } from '../../formats/json-schema.ts'
import type { InstallationPage, InstallationWorkspace } from '../shapes/installation.ts'
import { answers, type Calls, closed, nothing, type Sent } from './call.ts'
import { decisionBody } from './series-calls.ts'

/** Null restores the default; a limit left out stays. The bounds are those of the command line. */
const limit = Type.Optional(Type.Union([Type.Integer(), Type.Null()]))
const limitsBody = Type.Object(
  {
    rateLimit: limit,
    workspaceRateLimit: limit,
    agreements: limit,
    series: limit,
    keys: limit,
    vintages: limit,
    people: limit,
    uploads: limit,
    prices: limit,
    lines: limit,
  },
  closed,
)
export type LimitsRequest = Sent<typeof limitsBody>

export const installationCalls = {
  'GET /installation': { answer: answers<InstallationPage>() },
  'POST /installation/quarantine/:id': { body: decisionBody, answer: nothing },
  'POST /installation/drifts/:id': { body: decisionBody, answer: nothing },
  'POST /installation/calendars/:id': { body: decisionBody, answer: nothing },
  /** All workspaces, by slug. */
  'GET /installation/workspaces': { answer: answers<readonly InstallationWorkspace[]>() },
  /** Returns the changed workspace. */
  'PATCH /installation/workspaces/:slug': { body: limitsBody, answer: answers<InstallationWorkspace>() },
} satisfies Calls
