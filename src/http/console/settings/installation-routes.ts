// Console routes about the installation itself, for its operators alone: the state of all providers, the quarantine of every public
// series, its decisions, the operators, and the limits of every workspace.
import { databaseKind } from '../../../config.ts'
import { listOperators } from '../../../storage/people/operators.ts'
import type { InstallationPage } from '../../../views/shapes/installation.ts'
import { type PublicRoute, publicRoute as route, signedIn } from '../frame/public-route.ts'
import type { ConsoleParts } from '../frame/route.ts'
import { listAllProviders } from '../series/providers-state.ts'
import { decideEntry, listAllWaiting, listDecided } from '../series/quarantine.ts'
import { decideWaitingCalendar, listWaitingCalendars } from '../series/waiting-calendars.ts'
import { decideWaitingDrift, listWaitingDrifts } from '../series/waiting-drifts.ts'
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
          database: databaseKind(parts.config),
          providers: await listAllProviders(parts),
          waiting: await listAllWaiting(parts),
          drifts: await listWaitingDrifts(parts),
          calendars: await listWaitingCalendars(parts, null),
          decided: await listDecided(parts, null),
          operators: operators.map(({ personId, email, addedBy, addedAt }) => {
            return { email, isMe: personId === person.id, addedBy, addedAt }
          }),
        }
        return page
      },
    }),
    route('POST /installation/quarantine/:id', {
      isForOperators: true,
      async answer(request) {
        const { params, body } = request
        await decideEntry(parts, params.id, body.decision, signedIn(request).person)
      },
    }),
    route('POST /installation/drifts/:id', {
      isForOperators: true,
      async answer(request) {
        const { params, body } = request
        await decideWaitingDrift(parts, params.id, body.decision, signedIn(request).person)
      },
    }),
    route('POST /installation/calendars/:id', {
      isForOperators: true,
      async answer(request) {
        const { params, body } = request
        await decideWaitingCalendar(parts, params.id, body.decision, signedIn(request).person)
      },
    }),
    ...workspaceLimitsRoutes(parts),
  ]
}
