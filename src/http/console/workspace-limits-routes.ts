// The routes of the console where operators see every workspace of the installation and set its limits.
import Type from 'typebox'
import { Refusal } from '../../core/refusal.ts'
import { type HeldWorkspace, listWorkspacesFor, setLimitsAs } from '../../storage/operator-workspaces.ts'
import { type LimitChanges, limitRules } from '../../storage/workspace-limits.ts'
import { type PublicRoute, signedIn } from './public-route.ts'
import { type ConsoleParts, ok } from './route.ts'
import type { InstallationWorkspace } from './wire/installation.ts'

/** The bounds of each are checked with the rules that the command line holds to. */
const changesSchema = Type.Object(
  Object.fromEntries(limitRules.map(({ key }) => [key, Type.Optional(Type.Union([Type.Integer(), Type.Null()]))])),
  { additionalProperties: false },
)

export function workspaceLimitsRoutes({ installation: { sql } }: ConsoleParts): readonly PublicRoute[] {
  return [
    {
      method: 'GET',
      path: '/installation/workspaces',
      isForOperators: true,
      async answer(question) {
        const held = await listWorkspacesFor(sql, signedIn(question).person.id)
        return ok(held.map(rowOf))
      },
    },
    {
      method: 'PATCH',
      path: '/installation/workspaces/:slug',
      isForOperators: true,
      body: changesSchema,
      async answer(question) {
        const { person } = signedIn(question)
        const changes = question.body as LimitChanges
        if (Object.keys(changes).length === 0) throw new Refusal('invalid', 'nothing is to be changed: name a limit')
        const slug = question.params.slug!
        const by = { who: person.email, fromAddress: question.fromAddress }
        return ok(rowOf(await setLimitsAs(sql, person.id, { slug, changes, by })))
      },
    },
  ]
}

function rowOf({ limits, ...workspace }: HeldWorkspace): InstallationWorkspace {
  return {
    ...workspace,
    limits: limitRules.map(({ key, least, highest }) => ({ key, ...limits[key], least, highest })),
  }
}
