// The routes of the console about the installation itself, for its operators alone: how all providers stand, what waits in
// the quarantine of anybody's public series, who decided what, who the operators are, and what every workspace may hold.
import { listOperators } from '../../storage/operators.ts'
import { listAllProviders } from './providers-state.ts'
import { type PublicRoute, signedIn } from './public-route.ts'
import { decideEntry, decisionSchema, listAllWaiting, listDecided } from './quarantine.ts'
import { type ConsoleParts, done, ok } from './route.ts'
import type { InstallationPage } from './wire/installation.ts'
import type { QuarantineDecision } from './wire/series.ts'
import { workspaceLimitsRoutes } from './workspace-limits-routes.ts'

export function installationRoutes(parts: ConsoleParts): readonly PublicRoute[] {
  return [
    {
      method: 'GET',
      path: '/installation',
      isForOperators: true,
      async answer(question) {
        const { person } = signedIn(question)
        await parts.catchUp()
        const operators = await listOperators(parts.installation.sql)
        const page: InstallationPage = {
          providers: await listAllProviders(parts),
          waiting: await listAllWaiting(parts),
          decided: await listDecided(parts, null),
          operators: operators.map(({ personId, email, addedBy, addedAt }) => {
            return { email, isMe: personId === person.id, addedBy, addedAt }
          }),
        }
        return ok(page)
      },
    },
    {
      method: 'POST',
      path: '/installation/quarantine/:id',
      isForOperators: true,
      body: decisionSchema,
      async answer(question) {
        const { person } = signedIn(question)
        const { decision } = question.body as QuarantineDecision
        await decideEntry(parts, question.params.id!, decision, person)
        return done
      },
    },
    ...workspaceLimitsRoutes(parts),
  ]
}
