// Every call of the console, under `/console` or under `/console/w/:workspace`.

import { agreementCalls } from './agreement-calls.ts'
import { companyCalls } from './company-calls.ts'
import { dueCalls } from './due-calls.ts'
import { factorCalls } from './factor-calls.ts'
import { identityCalls, providerCalls } from './identity-calls.ts'
import { inboxCalls } from './inbox-calls.ts'
import { indexChangeCalls } from './index-change-calls.ts'
import { installationCalls } from './installation-calls.ts'
import { invoiceCalls } from './invoice-calls.ts'
import { logCalls } from './log-calls.ts'
import { objectionCalls } from './objection-calls.ts'
import { partyCalls } from './party-calls.ts'
import { seriesCalls } from './series-calls.ts'
import { sessionCalls } from './session-calls.ts'
import { settingsCalls } from './settings-calls.ts'
import { trueUpCalls } from './true-up-calls.ts'
import { webhookCalls } from './webhook-calls.ts'

export const publicCalls = { ...sessionCalls, ...factorCalls, ...installationCalls, ...identityCalls }
export type PublicCalls = typeof publicCalls

export const workspaceCalls = {
  ...seriesCalls,
  ...agreementCalls,
  ...inboxCalls,
  ...dueCalls,
  ...indexChangeCalls,
  ...objectionCalls,
  ...invoiceCalls,
  ...trueUpCalls,
  ...settingsCalls,
  ...partyCalls,
  ...companyCalls,
  ...logCalls,
  ...providerCalls,
  ...webhookCalls,
}
export type WorkspaceCalls = typeof workspaceCalls
