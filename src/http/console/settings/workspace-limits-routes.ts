// Console routes where operators see every workspace of the installation and set its limits.
import { Refusal } from '../../../core/refusal.ts'
import {
  listWorkspacesFor,
  setLimitsAs,
  type WorkspaceWithLimits,
} from '../../../storage/people/operator-workspaces.ts'
import { limitRules } from '../../../storage/workspaces/workspace-limits.ts'
import type { InstallationWorkspace } from '../../../views/shapes/installation.ts'
import { type PublicRoute, publicRoute as route, signedIn } from '../frame/public-route.ts'
import type { ConsoleParts } from '../frame/route.ts'

export function workspaceLimitsRoutes({ installation: { sql } }: ConsoleParts): readonly PublicRoute[] {
  return [
    route('GET /installation/workspaces', {
      isForOperators: true,
      async answer(request) {
        const held = await listWorkspacesFor(sql, signedIn(request).person.id)
        return held.map(rowOf)
      },
    }),
    route('PATCH /installation/workspaces/:slug', {
      isForOperators: true,
      // The bounds of each limit are checked with the rules of the command line.
      async answer(request) {
        const { person } = signedIn(request)
        const { body: changes, params, fromAddress } = request
        if (Object.keys(changes).length === 0) throw new Refusal('invalid', 'nothing to change: name a limit')
        const by = { who: person.email, fromAddress }
        return rowOf(await setLimitsAs(sql, person.id, { slug: params.slug, changes, by }))
      },
    }),
  ]
}

function rowOf({ limits, ...workspace }: WorkspaceWithLimits): InstallationWorkspace {
  return {
    ...workspace,
    limits: limitRules.map(({ key, least, highest }) => ({ key, ...limits[key], least, highest })),
  }
}
