// The routes of the console about the installation itself, for its operators alone: the state of all providers, what is
// in quarantine for any public series, who decided what, who the operators are, and the limits of every workspace.
import { listOperators } from '../../storage/operators.ts'
import { listAllProviders } from './providers-state.ts'
import { type PublicRoute, publicRoute as route, signedIn } from './public-route.ts'
import { decideEntry, listAllWaiting, listDecided } from './quarantine.ts'
import { type ConsoleParts, done, ok } from './route.ts'
import type { InstallationPage } from './wire/installation.ts'
import { workspaceLimitsRoutes } from './workspace-limits-routes.ts'

export function installationRoutes(parts: ConsoleParts): readonly PublicRoute[] {
  return [
    route('GET /installation', {
      isForOperators: true,
      async answer(request) {
        const { person } = signedIn(request)
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
    }),
    route('POST /installation/quarantine/:id', {
      isForOperators: true,
      async answer(request) {
        const { params, body } = request
        await decideEntry(parts, params.id, body.decision, signedIn(request).person)
        return done
      },
    }),
    ...workspaceLimitsRoutes(parts),
  ]
}
